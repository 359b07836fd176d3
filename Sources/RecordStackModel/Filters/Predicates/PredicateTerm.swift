/// What a part of a predicate stands for.
enum PredicateTerm {
    case condition(Filter.Node)
    case value(PredicateValue)
    case object(PredicateObject)
    case members(PredicateMembers)
    case range(PredicateRange)
    /// What is the same for all objects.
    case constant(PredicateConstant)
}

/// An object: the one that the filter is about, a member, or one at the end of to-one steps.
struct PredicateObject {
    let scope: FilterScope
    let steps: [FilterPath.Step]
    let entity: EntityDescription

    /// Where its key is found.
    var keyPath: FilterPath {
        guard let last = steps.last else {
            return FilterPath(scope: scope, slot: FilterPath.keySlot)
        }
        return FilterPath(scope: scope, steps: steps.dropLast(), slot: last.slot)
    }

    /// Whether there is none.
    var isMissing: Filter.Node { steps.isEmpty ? .constant(false) : .isNull(.path(keyPath)) }

    /// Whether another object, or its key, is read through this one.
    func isOnPath(to other: PredicateObject) -> Bool {
        scope == other.scope && other.steps.starts(with: steps)
    }

    /// Whether a value is null for certain where there is no such object.
    func decides(_ operand: FilterOperand) -> Bool {
        switch operand {
        case .value(let value): value.isNull
        case .path(let path):
            path == keyPath || (path.scope == scope && path.steps.starts(with: steps))
        case .arithmetic(_, let a, let b): decides(a) || decides(b)
        case .function(_, let a): decides(a)
        case .aggregate: false
        }
    }
}

/// The members of a to-many relationship, or some of them.
struct PredicateMembers {
    let relation: FilterRelation
    var filter: Filter.Node?

    func adding(_ node: Filter.Node) -> Self {
        PredicateMembers(relation: relation, filter: filter.map { .both($0, node) } ?? node)
    }

    func quantified(_ quantifier: Filter.Quantifier) -> Filter.Node {
        .quantified(quantifier, relation, filter ?? .constant(true))
    }

    var count: PredicateValue {
        PredicateValue(.aggregate(FilterAggregate(.count, relation, where: filter)))
    }
}

/// Values from one to another.
struct PredicateRange {
    var lower: PredicateValue?
    var upper: PredicateValue?
    var isClosed: Bool

    func contains(_ value: PredicateValue, _ collation: Collation) -> Filter.Node {
        let above = lower.map { value.comparing(.greaterOrEqual, $0, collation) }
        let below = upper.map { value.comparing(isClosed ? .lessOrEqual : .less, $0, collation) }
        return .both(above ?? .constant(true), below ?? .constant(true))
    }
}
