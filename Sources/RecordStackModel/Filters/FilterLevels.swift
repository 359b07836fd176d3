/// How deep a filter is: each condition, calculation and function that stands inside of another one is a
/// level. Terms in a row of one operator stand beside each other.
///
/// Everything that looks at a filter goes into it step by step, on the stack of its thread, and SQLite's
/// parser has an end as well. Whatever is deeper is not kept: it becomes an invalid filter.
package enum FilterLevels {
    /// Half a megabyte of stack, which threads of queues have, is enough for so many.
    package static let most = 100
    /// The parts that a value may have: one that is calculated from itself over and over has endless ones.
    package static let mostParts = 10_000

    package static let message =
        "The filter is too deep: \(most) conditions, calculations and functions may stand inside of one "
        + "another, and a value may have \(mostParts) parts. Terms in a row of && or of || count "
        + "once; write a long sum as several, or ask in two requests."
}

extension Filter.Node {
    package var levels: Int {
        var parts = FilterLevels.mostParts
        return levels(&parts)
    }

    /// The node, or what says that it is too deep.
    package var limited: Filter.Node {
        levels > FilterLevels.most ? .invalid(FilterLevels.message) : self
    }

    fileprivate func levels(_ parts: inout Int) -> Int {
        switch self {
        case .constant, .refers, .kept, .format, .invalid: 1
        case .not(let node), .quantified(_, _, let node): 1 + node.levels(&parts)
        case .and(let chain), .or(let chain): chain.levels
        case .isNull(let operand), .among(let operand, _, _): 1 + operand.levels(&parts)
        case .compare(let a, _, let b, _), .text(let a, _, let b, _):
            1 + max(a.levels(&parts), b.levels(&parts))
        }
    }
}

extension FilterOperand {
    package var levels: Int {
        var parts = FilterLevels.mostParts
        return levels(&parts)
    }

    fileprivate func levels(_ parts: inout Int) -> Int {
        parts -= 1
        if parts < 0 { return FilterLevels.most }
        switch self {
        case .value, .path: return 0
        case .arithmetic(_, let a, let b):
            return 1 + max(a.levels(&parts), b.levels(&parts))
        case .function(_, let operand): return 1 + operand.levels(&parts)
        case .aggregate(let aggregate):
            let inner = aggregate.operand?.levels(&parts) ?? 0
            return 1 + max(inner, aggregate.filter?.levels(&parts) ?? 0)
        }
    }
}
