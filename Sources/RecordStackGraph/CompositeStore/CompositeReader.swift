import RecordStackModel

/// Reads from the two stores of a composite store.
///
/// It opens a store's reader when that reader is first needed.
final class CompositeReader: ForwardingReader {
    private let stores: CompositeStore
    private var lasting: (any StoreReader)?
    private var volatile: (any StoreReader)?
    private let isInBurst: Bool
    private var isInTransaction = false

    init(of stores: CompositeStore, inBurst: Bool) {
        self.stores = stores
        isInBurst = inBurst
    }

    var statistics: StoreStatistics {
        (lasting?.statistics ?? StoreStatistics()) + (volatile?.statistics ?? StoreStatistics())
    }

    func beginTransaction() throws {
        isInTransaction = true
        try lasting?.beginTransaction()
        try volatile?.beginTransaction()
    }

    func position() throws -> StorePosition {
        isInTransaction = true
        return try reader(isInMemory: false).position()
    }

    func end() {
        lasting?.end()
        volatile?.end()
    }

    func reader(of entity: Int?) throws -> any StoreReader {
        try reader(isInMemory: entity.map(stores.model.isInMemory) ?? false)
    }

    func reader(ofJoinTable joinTable: Int) throws -> any StoreReader {
        try reader(of: stores.model.joinTables[joinTable].first.entity)
    }

    private func reader(isInMemory: Bool) throws -> any StoreReader {
        if let known = isInMemory ? volatile : lasting { return known }
        let new = try (isInMemory ? stores.volatile : stores.lasting)
            .reader(inBurst: isInBurst)
        if isInMemory { volatile = new } else { lasting = new }
        if isInTransaction { try new.beginTransaction() }
        return new
    }
}
