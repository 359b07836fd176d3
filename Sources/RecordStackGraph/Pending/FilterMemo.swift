import RecordStackModel

/// The result of a filter among the dirty objects, sorted and kept between requests.
///
/// The filter and the sort keys read only the object itself, not its relationships. The memo costs
/// 8 bytes for each object. The context removes an object before it changes, and inserts it again
/// at the next request.
final class FilterMemo {
    /// The parts of a request that decide its result.
    struct Question: Hashable {
        let entity: Int
        let includesSubentities: Bool
        let filter: Filter.Node?
        /// The sort keys; nil if any order will do.
        let sort: [SortTerm]?
        /// True if the values of the objects' rows decide, and not those that the objects show.
        let isOfRows: Bool

        init(_ request: StoreRequest, isSorted: Bool, isOfRows: Bool = false) {
            self.isOfRows = isOfRows
            entity = request.entity
            includesSubentities = request.includesSubentities
            filter = request.bound.map(\.filter) ?? request.filter
            // A keyset page is a range of the sorted result.
            sort = isSorted || request.bound != nil ? request.sort : nil
        }

        /// Whether a memo of this question also answers another one.
        func answers(_ other: Question) -> Bool {
            (other.sort == nil || sort ?? [] == other.sort) && entity == other.entity
                && includesSubentities == other.includesSubentities
                && isOfRows == other.isOfRows && filter == other.filter
        }
    }

    let question: Question
    private let sort: [SortTerm]
    private let filter: CompiledFilter
    let kinds: [Int]
    private let counters: ContextCounters?
    private(set) var keys: ContiguousArray<Int64> = []
    /// The number of the last request that used the memo.
    var lastUse = 0
    /// The number of requests that have used the memo since the one that built it.
    var uses = 0

    /// Creates an empty memo.
    ///
    /// - Parameter counters: counts the evaluated objects.
    init(_ question: Question, kinds: [Int], counters: ContextCounters? = nil) {
        self.counters = counters
        self.question = question
        filter =
            question.isOfRows
            ? CompiledFilter(ofRows: question.filter) : CompiledFilter(question.filter)
        sort = question.sort ?? []
        self.kinds = kinds
    }

    /// Rebuilds the memo from loaded, undeleted objects.
    func fill(_ objects: [ManagedObject]) throws {
        let found = try objects.filter(isMatch)
        keys = ContiguousArray(
            try found.sorted { try order($0, $1) == .before }.map(\.keyValue))
    }

    /// Returns the keys within a keyset page's bound, in order.
    func keys(
        within bound: KeysetBound?, in table: EntityTable
    ) throws -> ContiguousArray<Int64>.SubSequence {
        guard let bound else { return keys[...] }
        let first = try firstIndex(in: table) { try bound.position(of: $0) != .before }
        let end = try firstIndex(in: table) { try bound.position(of: $0) == .after }
        return keys[first..<max(first, end)]
    }

    /// Returns the index of the first object that satisfies a condition.
    ///
    /// The condition must be monotonic in the memo's order.
    private func firstIndex(
        in table: EntityTable, where isBehind: (OwnSubject) throws -> Bool
    ) throws -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            // A dirty object is always registered.
            let isThere = try table.object(keys[middle]).map { try isBehind(subject($0)) }
            if isThere ?? true { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func isMatch(_ object: ManagedObject) throws -> Bool {
        counters?.objectsJudged.add(1)
        return try filter.isTrue(object)
    }

    private func subject(_ object: ManagedObject) -> OwnSubject {
        OwnSubject(object: object, isRow: question.isOfRows)
    }

    /// Inserts an object if it matches the filter.
    func insert(_ object: ManagedObject, in table: EntityTable) throws {
        guard try isMatch(object) else { return }
        let index = try index(of: object, in: table)
        if index < keys.count && keys[index] == object.keyValue { return }
        keys.insert(object.keyValue, at: index)
    }

    /// Removes an object before its values change. Does nothing if the memo does not contain it.
    func remove(_ object: ManagedObject, in table: EntityTable) throws {
        if keys.isEmpty { return }
        let index = try index(of: object, in: table)
        if index < keys.count && keys[index] == object.keyValue { keys.remove(at: index) }
    }

    /// Returns the index of an object, or the index at which to insert it.
    private func index(of object: ManagedObject, in table: EntityTable) throws -> Int {
        // A new object often sorts last.
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
        // A dirty object is always registered.
        guard let other = table.object(key) else { return key < object.keyValue }
        return try order(other, object) == .before
    }

    private func order(_ a: ManagedObject, _ b: ManagedObject) throws -> Order {
        for term in sort {
            let order = term.order(
                try term.operand.value(for: subject(a)), try term.operand.value(for: subject(b)))
            if order != .same { return order }
        }
        return Order(a.keyValue, b.keyValue)
    }
}

/// A loaded object, for filters and sort keys that read no relationship.
struct OwnSubject: FilterSubject {
    let object: ManagedObject
    /// True if the values of the object's row are read.
    var isRow = false

    var key: Int64 { object.keyValue }

    func storedValue(at slot: Int) -> StoredValue {
        isRow ? object.rowValue(at: slot) : object.storedValue(at: slot)
    }

    func related(_ step: FilterPath.Step) -> OwnSubject? { nil }

    func members(_ relation: FilterRelation) -> [OwnSubject] { [] }
}

extension StoreRequest {
    /// True if the filter reads no relationship.
    var filterStaysOnObjects: Bool { filter.map(\.staysOnObject) ?? true }

    /// True if the sort keys read no relationship.
    var sortStaysOnObjects: Bool { sort.allSatisfy { $0.operand.staysOnObject } }

    /// True if a memo can keep the filter.
    var mayHaveMemo: Bool { filterStaysOnObjects && filter?.hasShortLists ?? true }

    /// True if the filter or a sort key reads a relationship.
    var readsRelationships: Bool { !filterStaysOnObjects || !sortStaysOnObjects }
}

extension Filter.Node {
    fileprivate var staysOnObject: Bool {
        var stays = true
        forEachPart { stays = stays && $0.staysOnObject }
        return stays
    }

    /// True if no list in the filter has more than 64 values. A memo retains its filter.
    var hasShortLists: Bool {
        switch self {
        case .among(_, let list, _): list.values.count <= 64
        case .refers(_, let ids): ids.count <= 64
        case .not(let node), .quantified(_, _, let node): node.hasShortLists
        case .and(let chain), .or(let chain):
            chain.count <= 64 && chain.allSatisfy(\.hasShortLists)
        case .constant, .isNull, .compare, .text, .kept, .format, .invalid: true
        }
    }
}

extension FilterOperand {
    var readsRelationship: Bool { !staysOnObject }

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
