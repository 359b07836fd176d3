import RecordStackModel

/// The objects that differ from the store for which a filter is true, in an order: what was judged once is not judged
/// again. Filter and order look at nothing but the objects themselves.
///
/// 8 bytes for each object. Objects are taken out before they change, and put in again when the next question comes.
final class FilterMemo {
    /// What is asked.
    struct Question: Hashable {
        let entity: Int
        let includesSubentities: Bool
        let filter: Filter.Node?
        /// Nil where any order will do.
        let sort: [SortTerm]?

        init(_ request: StoreRequest, isSorted: Bool) {
            entity = request.entity
            includesSubentities = request.includesSubentities
            filter = request.bound.map(\.filter) ?? request.filter
            // What is a part of an order is looked for in that order.
            sort = isSorted || request.bound != nil ? request.sort : nil
        }

        /// Whether what answers this one answers another one, too.
        func answers(_ other: Question) -> Bool {
            (other.sort == nil || sort ?? [] == other.sort) && entity == other.entity
                && includesSubentities == other.includesSubentities && filter == other.filter
        }
    }

    let question: Question
    private let sort: [SortTerm]
    let kinds: [Int]
    private let counters: ContextCounters?
    private(set) var keys: ContiguousArray<Int64> = []
    /// When it was last asked, in questions.
    var lastUse = 0

    /// - Parameter counters: where what is judged is counted.
    init(_ question: Question, kinds: [Int], counters: ContextCounters? = nil) {
        self.counters = counters
        self.question = question
        sort = question.sort ?? []
        self.kinds = kinds
    }

    /// Makes it anew of objects that are loaded and not deleted.
    func fill(_ objects: [ManagedObject]) throws {
        let found = try objects.filter(isMatch)
        keys = ContiguousArray(
            try found.sorted { try order($0, $1) == .before }.map(\.keyValue))
    }

    /// The keys of the part that is wanted, in order.
    func keys(
        within bound: KeysetBound?, in table: EntityTable
    ) throws -> ContiguousArray<Int64>.SubSequence {
        guard let bound else { return keys[...] }
        let first = try firstPlace(in: table) { try bound.position(of: $0) != .before }
        let end = try firstPlace(in: table) { try bound.position(of: $0) == .after }
        return keys[first..<max(first, end)]
    }

    /// The place of the first object for which a condition is true that is true for all behind it.
    private func firstPlace(
        in table: EntityTable, where isBehind: (OwnSubject) throws -> Bool
    ) throws -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            // What is in it differs, and so is held.
            let isThere = try table.object(keys[middle]).map {
                try isBehind(OwnSubject(object: $0))
            }
            if isThere ?? true { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func isMatch(_ object: ManagedObject) throws -> Bool {
        counters?.objectsJudged.add(1)
        return try question.filter?.isTrue(for: OwnSubject(object: object)) ?? true
    }

    /// Puts an object in, if the filter is true for it.
    func insert(_ object: ManagedObject, in table: EntityTable) throws {
        guard try isMatch(object) else { return }
        let place = try place(of: object, in: table)
        if place < keys.count && keys[place] == object.keyValue { return }
        keys.insert(object.keyValue, at: place)
    }

    /// Takes an object out, which has its values still. One that is not there stays away.
    func remove(_ object: ManagedObject, in table: EntityTable) throws {
        if keys.isEmpty { return }
        let place = try place(of: object, in: table)
        if place < keys.count && keys[place] == object.keyValue { keys.remove(at: place) }
    }

    /// The place of an object, or that of the next.
    private func place(of object: ManagedObject, in table: EntityTable) throws -> Int {
        // New objects are often the last.
        if let last = keys.last, try isBefore(last, object, in: table) { return keys.count }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if try isBefore(keys[middle], object, in: table) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func isBefore(
        _ key: Int64, _ object: ManagedObject, in table: EntityTable
    ) throws -> Bool {
        if sort.isEmpty { return key < object.keyValue }
        // What is in it differs, and so is held.
        guard let other = table.object(key) else { return key < object.keyValue }
        return try order(other, object) == .before
    }

    private func order(_ a: ManagedObject, _ b: ManagedObject) throws -> Order {
        for term in sort {
            let order = term.order(
                try term.operand.value(for: OwnSubject(object: a)),
                try term.operand.value(for: OwnSubject(object: b)))
            if order != .same { return order }
        }
        return Order(a.keyValue, b.keyValue)
    }
}

/// An object that is loaded, for filters and sort keys that look at nothing else.
private struct OwnSubject: FilterSubject {
    let object: ManagedObject

    var key: Int64 { object.keyValue }

    func storedValue(at slot: Int) -> StoredValue { object.storedValue(at: slot) }

    func related(_ step: FilterPath.Step) -> OwnSubject? { nil }

    func members(_ relation: FilterRelation) -> [OwnSubject] { [] }
}

extension StoreRequest {
    /// Whether the filter looks at the objects themselves alone.
    var filterStaysOnObjects: Bool { filter.map(\.staysOnObject) ?? true }

    /// Whether the order does.
    var sortStaysOnObjects: Bool { sort.allSatisfy { $0.operand.staysOnObject } }
}

extension Filter.Node {
    fileprivate var staysOnObject: Bool {
        var stays = true
        forEachPart { stays = stays && $0.staysOnObject }
        return stays
    }

    /// Whether the lists of values that it looks for are short: a memo keeps them.
    var hasShortLists: Bool {
        switch self {
        case .among(_, let list, _): list.values.count <= 64
        case .leads(_, let ids): ids.count <= 64
        case .not(let node), .quantified(_, _, let node): node.hasShortLists
        case .and(let chain), .or(let chain):
            chain.count <= 64 && chain.allSatisfy(\.hasShortLists)
        case .constant, .isNull, .compare, .text, .invalid: true
        }
    }
}

extension FilterOperand {
    fileprivate var staysOnObject: Bool {
        var stays = true
        forEachPart { stays = stays && $0.staysOnObject }
        return stays
    }
}

extension FilterPart {
    fileprivate var staysOnObject: Bool {
        switch self {
        case .path(let path): path.steps.isEmpty && path.scope == .root
        case .members: false
        }
    }
}
