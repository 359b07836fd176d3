import RecordStackModel

// A filter without its values. Equal shapes have equal SQL.
extension Filter.Node {
    func hasShape(of other: Filter.Node) -> Bool {
        switch (self, other) {
        case (.constant(let a), .constant(let b)): a == b
        case (.not(let a), .not(let b)): a.hasShape(of: b)
        case (.and(let a), .and(let b)), (.or(let a), .or(let b)):
            a.matches(b) { $0.hasShape(of: $1) }
        case (.isNull(let a), .isNull(let b)): a.hasShape(of: b)
        case (.compare(let a, let op, let b, let options), .compare(let c, let other, let d, let o)):
            op == other && options == o && a.hasShape(of: c) && b.hasShape(of: d)
        case (.text(let a, let op, let b, let options), .text(let c, let other, let d, let o)):
            op == other && options == o && a.hasShape(of: c) && b.hasShape(of: d)
                && TextForm(a, op, b, options) == TextForm(c, other, d, o)
        case (.among(let a, let values, let options), .among(let b, let others, let o)):
            options == o && a.hasShape(of: b)
                && AmongForm(values.values) == AmongForm(others.values)
        case (.quantified(let a, let relation, let node), .quantified(let b, let other, let inner)):
            a == b && relation == other && node.hasShape(of: inner)
        case (.kept(let a, _), .kept(let b, _)): a == b
        default: false
        }
    }

    func hashShape(into hasher: inout Hasher) {
        switch self {
        case .constant: hasher.combine(0)
        case .not(let node):
            hasher.combine(1)
            node.hashShape(into: &hasher)
        case .and(let chain), .or(let chain):
            hasher.combine(2)
            chain.forEach { $0.hashShape(into: &hasher) }
        case .isNull(let operand), .among(let operand, _, _): operand.hashShape(into: &hasher)
        case .compare(let a, _, let b, _), .text(let a, _, let b, _):
            a.hashShape(into: &hasher)
            b.hashShape(into: &hasher)
        case .quantified(_, let relation, let node):
            hasher.combine(relation.relationship)
            node.hashShape(into: &hasher)
        case .refers, .format, .invalid: hasher.combine(3)
        case .kept(let path, _):
            hasher.combine(4)
            hasher.combine(path.slot)
        }
    }
}

extension FilterOperand {
    fileprivate func hasShape(of other: FilterOperand) -> Bool {
        switch (self, other) {
        case (.value, .value): true
        case (.path(let a), .path(let b)): a == b
        case (.arithmetic(let op, let a, let b), .arithmetic(let other, let c, let d)):
            op == other && a.hasShape(of: c) && b.hasShape(of: d)
        case (.function(let a, let operand), .function(let b, let other)):
            a == b && operand.hasShape(of: other)
        case (.aggregate(let a), .aggregate(let b)): a.hasShape(of: b)
        default: false
        }
    }

    fileprivate func hashShape(into hasher: inout Hasher) {
        switch self {
        case .value: break
        case .path(let path): hasher.combine(path.slot)
        case .arithmetic(_, let a, let b):
            a.hashShape(into: &hasher)
            b.hashShape(into: &hasher)
        case .function(_, let operand): operand.hashShape(into: &hasher)
        case .aggregate(let aggregate):
            hasher.combine(aggregate.relation.relationship)
            aggregate.operand?.hashShape(into: &hasher)
        }
    }
}

extension FilterAggregate {
    fileprivate func hasShape(of other: FilterAggregate) -> Bool {
        guard kind == other.kind, relation == other.relation else { return false }
        let isOperandAlike =
            switch (operand, other.operand) {
            case (nil, nil): true
            case (let a?, let b?): a.hasShape(of: b)
            default: false
            }
        let isFilterAlike =
            switch (filter, other.filter) {
            case (nil, nil): true
            case (let a?, let b?): a.hasShape(of: b)
            default: false
            }
        return isOperandAlike && isFilterAlike
    }
}
