extension Filter.Node {
    /// The filter with its paths and relations put for others.
    /// - Parameter depth: how many conditions on members are around it.
    package func mapping(
        depth: Int = 0, _ scope: (FilterScope, _ depth: Int) -> FilterScope
    ) -> Filter.Node {
        switch self {
        case .constant, .invalid: return self
        case .not(let node): return .not(node.mapping(depth: depth, scope))
        case .and(let chain): return .and(chain.map { $0.mapping(depth: depth, scope) })
        case .or(let chain): return .or(chain.map { $0.mapping(depth: depth, scope) })
        case .isNull(let operand): return .isNull(operand.mapping(depth: depth, scope))
        case .among(let operand, let values, let options):
            return .among(operand.mapping(depth: depth, scope), values, options)
        case .compare(let a, let comparison, let b, let options):
            return .compare(
                a.mapping(depth: depth, scope), comparison, b.mapping(depth: depth, scope), options)
        case .text(let a, let match, let b, let options):
            return .text(
                a.mapping(depth: depth, scope), match, b.mapping(depth: depth, scope), options)
        case .quantified(let quantifier, let relation, let node):
            return .quantified(
                quantifier, relation.mapping(depth, scope), node.mapping(depth: depth + 1, scope))
        case .leads(let path, let ids): return .leads(path.mapping(depth, scope), to: ids)
        }
    }

    /// What a closure over members has made, when it is done: its open paths begin at the member.
    package func closing(_ token: ScopeToken) -> Filter.Node { mapping(token.close) }

    /// Why the filter cannot be used, if it cannot.
    package var problem: String? {
        switch self {
        case .constant, .leads: return nil
        case .invalid(let message): return message
        case .not(let node), .quantified(_, _, let node): return node.problem
        case .and(let chain), .or(let chain):
            var problem: String?
            _ = chain.contains {
                problem = $0.problem
                return problem != nil
            }
            return problem
        case .isNull(let operand), .among(let operand, _, _): return operand.problem
        case .compare(let a, _, let b, _), .text(let a, _, let b, _):
            return a.problem ?? b.problem
        }
    }
}

extension FilterOperand {
    package func mapping(
        depth: Int = 0, _ scope: (FilterScope, _ depth: Int) -> FilterScope
    ) -> FilterOperand {
        switch self {
        case .value: self
        case .path(let path): .path(path.mapping(depth, scope))
        case .arithmetic(let operation, let a, let b):
            .arithmetic(
                operation, a.mapping(depth: depth, scope), b.mapping(depth: depth, scope))
        case .function(let function, let operand):
            .function(function, operand.mapping(depth: depth, scope))
        case .aggregate(let aggregate):
            .aggregate(
                FilterAggregate(
                    aggregate.kind, aggregate.relation.mapping(depth, scope),
                    of: aggregate.operand?.mapping(depth: depth + 1, scope),
                    where: aggregate.filter?.mapping(depth: depth + 1, scope)))
        }
    }

    package func closing(_ token: ScopeToken) -> FilterOperand { mapping(token.close) }

    var problem: String? {
        switch self {
        case .value, .path: nil
        case .arithmetic(_, let a, let b): a.problem ?? b.problem
        case .function(_, let operand): operand.problem
        case .aggregate(let aggregate): aggregate.operand?.problem ?? aggregate.filter?.problem
        }
    }
}

extension FilterPath {
    fileprivate func mapping(
        _ depth: Int, _ scope: (FilterScope, _ depth: Int) -> FilterScope
    ) -> FilterPath {
        FilterPath(
            scope: scope(self.scope, depth), steps: steps, slot: slot, collation: collation,
            root: root)
    }
}

extension FilterRelation {
    fileprivate func mapping(
        _ depth: Int, _ scope: (FilterScope, _ depth: Int) -> FilterScope
    ) -> FilterRelation {
        FilterRelation(
            scope: scope(self.scope, depth), steps: steps, owner: owner,
            relationship: relationship, destination: destination, root: root)
    }
}

/// Stands for the member of a closure while that runs: whatever it names of the member carries it.
package final class ScopeToken {
    package init() {}

    package var scope: FilterScope { .open(ObjectIdentifier(self)) }

    fileprivate func close(_ scope: FilterScope, _ depth: Int) -> FilterScope {
        scope == self.scope ? .member(depth) : scope
    }
}

/// What a filter looks at besides the objects that it is about.
package enum FilterPart {
    case path(FilterPath)
    /// A to-many relationship, and what is asked of its members.
    case members(FilterRelation, [Filter.Node], [FilterOperand])
}

extension Filter.Node {
    /// Calls `body` for each path and relationship that begins at this level; what is asked of members is
    /// handed over with their relationship.
    package func forEachPart(_ body: (FilterPart) throws -> Void) rethrows {
        switch self {
        case .constant, .invalid: break
        case .leads(let path, _): try body(.path(path))
        case .not(let node): try node.forEachPart(body)
        case .and(let chain), .or(let chain): try chain.forEach { try $0.forEachPart(body) }
        case .isNull(let operand), .among(let operand, _, _): try operand.forEachPart(body)
        case .compare(let a, _, let b, _), .text(let a, _, let b, _):
            try a.forEachPart(body)
            try b.forEachPart(body)
        case .quantified(_, let relation, let node): try body(.members(relation, [node], []))
        }
    }
}

extension FilterOperand {
    package func forEachPart(_ body: (FilterPart) throws -> Void) rethrows {
        switch self {
        case .value: break
        case .path(let path): try body(.path(path))
        case .arithmetic(_, let a, let b):
            try a.forEachPart(body)
            try b.forEachPart(body)
        case .function(_, let operand): try operand.forEachPart(body)
        case .aggregate(let aggregate):
            try body(
                .members(
                    aggregate.relation, aggregate.filter.map { [$0] } ?? [],
                    aggregate.operand.map { [$0] } ?? []))
        }
    }
}
