extension FilterOperand {
    /// Whether the operand has at most `budget` parts, which are subtracted from the budget.
    func fits(_ budget: inout Int) -> Bool {
        budget -= 1
        guard budget >= 0 else { return false }
        switch self {
        case .value, .path: return true
        case .arithmetic(_, let a, let b): return a.fits(&budget) && b.fits(&budget)
        case .function(_, let operand): return operand.fits(&budget)
        case .aggregate(let aggregate):
            return aggregate.operand?.fits(&budget) != false
                && aggregate.filter?.fits(&budget) != false
        }
    }
}

extension Filter.Node {
    func fits(_ budget: inout Int) -> Bool {
        budget -= 1
        guard budget >= 0 else { return false }
        switch self {
        case .constant, .refers, .kept, .format, .invalid: return true
        case .not(let node), .quantified(_, _, let node): return node.fits(&budget)
        case .and(let chain), .or(let chain): return chain.allSatisfy { $0.fits(&budget) }
        case .isNull(let operand): return operand.fits(&budget)
        case .among(let operand, let list, _):
            budget -= list.values.count
            return operand.fits(&budget)
        case .compare(let a, _, let b, _), .text(let a, _, let b, _):
            return a.fits(&budget) && b.fits(&budget)
        }
    }
}
