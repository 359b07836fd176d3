public import FoundationEssentials

/// An order of strings that the program provides, usually the order of a language.
///
/// ```swift
/// import Foundation
///
/// let german = Locale(identifier: "de_DE")
/// let order = TextOrder("de") { $0.compare($1, options: .numeric, locale: german) }
/// let names = try Person.find(sortedBy: .ascending(\.name, order: order), in: context)
/// ```
///
/// RecordStack itself has no order for any language. Foundation's orders load tables for all
/// languages, which doubles the start time of a program. Only programs that import Foundation pay
/// this cost.
///
/// SQLite calls the closure for each pair of strings that it compares. A comparison by Foundation
/// takes about a microsecond. No index is sorted by a text order. The order can change with the
/// version of Foundation, so it is never written to a file.
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
    /// Two orders with the same name must sort in the same way.
    public var name: String { definition.name }

    /// Creates an order from a comparison.
    ///
    /// - Parameters:
    ///   - name: a name for the order, such as `"de"`.
    ///   - comparison: returns the order of two strings, and runs on any thread. The order must be
    ///     consistent: if a first string comes before a second, and the second before a third, the
    ///     first must come before the third.
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
    /// Returns true if the names are equal when case is ignored, as SQLite does.
    public static func == (lhs: TextOrder, rhs: TextOrder) -> Bool { lhs.key == rhs.key }

    /// Hashes the name in lower case.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }

    private var key: String { name.lowercased() }
}

extension TextOrder: CustomStringConvertible {
    /// The order as text, such as `order “de”`.
    public var description: String { "order “\(name)”" }
}
