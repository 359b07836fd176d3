/// The meaning of a part of a predicate.
enum PredicateTerm {
    case condition(Filter.Node)
    case value(PredicateValue)
    case object(PredicateObject)
    case members(PredicateMembers)
    case range(PredicateRange)
    /// A value that is the same for all objects.
    case constant(PredicateConstant)
}

/// An object that the filter is about, a member, or an object at the end of to-one steps.
struct PredicateObject {
    let scope: FilterScope
    let steps: [FilterPath.Step]
    let entity: EntityDescription

    /// The path to the object's key.
    var keyPath: FilterPath {
        guard let last = steps.last else {
            return FilterPath(scope: scope, slot: FilterPath.keySlot)
        }
        return FilterPath(scope: scope, steps: steps.dropLast(), slot: last.slot)
    }

    /// The condition that the object does not exist.
    var isMissing: Filter.Node { steps.isEmpty ? .constant(false) : .isNull(.path(keyPath)) }

    /// Whether the path to another object, or to its key, goes through this object.
    func isOnPath(to other: PredicateObject) -> Bool {
        scope == other.scope && other.steps.starts(with: steps)
    }

    /// Whether a value is certainly null if the object does not exist.
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

/// All or some members of a to-many relationship.
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

/// The values between two bounds, either of which may be missing.
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
