public import FoundationEssentials

/// An order of texts that a program brings along: that of a language, above all.
///
/// ```swift
/// import Foundation
///
/// let german = Locale(identifier: "de_DE")
/// let order = TextOrder("de") { $0.compare($1, options: .numeric, locale: german) }
/// let names = try Person.find(sortedBy: .ascending(\.name, order: order), in: context)
/// ```
///
/// The library itself has no order of a language: Foundation's, with the tables of all languages, doubles
/// the time to start a program, so it is left to those that import it. SQLite asks the closure for each
/// pair that it compares, which costs about a microsecond for a comparison of Foundation's, and no index has the
/// order. It can change with the version of Foundation and is never written to a file.
public struct TextOrder: Sendable {
    /// Behind one reference: every path of a filter has room for an order, and nearly none has one.
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

    /// By what the store knows the order. Two orders with the same name must be the same one.
    public var name: String { definition.name }

    /// An order by a comparison.
    /// - Parameters:
    ///   - name: a name for it, as `"de"`.
    ///   - comparison: how two texts stand. It must be one order for all texts: where a text comes before a
    ///     second one and that before a third, the first comes before the third. It is called on any thread.
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
    /// Whether the names are the same, but for upper and lower case, of which SQLite makes no difference.
    public static func == (lhs: TextOrder, rhs: TextOrder) -> Bool { lhs.key == rhs.key }

    /// By the name, in lower case.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: String { name.lowercased() }
}

extension TextOrder: CustomStringConvertible {
    /// The order by its name.
    public var description: String { "order “\(name)”" }
}
