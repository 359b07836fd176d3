/// Replaces the paths and relations of a filter.
package struct FilterMapping {
    /// Returns the replacement for a path.
    ///
    /// - Parameter depth: the number of conditions on members around the path.
    let path: (FilterPath, _ depth: Int) -> FilterPath
    /// Returns the replacement for a relation.
    ///
    /// - Parameter depth: the number of conditions on members around the relation.
    let relation: (FilterRelation, _ depth: Int) -> FilterRelation

    init(
        path: @escaping (FilterPath, _ depth: Int) -> FilterPath,
        relation: @escaping (FilterRelation, _ depth: Int) -> FilterRelation = { relation, _ in
            relation
        }
    ) {
        self.path = path
        self.relation = relation
    }

    /// Replaces the scopes of paths and relations.
    init(scope: @escaping (FilterScope, _ depth: Int) -> FilterScope) {
        self.init { path, depth in
            path.moved(to: scope(path.scope, depth))
        } relation: { relation, depth in
            relation.moved(to: scope(relation.scope, depth))
        }
    }
}

extension Filter.Node {
    /// Returns the filter with its paths and relations replaced.
    ///
    /// - Parameter depth: the number of conditions on members around the filter.
    package func mapping(depth: Int = 0, _ mapping: FilterMapping) -> Filter.Node {
        func mapped(_ operand: FilterOperand) -> FilterOperand {
            operand.mapping(depth: depth, mapping)
        }
        switch self {
        case .constant, .format, .invalid: return self
        case .not(let node): return .not(node.mapping(depth: depth, mapping))
        case .and(let chain): return .and(chain.map { $0.mapping(depth: depth, mapping) })
        case .or(let chain): return .or(chain.map { $0.mapping(depth: depth, mapping) })
        case .isNull(let operand): return .isNull(mapped(operand))
        case .among(let operand, let values, let options):
            return .among(mapped(operand), values, options)
        case .compare(let a, let comparison, let b, let options):
            return .compare(mapped(a), comparison, mapped(b), options)
        case .text(let a, let match, let b, let options):
            return .text(mapped(a), match, mapped(b), options)
        case .quantified(let quantifier, let relation, let node):
            return .quantified(
                quantifier, mapping.relation(relation, depth),
                node.mapping(depth: depth + 1, mapping))
        case .refers(let path, let ids): return .refers(mapping.path(path, depth), to: ids)
        case .kept(let path, let keys): return .kept(mapping.path(path, depth), keys)
        }
    }

    /// Returns the condition of a finished closure over members, with its open paths bound to them.
    package func closing(_ token: ScopeToken) -> Filter.Node {
        mapping(FilterMapping(scope: token.close))
    }

    /// The reason why the filter cannot be used; nil if it can be used.
    package var problem: String? {
        switch self {
        case .constant, .refers, .kept, .format: return nil
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
    package func mapping(depth: Int = 0, _ mapping: FilterMapping) -> FilterOperand {
        func mapped(_ operand: FilterOperand) -> FilterOperand {
            operand.mapping(depth: depth, mapping)
        }
        switch self {
        case .value: return self
        case .path(let path): return .path(mapping.path(path, depth))
        case .arithmetic(let operation, let a, let b):
            return .arithmetic(operation, mapped(a), mapped(b))
        case .function(let function, let operand): return .function(function, mapped(operand))
        case .aggregate(let aggregate):
            return .aggregate(
                FilterAggregate(
                    aggregate.kind, mapping.relation(aggregate.relation, depth),
                    of: aggregate.operand?.mapping(depth: depth + 1, mapping),
                    where: aggregate.filter?.mapping(depth: depth + 1, mapping)))
        }
    }

    package func closing(_ token: ScopeToken) -> FilterOperand {
        mapping(FilterMapping(scope: token.close))
    }

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
    fileprivate func moved(to scope: FilterScope) -> FilterPath {
        FilterPath(
            scope: scope, steps: steps, slot: slot, collation: collation, root: root)
    }
}

extension FilterRelation {
    fileprivate func moved(to scope: FilterScope) -> FilterRelation {
        FilterRelation(
            scope: scope, steps: steps, owner: owner, relationship: relationship,
            destination: destination, root: root)
    }
}

/// The identity of a closure's member while the closure runs.
///
/// Every path that begins at the member carries it.
package final class ScopeToken {
    package init() {}

    package var scope: FilterScope { .open(ObjectIdentifier(self)) }

    fileprivate func close(_ scope: FilterScope, _ depth: Int) -> FilterScope {
        scope == self.scope ? .member(depth) : scope
    }
}

/// A value or relationship that a filter reads.
package enum FilterPart {
    case path(FilterPath)
    /// A to-many relationship, with the conditions and values that are evaluated for its members.
    case members(FilterRelation, [Filter.Node], [FilterOperand])
}

extension Filter.Node {
    /// Calls `body` for each path and relationship that begins at this level.
    ///
    /// The conditions and values for members are passed together with their relationship.
    package func forEachPart(_ body: (FilterPart) throws -> Void) rethrows {
        switch self {
        case .constant, .format, .invalid: break
        case .refers(let path, _), .kept(let path, _): try body(.path(path))
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
