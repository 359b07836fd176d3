import RecordStackModel

/// The dirty objects that match a request's filter.
struct PendingMatches {
    var keys: ContiguousArray<Int64>.SubSequence = []
    /// True if the keys are in the request's order.
    var isSorted = false
    /// The way in which they were found; nil if there are no dirty objects.
    var way: Way?

    enum Way {
        /// A lookup in the index of a slot, or in the identity map if the slot is nil.
        case index(slot: Int?)
        case memo, evaluation
    }
}

extension PendingRows {
    /// The most objects whose evaluation is faster than an index lookup.
    static let few = 2

    /// Finds the dirty objects that match a request, in the cheapest way available.
    /// - Parameter isSorted: true if the caller needs the request's order.
    func matches(
        of request: StoreRequest, isSorted: Bool, in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> PendingMatches {
        if keys.isEmpty { return PendingMatches(isSorted: true) }
        let kinds = context.coordinator.model.kinds(of: request)
        if keys.count > Self.few {
            // A page by key is a range of a sorted memo, which the next pages use as well.
            if request.bound != nil && request.mayHaveMemo && request.sortStaysOnObjects {
                return try matchesByMemo(of: request, isSorted: isSorted, kinds, in: table, context)
            }
            if let found = try matchesByIndex(of: request, kinds, in: table, context) {
                return found
            }
            if request.bound == nil && request.mayHaveMemo {
                return try matchesByMemo(of: request, isSorted: isSorted, kinds, in: table, context)
            }
        }
        var found = PendingMatches(way: .evaluation)
        try table.forEachDiffering { object in
            guard kinds.contains(context.entityIndex(of: object)) else { return }
            if try context.queries.isMatching(object, request.filter) {
                found.keys.append(object.keyValue)
            }
        }
        return found
    }

    private func matchesByMemo(
        of request: StoreRequest, isSorted: Bool, _ kinds: [Int], in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> PendingMatches {
        let inOrder = isSorted && request.sortStaysOnObjects
        let question = FilterMemo.Question(request, isSorted: inOrder)
        let memo = try memo(of: question, kinds: kinds, in: table, context) {
            var whole = StoreRequest(entity: question.entity, filter: question.filter)
            whole.includesSubentities = question.includesSubentities
            guard let filter = question.filter else { return nil }
            return try candidates(of: whole, filter, in: table, context)?.keys
        }
        return PendingMatches(
            keys: try memo.keys(within: request.bound, in: table), isSorted: inOrder, way: .memo)
    }

    private func matchesByIndex(
        of request: StoreRequest, _ kinds: [Int], in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> PendingMatches? {
        guard let filter = request.filter,
            let candidates = try candidates(of: request, filter, in: table, context)
        else { return nil }
        var found = PendingMatches(
            isSorted: request.sort.isEmpty, way: .index(slot: candidates.slot))
        if candidates.rest == nil && request.includesSubentities {
            found.keys = candidates.keys[...]
            return found
        }
        for key in candidates.keys {
            guard let object = table.object(key), kinds.contains(context.entityIndex(of: object))
            else { continue }
            if try context.queries.isMatching(object, candidates.rest) { found.keys.append(key) }
        }
        return found
    }

    /// Objects that can match a filter.
    private struct Candidates {
        var keys: ContiguousArray<Int64>
        /// The slot of the index; nil for the identity map.
        let slot: Int?
        /// The condition that is left to evaluate; nil if all of these objects match.
        var rest: Filter.Node?
    }

    /// The number of objects from an index above which a relationship condition is tried.
    ///
    /// A relationship condition costs a statement.
    private static let many = 64

    /// Finds the fewest objects that contain every match; nil if no index serves the filter.
    private func candidates(
        of request: StoreRequest, _ filter: Filter.Node, in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> Candidates? {
        var best: Candidates?
        try filter.forEachIndexedTerm(of: request.entity) { term in
            if term.values.count > keys.count || best?.keys.isEmpty == true { return }
            let found = try keys(of: term, in: table, context)
            if found.count < best?.keys.count ?? .max {
                best = Candidates(
                    keys: found, slot: term.subject?.slot, rest: term.isWhole ? nil : filter)
            }
        }
        // If no condition is left, all objects of the index match.
        if let best, best.rest == nil || best.keys.count <= Self.many { return best }
        let conditions = filter.conjuncts
        for (index, condition) in conditions.enumerated() {
            if let best, best.keys.count <= Self.many { break }
            guard
                let step = condition.commonSteps?.first,
                let found = try keys(
                    of: condition, behind: step, from: request.entity, in: table, context),
                found.count < best?.keys.count ?? .max
            else { continue }
            var rest = conditions
            rest.remove(at: index)
            best = Candidates(
                keys: found, slot: step.slot, rest: rest.isEmpty ? nil : .allOf(rest))
        }
        return best
    }

    /// Returns the keys of the objects that satisfy a condition behind to-one steps, ascending.
    ///
    /// The condition is evaluated for the objects behind the first step, in SQL and in memory. The
    /// result is nil if the condition is true for an object without a relationship, or if too many
    /// objects match.
    private func keys(
        of condition: Filter.Node, behind step: FilterPath.Step, from entity: Int,
        in table: EntityTable, _ context: ManagedObjectContext
    ) throws -> ContiguousArray<Int64>? {
        if try condition.isTrueForNothing() { return nil }
        var request = StoreRequest(
            entity: try context.coordinator.model.requireIndex(of: step.destination),
            filter: condition.behindSteps(1))
        let most = keys.count + Self.many
        request.limit = most
        let related = try context.queries.keys(of: request)
        if related.count == most { return nil }
        let subject = PendingIndex.Subject(entity: entity, slot: step.slot)
        let index = try index(of: subject, in: table, context)
        var found: ContiguousArray<Int64> = []
        for key in related { found += index.keys(of: .integer(key), in: table) }
        return ContiguousArray(found.sorted())
    }

    /// Returns the keys of the objects that satisfy a term, in ascending order.
    private func keys(
        of term: IndexedTerm, in table: EntityTable, _ context: ManagedObjectContext
    ) throws -> ContiguousArray<Int64> {
        guard let subject = term.subject else {
            return ContiguousArray(
                term.values.all.compactMap { value -> Int64? in
                    guard case .integer(let key) = value, let object = table.object(key),
                        keys.contains(key), !object.has(ObjectFlags.deleted)
                    else { return nil }
                    return key
                }.sorted())
        }
        let index = try index(of: subject, in: table, context)
        switch term.values {
        case .one(let value): return index.keys(of: value, in: table)
        case .list(let values):
            var all: Set<Int64> = []
            for value in values { all.formUnion(index.keys(of: value, in: table)) }
            return ContiguousArray(all.sorted())
        }
    }
}

/// A term of a filter that an index can evaluate.
struct IndexedTerm {
    /// The slot to look up; nil for the object's key, which the identity map has.
    let subject: PendingIndex.Subject?
    let values: Values
    /// True if the term is the whole filter, so its objects need no evaluation.
    let isWhole: Bool

    enum Values {
        case one(StoredValue)
        case list([StoredValue])

        var count: Int {
            switch self {
            case .one: 1
            case .list(let values): values.count
            }
        }

        var single: StoredValue? {
            switch self {
            case .one(let value): value
            case .list(let values): values.count == 1 ? values[0] : nil
            }
        }

        var all: [StoredValue] {
            switch self {
            case .one(let value): [value]
            case .list(let values): values
            }
        }
    }
}

extension Filter.Node {
    /// Calls a function with each term of a conjunction that an index can evaluate.
    func forEachIndexedTerm(of entity: Int, _ body: (IndexedTerm) throws -> Void) rethrows {
        guard case .and(let chain) = self else {
            if let term = indexedTerm(of: entity, isWhole: true) { try body(term) }
            return
        }
        for condition in chain.terms {
            if let term = condition.indexedTerm(of: entity, isWhole: false) { try body(term) }
        }
    }

    private func indexedTerm(of entity: Int, isWhole: Bool) -> IndexedTerm? {
        switch self {
        case .compare(.path(let path), .equal, .value(let value), []) where !value.isNull:
            return path.term(of: entity, .one(value), isWhole: isWhole)
        case .isNull(.path(let path)) where path.slot != FilterPath.keySlot:
            return path.term(of: entity, .one(.null), isWhole: isWhole)
        case .among(.path(let path), let list, []):
            return path.term(of: entity, .list(list.values), isWhole: isWhole)
        default: return nil
        }
    }
}

extension FilterPath {
    fileprivate func term(
        of entity: Int, _ values: IndexedTerm.Values, isWhole: Bool
    ) -> IndexedTerm? {
        guard scope == .root, steps.isEmpty else { return nil }
        // The object of a key can belong to another entity, so the filter must be evaluated for it.
        if slot == Self.keySlot { return IndexedTerm(subject: nil, values: values, isWhole: false) }
        var isCaseless = false
        switch collation {
        case .binary: break
        case .caseInsensitive:
            // `isIn` compares bytes.
            if case .one = values { isCaseless = true }
        case .decimal:
            // A number in another form is equal by value, but not by bytes.
            if !values.all.allSatisfy(\.isOwnForm) { return nil }
        default: return nil
        }
        let subject = PendingIndex.Subject(entity: entity, slot: slot, isCaseless: isCaseless)
        return IndexedTerm(subject: subject, values: values, isWhole: isWhole)
    }
}

extension StoredValue {
    /// True if the value is the canonical form of a decimal number.
    fileprivate var isOwnForm: Bool {
        switch self {
        case .text(let text): DecimalText.isCanonical(text)
        case .null: true
        case .integer, .real, .blob: false
        }
    }
}
