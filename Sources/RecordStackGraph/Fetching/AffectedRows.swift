import RecordStackModel

/// Finds the clean rows whose position in a request's results may depend on unsaved changes.
///
/// The objects of these rows are as the store has them. However, the filter or the sort keys of the
/// request read changed objects through relationships. The result is itself a filter for the store.
struct AffectedRows {
    let context: ManagedObjectContext

    private var model: ManagedObjectModel { context.coordinator.model }

    /// Returns conditions of which one is true for each affected row; empty if no row is affected.
    func terms(of request: StoreRequest) throws -> [Filter.Node] {
        var terms = TermList()
        try request.filter?.forEachPart { try add($0, to: &terms) }
        for term in request.sort { try term.operand.forEachPart { try add($0, to: &terms) } }
        return terms.terms
    }

    /// Whether any row of a request is affected. The rows themselves are not determined.
    func isSome(of request: StoreRequest) -> Bool {
        if request.filter.map(isSome) == true { return true }
        return request.sort.contains { isSome(of: $0.operand) }
    }

    /// Whether a condition reads something through a relationship that is changed in memory.
    func isSome(of node: Filter.Node) -> Bool {
        var isSome = false
        node.forEachPart { if !isSome { isSome = self.isSome($0) } }
        return isSome
    }

    private func isSome(of operand: FilterOperand) -> Bool {
        var isSome = false
        operand.forEachPart { if !isSome { isSome = self.isSome($0) } }
        return isSome
    }

    private func isSome(_ part: FilterPart) -> Bool {
        switch part {
        case .path(let path): return path.steps.contains { hasDiffering($0.destination) }
        case .members(let relation, let nodes, let operands):
            if relation.steps.contains(where: { hasDiffering($0.destination) }) { return true }
            if hasDiffering(relation.destination) { return true }
            if case .links(let index, _)? = known(relation)?.storage,
                context.joinRowEdits.hasEdits(of: index)
            {
                return true
            }
            return nodes.contains { isSome(of: $0) } || operands.contains { isSome(of: $0) }
        }
    }

    private func hasDiffering(_ entity: EntityDescription) -> Bool {
        model.index(of: entity).map { context.table(of: $0).hasDiffering } ?? false
    }

    private func known(_ relation: FilterRelation) -> ModelRelationship? {
        model.index(of: relation.owner).map {
            model.modelEntities[$0].relationships[relation.relationship]
        }
    }

    private func add(_ part: FilterPart, to terms: inout TermList) throws {
        switch part {
        case .path(let path): addSteps(path.scope, path.steps, to: &terms)
        case .members(let relation, let nodes, let operands):
            addSteps(relation.scope, relation.steps, to: &terms)
            try addMembers(relation, nodes, operands, to: &terms)
        }
    }

    /// Adds the rows from which a step refers to an object with unsaved changes.
    private func addSteps(
        _ scope: FilterScope, _ steps: [FilterPath.Step], to terms: inout TermList
    ) {
        for (index, step) in steps.enumerated() {
            guard let entity = model.index(of: step.destination) else { continue }
            let path = FilterPath(scope: scope, steps: Array(steps[..<index]), slot: step.slot)
            if !terms.isNew(.step(path)) { continue }
            terms.add(path, among: context.table(of: entity).differingKeys)
        }
    }

    private func addMembers(
        _ relation: FilterRelation, _ nodes: [Filter.Node], _ operands: [FilterOperand],
        to terms: inout TermList
    ) throws {
        guard let known = known(relation) else { return }
        if terms.isNew(.members(relation)) { addOwners(relation, known, to: &terms) }
        // Adds the owners whose stored members have unsaved changes, or read objects with unsaved
        // changes. Each term has a query of its own, so that members of members are joined and not
        // nested.
        var inner = TermList()
        inner.add(
            FilterPath(scope: .member(0), slot: FilterPath.keySlot),
            among: context.table(of: known.destination).differingKeys)
        for node in nodes { try node.forEachPart { try add($0, to: &inner) } }
        for operand in operands { try operand.forEachPart { try add($0, to: &inner) } }
        for term in inner.terms { terms.add(.quantified(.any, relation, term)) }
    }

    /// Adds the owners of members with unsaved changes, and of edited join rows.
    private func addOwners(
        _ relation: FilterRelation, _ known: ModelRelationship, to terms: inout TermList
    ) {
        let owner =
            relation.steps.last.map { last in
                FilterPath(
                    scope: relation.scope, steps: Array(relation.steps.dropLast()), slot: last.slot)
            } ?? FilterPath(scope: relation.scope, slot: FilterPath.keySlot)
        switch known.storage {
        case .members(let slot, _):
            let owners = context.queries.differingObjects(of: known.destination).filter {
                !$0.has(ObjectFlags.deleted)
            }.map { $0.storedKey(at: slot) }
            terms.add(owner, among: Set(owners).subtracting([0]).sorted())
        case .links(let index, let end):
            let owners = context.chain.flatMap {
                $0.joinRowEdits.links[index].edits.keys.map { $0.key(end) }
            }
            terms.add(owner, among: Set(owners).sorted())
        case .key: break
        }
    }

    /// A list of conditions without duplicates.
    private struct TermList {
        enum Origin: Hashable {
            case step(FilterPath)
            case members(FilterRelation)
        }

        private var origins: Set<Origin> = []
        private var others: [Filter.Node] = []
        private var known: Set<Filter.Node> = []
        private var paths: [FilterPath] = []
        private var keys: [FilterPath: Set<Int64>] = [:]

        /// Returns true if an origin is new, so that its keys must be added.
        mutating func isNew(_ origin: Origin) -> Bool { origins.insert(origin).inserted }

        mutating func add(_ term: Filter.Node) {
            if known.insert(term).inserted { others.append(term) }
        }

        mutating func add(_ path: FilterPath, among added: [Int64]) {
            if added.isEmpty { return }
            if keys[path] == nil { paths.append(path) }
            keys[path, default: []].formUnion(added)
        }

        var terms: [Filter.Node] {
            paths.map { path in
                .among(path, keys[path, default: []].sorted().map { .integer($0) })
            } + others
        }
    }
}
