public import FoundationEssentials

/// An order of texts that a program provides, usually the order of a language.
///
/// ```swift
/// import Foundation
///
/// let german = Locale(identifier: "de_DE")
/// let order = TextOrder("de") { $0.compare($1, options: .numeric, locale: german) }
/// let names = try Person.find(sortedBy: .ascending(\.name, order: order), in: context)
/// ```
///
/// RecordStack contains no order of any language. Foundation's orders need the tables of all
/// languages, which double the time to start a program, so only programs that import Foundation pay
/// for them. SQLite calls the closure for each pair of texts that it compares. A comparison by
/// Foundation takes about a microsecond, and no index is sorted by the order. The order can change
/// with the version of Foundation, and is never written to a file.
public struct TextOrder: Sendable {
    /// The contents of an order, behind one reference.
    ///
    /// Every path of a filter has room for an order, and almost no path has one.
    private final class Definition: Sendable {
        let name: String
        let comparison: @Sendable (String, String) -> ComparisonResult

        init(
            _ name: String, _ comparison: @escaping @Sendable (String, String) -> ComparisonResult
        ) {
            self.name = name
            self.comparison = comparison
        }
    }

    private let definition: Definition

    /// The name by which the store identifies the order.
    ///
    /// Two orders with the same name must be the same.
    public var name: String { definition.name }

    /// Creates an order from a comparison.
    ///
    /// - Parameters:
    ///   - name: a name for the order, such as `"de"`.
    ///   - comparison: returns the order of two texts. It must order all texts consistently: if one
    ///     text comes before a second, and the second before a third, the first comes before the
    ///     third. It is called on any thread.
    public init(
        _ name: String, comparison: @escaping @Sendable (String, String) -> ComparisonResult
    ) {
        definition = Definition(name, comparison)
    }

    package func compare(_ lhs: String, _ rhs: String) -> Order {
        switch definition.comparison(lhs, rhs) {
        case .orderedAscending: .before
        case .orderedSame: .same
        case .orderedDescending: .after
        }
    }
}

extension TextOrder: Hashable {
    /// Returns true if the names are the same except for case, which SQLite ignores in them.
    public static func == (lhs: TextOrder, rhs: TextOrder) -> Bool { lhs.key == rhs.key }

    /// Hashes the name in lower case.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: String { name.lowercased() }
}

extension TextOrder: CustomStringConvertible {
    /// The order as text: `order “de”`.
    public var description: String { "order “\(name)”" }
}
