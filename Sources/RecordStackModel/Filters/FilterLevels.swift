/// The limits for the depth of a filter.
///
/// Each condition, calculation and function inside another one adds a
/// level. All terms of a chain are on the same level.
///
/// Code that reads a filter recurses into it on the thread's stack, and SQLite's parser has a limit
/// too. A filter that is too deep is replaced by an invalid filter.
package enum FilterLevels {
    /// The maximum number of levels.
    ///
    /// Half a megabyte of stack, which the threads of queues have, is enough for it.
    package static let most = 100
    /// The maximum number of parts in a value.
    ///
    /// Repeatedly calculating a value from itself would create an endless number of parts.
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

    /// The node, or an invalid filter if the node is too deep.
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
