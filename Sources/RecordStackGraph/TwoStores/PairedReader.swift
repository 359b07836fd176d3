import RecordStackModel

/// Reads from the one or the other of two stores, whichever has what is asked for. None is opened before.
final class PairedReader: StoreReader {
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

    func remoteChanges(since known: StorePosition, author: UInt64) throws -> ChangeSet? {
        try reader(isInMemory: false).remoteChanges(since: known, author: author)
    }

    func end() {
        lasting?.end()
        volatile?.end()
    }

    private func reader(of entity: Int) throws -> any StoreReader {
        try reader(isInMemory: stores.model.isInMemory(entity))
    }

    private func reader(isInMemory: Bool) throws -> any StoreReader {
        if let known = isInMemory ? volatile : lasting { return known }
        let new = try (isInMemory ? stores.volatile : stores.lasting)
            .reader(inBurst: isInBurst)
        if isInMemory { volatile = new } else { lasting = new }
        if isInTransaction { try new.beginTransaction() }
        return new
    }

    private func reader(of request: MemberRequest) throws -> any StoreReader {
        switch request.source {
        case .slot(_, of: let entity, _): try reader(of: entity)
        case .links(let linkage, _, _): try reader(ofLinkage: linkage)
        }
    }

    private func reader(ofLinkage linkage: Int) throws -> any StoreReader {
        try reader(of: stores.model.linkages[linkage].first.entity)
    }

    // MARK: Reading

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        try reader(of: request.entity).rows(request, into: sink)
    }

    func keys(_ request: StoreRequest, into sink: any RowSink) throws {
        try reader(of: request.entity).keys(request, into: sink)
    }

    func first(entity: Int, slot: Int, value: StoredValue, into sink: any RowSink) throws {
        try reader(of: entity).first(entity: entity, slot: slot, value: value, into: sink)
    }

    func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        try reader(of: request).members(request, into: sink)
    }

    func memberCount(_ request: MemberRequest) throws -> Int {
        try reader(of: request).memberCount(request)
    }

    func hasLink(_ pair: LinkPair, in linkage: Int) throws -> Bool {
        try reader(ofLinkage: linkage).hasLink(pair, in: linkage)
    }

    func count(_ request: StoreRequest) throws -> Int {
        try reader(of: request.entity).count(request)
    }

    func exists(_ request: StoreRequest) throws -> Bool {
        try reader(of: request.entity).exists(request)
    }

    func values(_ request: ValueRequest, into take: ([StoredValue]) throws -> Void) throws {
        try reader(of: request.objects.entity).values(request, into: take)
    }

    func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try reader(of: request.entity).explanation(of: request)
    }

    func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try reader(of: request.entity).explanation(ofCounting: request)
    }

    func explanation(of request: ValueRequest) throws -> RequestExplanation {
        try reader(of: request.objects.entity).explanation(of: request)
    }
}
