import RecordStackModel

/// Splits a request into disjoint SQL requests that read no dirty row through a relationship.
///
/// A condition behind to-one steps, such as `player.team.city == "Bonn"`, becomes two conditions
/// for the store. One is the same condition for players of clean teams. The other one is
/// `team IN (…)` for the dirty teams that match in memory. A condition on members is split in the
/// same way. Splitting a condition loads no row. A condition that reads several paths, or that
/// aggregates, stays as it is and is listed in `unsplit`.
struct RelationshipSplit {
    /// The disjoint requests. The first one reads only clean rows.
    private(set) var requests: [StoreRequest]
    /// The conditions that may read a dirty row.
    private(set) var unsplit: [Filter.Node] = []
    private let context: ManagedObjectContext

    /// The most levels of a filter to split.
    ///
    /// SQLite's parser has a limit, and splitting adds up to five levels for each step.
    private static let mostLevels = 20

    init(_ request: StoreRequest, in context: ManagedObjectContext) throws {
        self.context = context
        requests = [request]
        guard let filter = request.filter, AffectedRows(context: context).isSome(of: filter) else {
            return
        }
        if filter.levels > Self.mostLevels {
            unsplit = [filter]
            return
        }
        let terms = try filter.conjuncts.map { try split($0) }
        requests = Self.filters(of: terms).map { filter in
            var part = request
            part.filter = filter
            return part
        }
    }

    /// A condition in parts for the store.
    private struct Parts {
        /// The condition for the rows that match without a dirty row.
        let clean: Filter.Node
        /// Mutually exclusive conditions for the rows that match through a dirty row.
        var others: [Filter.Node] = []
        /// The condition for all of these rows.
        let whole: Filter.Node

        init(_ node: Filter.Node) {
            clean = node
            whole = node
        }

        init(clean: Filter.Node, others: [Filter.Node], whole: Filter.Node) {
            self.clean = clean
            self.others = others
            self.whole = whole
        }
    }

    /// Returns mutually exclusive filters for the terms of a conjunction.
    ///
    /// In one filter, every condition is clean. Each other part has a filter in which the
    /// conditions before it are clean.
    private static func filters(of terms: [Parts]) -> [Filter.Node] {
        var filters = [Filter.Node.allOf(terms.map(\.clean))]
        for (index, term) in terms.enumerated() {
            let before = terms[..<index].map(\.clean)
            let after = terms[(index + 1)...].map(\.whole)
            for other in term.others { filters.append(.allOf(before + [other] + after)) }
        }
        return filters
    }

    private mutating func split(_ node: Filter.Node) throws -> Parts {
        if !AffectedRows(context: context).isSome(of: node) { return Parts(node) }
        if let steps = node.commonSteps { return try split(node, behind: steps) }
        switch node {
        case .not(let inner): return Parts(.not(try split(inner).whole))
        case .and(let chain): return Parts(.and(try chain.map { try split($0).whole }))
        case .or(let chain): return Parts(.or(try chain.map { try split($0).whole }))
        case .quantified(let quantifier, let relation, let condition):
            if let parts = try split(relation, condition) {
                return quantifier == .any ? parts : Parts(.not(parts.whole))
            }
        default: break
        }
        unsplit.append(node)
        return Parts(node)
    }

    // MARK: To-one steps

    private func split(
        _ node: Filter.Node, behind steps: [FilterPath.Step]
    ) throws -> Parts {
        var clean: [Filter.Node] = []
        var others: [Filter.Node] = []
        var whole: [(kept: Filter.Node, matches: Filter.Node?)] = []
        for (index, step) in steps.enumerated() {
            let table = context.table(of: try model.requireIndex(of: step.destination))
            if !table.hasDiffering { continue }
            let path = FilterPath(steps: Array(steps[..<index]), slot: step.slot)
            let dirty = try context.queries.pendingRows(of: table).keys
            let matches = try matchingKeys(of: node, behind: index + 1, of: steps)
            if !matches.isEmpty {
                others.append(.allOf(clean + [.among(path, matches.map { .integer($0) })]))
            }
            clean.append(.kept(path, dirty))
            whole.append(
                (.kept(path, dirty), matches.isEmpty ? nil : .not(.kept(path, KeySet(matches)))))
        }
        // The last step is innermost, because the steps before it determine whether it is read.
        let inner = whole.reversed().reduce(node) { inner, step in
            let isKept = Filter.Node.and(step.kept, inner)
            return step.matches.map { .or(isKept, $0) } ?? isKept
        }
        return Parts(clean: .allOf(clean + [node]), others: others, whole: inner)
    }

    /// Returns the keys of the dirty objects behind some steps that satisfy a condition.
    private func matchingKeys(
        of node: Filter.Node, behind count: Int, of steps: [FilterPath.Step]
    ) throws -> [Int64] {
        let entity = try model.requireIndex(of: steps[count - 1].destination)
        let request = StoreRequest(entity: entity, filter: node.behindSteps(count))
        var keys = try context.queries.pendingKeys(of: request)
        // A relationship to a deleted object refers to nothing.
        if try node.isTrueForNothing() {
            let table = context.table(of: entity)
            keys += try context.queries.pendingRows(of: table).keys.sorted.filter {
                table.object($0)?.has(ObjectFlags.deleted) ?? true
            }
        }
        return keys
    }

    // MARK: Members

    /// Splits a condition on a member.
    ///
    /// Nil if the condition reads more than the members' own values, or if join rows are edited.
    private func split(_ relation: FilterRelation, _ condition: Filter.Node) throws -> Parts? {
        guard relation.scope == .root, relation.steps.isEmpty, condition.staysOnMember else {
            return nil
        }
        let owner = try model.requireIndex(of: relation.owner)
        let known = model.modelEntities[owner].relationships[relation.relationship]
        let table = context.table(of: known.destination)
        let request = StoreRequest(entity: known.destination, filter: condition.aboutMember)
        let member = FilterPath(scope: .member(0), slot: FilterPath.keySlot)
        let isClean = Filter.Node.kept(member, try context.queries.pendingRows(of: table).keys)
        func any(_ condition: Filter.Node) -> Filter.Node { .quantified(.any, relation, condition) }
        switch known.storage {
        case .key: return nil
        case .members(let slot, _):
            let owners = Set(
                try context.queries.pendingKeys(of: request).compactMap {
                    table.object($0)?.storedKey(at: slot)
                }
            ).subtracting([0]).sorted()
            let clean = any(.and(condition, isClean))
            if owners.isEmpty { return Parts(clean) }
            let owns = Filter.Node.among(
                FilterPath(slot: FilterPath.keySlot), owners.map { .integer($0) })
            return Parts(
                clean: clean, others: [.and(owns, .not(clean))], whole: .or(clean, owns))
        case .links(let index, _):
            if context.joinRowEdits.hasEdits(of: index) { return nil }
            let matches = KeySet(try context.queries.pendingKeys(of: request))
            let isPending = Filter.Node.not(.kept(member, matches))
            return Parts(any(.or(.and(condition, isClean), isPending)))
        }
    }

    private var model: ManagedObjectModel { context.coordinator.model }
}

extension Filter.Node {
    /// The conditions that must all be true.
    var conjuncts: [Filter.Node] {
        if case .and(let chain) = self { chain.terms } else { [self] }
    }
}
