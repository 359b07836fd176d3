/// The conditions that one operator joins, in order.
///
/// A chain has at least two terms. No term is a chain of the same operator.
///
/// The terms are in a balanced tree. Adding a term is cheap, however long the chain is, and neither
/// reading nor freeing a chain recurses deeply.
package struct FilterChain: Sendable {
    fileprivate enum Tree: Sendable {
        case term(Filter.Node)
        indirect case fork(Tree, Tree, height: Int)
    }

    private let tree: Tree
    package let count: Int
    /// The number of levels of the deepest term, plus one for the chain.
    package let levels: Int

    fileprivate init(_ term: Filter.Node) {
        tree = .term(term)
        count = 1
        levels = term.levels + 1
    }

    fileprivate init(_ a: FilterChain, _ b: FilterChain) {
        tree = .joined(a.tree, b.tree)
        count = a.count + b.count
        levels = max(a.levels, b.levels)
    }

    /// Returns the chain with each term replaced.
    ///
    /// A replacement must not be a chain of the same operator.
    package func map(
        _ transform: (Filter.Node) throws -> Filter.Node
    ) rethrows -> FilterChain {
        var deepest = 0
        let mapped = try tree.map {
            let term = try transform($0)
            deepest = max(deepest, term.levels)
            return term
        }
        return FilterChain(tree: mapped, count: count, levels: deepest + 1)
    }

    private init(tree: Tree, count: Int, levels: Int) {
        self.tree = tree
        self.count = count
        self.levels = levels
    }

    package func forEach(_ body: (Filter.Node) throws -> Void) rethrows {
        _ = try tree.allSatisfy {
            try body($0)
            return true
        }
    }

    package func allSatisfy(_ holds: (Filter.Node) throws -> Bool) rethrows -> Bool {
        try tree.allSatisfy(holds)
    }

    package func contains(where holds: (Filter.Node) throws -> Bool) rethrows -> Bool {
        try !tree.allSatisfy { try !holds($0) }
    }

    /// Returns true if both chains have the same number of terms, and the terms match pairwise.
    ///
    /// Chains that were built in the same way, such as those of one closure,
    /// are compared without an array of their terms.
    package func matches(
        _ other: FilterChain, by fits: (Filter.Node, Filter.Node) -> Bool
    ) -> Bool {
        guard count == other.count, levels == other.levels else { return false }
        return tree.matches(other.tree, by: fits) ?? zip(terms, other.terms).allSatisfy(fits)
    }

    package var terms: [Filter.Node] {
        var terms: [Filter.Node] = []
        terms.reserveCapacity(count)
        forEach { terms.append($0) }
        return terms
    }
}

extension FilterChain: Hashable {
    /// Whether both chains have the same terms in the same order, however they were built.
    package static func == (lhs: FilterChain, rhs: FilterChain) -> Bool {
        lhs.matches(rhs, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        forEach { hasher.combine($0) }
    }
}

extension FilterChain: CustomStringConvertible {
    package var description: String { "\(terms)" }
}

// An AVL tree: the heights of both sides differ by at most one.
extension FilterChain.Tree {
    private var height: Int {
        switch self {
        case .term: 0
        case .fork(_, _, let height): height
        }
    }

    private static func fork(_ a: Self, _ b: Self) -> Self {
        .fork(a, b, height: Swift.max(a.height, b.height) + 1)
    }

    fileprivate static func joined(_ a: Self, _ b: Self) -> Self {
        if a.height > b.height + 1, case .fork(let left, let right, _) = a {
            return balanced(left, joined(right, b))
        }
        if b.height > a.height + 1, case .fork(let left, let right, _) = b {
            return balanced(joined(a, left), right)
        }
        return fork(a, b)
    }

    /// Joins two trees whose heights differ by at most two.
    private static func balanced(_ a: Self, _ b: Self) -> Self {
        if a.height > b.height + 1, case .fork(let left, let right, _) = a {
            if left.height >= right.height { return fork(left, fork(right, b)) }
            guard case .fork(let inner, let outer, _) = right else { return fork(a, b) }
            return fork(fork(left, inner), fork(outer, b))
        }
        if b.height > a.height + 1, case .fork(let left, let right, _) = b {
            if right.height >= left.height { return fork(fork(a, left), right) }
            guard case .fork(let outer, let inner, _) = left else { return fork(a, b) }
            return fork(fork(a, outer), fork(inner, right))
        }
        return fork(a, b)
    }

    func map(_ transform: (Filter.Node) throws -> Filter.Node) rethrows -> Self {
        switch self {
        case .term(let node): .term(try transform(node))
        case .fork(let a, let b, let height):
            .fork(try a.map(transform), try b.map(transform), height: height)
        }
    }

    /// Returns whether the terms match pairwise; nil if the trees have different shapes.
    func matches(_ other: Self, by fits: (Filter.Node, Filter.Node) -> Bool) -> Bool? {
        switch (self, other) {
        case (.term(let a), .term(let b)): return fits(a, b)
        case (.fork(let a, let b, _), .fork(let c, let d, _)):
            guard let left = a.matches(c, by: fits) else { return nil }
            return left ? b.matches(d, by: fits) : false
        default: return nil
        }
    }

    func allSatisfy(_ holds: (Filter.Node) throws -> Bool) rethrows -> Bool {
        switch self {
        case .term(let node): try holds(node)
        case .fork(let a, let b, _): try a.allSatisfy(holds) && b.allSatisfy(holds)
        }
    }
}

extension Filter.Node {
    /// Joins two conditions that must both be true, extending the chain on either side.
    package static func and(_ a: Self, _ b: Self) -> Self {
        .and(FilterChain(a.conditions, b.conditions))
    }

    /// Joins two conditions of which at least one must be true.
    package static func or(_ a: Self, _ b: Self) -> Self {
        .or(FilterChain(a.alternatives, b.alternatives))
    }

    private var conditions: FilterChain {
        if case .and(let chain) = self { chain } else { FilterChain(self) }
    }

    private var alternatives: FilterChain {
        if case .or(let chain) = self { chain } else { FilterChain(self) }
    }

    /// Joins conditions that must all be true.
    package static func allOf(_ nodes: [Self]) -> Self {
        nodes.dropFirst().reduce(nodes.first ?? .constant(true)) { .and($0, $1) }
    }

    /// Joins conditions of which at least one must be true.
    package static func anyOf(_ nodes: [Self]) -> Self {
        nodes.dropFirst().reduce(nodes.first ?? .constant(false)) { .or($0, $1) }
    }

    /// The opposite condition, in which a double negation cancels out.
    package var inverted: Self {
        if case .not(let node) = self { node } else { .not(self) }
    }
}
