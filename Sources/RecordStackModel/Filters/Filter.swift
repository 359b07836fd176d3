/// A condition on the objects of an entity.
///
/// A filter has the same meaning in SQL and in memory. Write it as a closure over a proxy of the
/// entity:
///
/// ```swift
/// let adults = Person.where { $0.age >= 18 && $0.team.title == "A" && !$0.name.hasPrefix("X") }
/// ```
///
/// A filter is true or false, never unknown. Null equals only null. The operators `<`, `<=`, `>`
/// and `>=` are false if a side is null, so `!` makes the result true. If a to-one relationship is
/// nil, every value read through it is null. Strings are compared by their UTF-8 bytes, unless you
/// pass ``TextOptions``.
public struct Filter: Sendable, Hashable {
    package let node: Node
    /// The entity that the filter is about, if its paths do not contain it.
    let entity: EntityDescription?

    package init(_ node: Node, of entity: EntityDescription? = nil) {
        self.node = node.limited
        self.entity = entity
    }

    /// Whether both filters have the same conditions in the same order.
    public static func == (lhs: Filter, rhs: Filter) -> Bool { lhs.node == rhs.node }

    /// Hashes the conditions.
    public func hash(into hasher: inout Hasher) { hasher.combine(node) }

    /// A filter that is true for every object.
    public static let all = Filter(.constant(true))
    /// A filter that is true for no object.
    public static let none = Filter(.constant(false))

    package indirect enum Node: Sendable, Hashable {
        case constant(Bool)
        case not(Node)
        /// Conditions that must all be true, created by ``and(_:_:)`` and ``allOf(_:)``.
        case and(FilterChain)
        /// Conditions of which one must be true, created by ``or(_:_:)`` and ``anyOf(_:)``.
        case or(FilterChain)
        case isNull(FilterOperand)
        /// A comparison of two values.
        ///
        /// Use ``comparing(_:_:_:_:)`` to create it if one of them may be the constant null.
        case compare(FilterOperand, Comparison, FilterOperand, TextOptions)
        case text(FilterOperand, TextMatch, FilterOperand, TextOptions)
        /// A test whether a value is in a list, which never contains null.
        case among(FilterOperand, ValueList, TextOptions)
        /// A test whether a to-many relationship has members that satisfy a condition.
        case quantified(Quantifier, FilterRelation, Node)
        /// A test whether a to-one relationship refers to one of the objects.
        ///
        /// The store of the objects has not been checked yet.
        case refers(FilterPath, to: [ManagedObjectID])
        /// A test whether the key at the end of a path is outside of a set.
        ///
        /// Only a context with unsaved changes adds this case to a request.
        case kept(FilterPath, KeySet)
        /// A format string, which is parsed once the requested entity is known.
        ///
        /// A format string never reaches a store.
        case format(FilterFormat)
        /// An invalid filter, with the message that it throws when it is used.
        case invalid(String)
    }

    package enum Quantifier: Sendable, Hashable {
        /// True for at least one member.
        case any
        /// True for no member.
        case none
    }

    /// A comparison operator, whose raw value is its symbol in format strings.
    package enum Comparison: String, Sendable, Hashable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// The comparison that is true for non-null values exactly when this one is false.
        package var opposite: Comparison {
            switch self {
            case .equal: .notEqual
            case .notEqual: .equal
            case .less: .greaterOrEqual
            case .lessOrEqual: .greater
            case .greater: .lessOrEqual
            case .greaterOrEqual: .less
            }
        }

        /// The same comparison for swapped operands.
        package var mirrored: Comparison {
            switch self {
            case .equal, .notEqual: self
            case .less: .greater
            case .lessOrEqual: .greaterOrEqual
            case .greater: .less
            case .greaterOrEqual: .lessOrEqual
            }
        }

        package func holds(_ order: Order) -> Bool {
            switch self {
            case .equal: order == .same
            case .notEqual: order != .same
            case .less: order == .before
            case .lessOrEqual: order != .after
            case .greater: order == .after
            case .greaterOrEqual: order != .before
            }
        }
    }

    /// A comparison of strings, whose raw value is its operator in format strings.
    package enum TextMatch: String, Sendable, Hashable {
        case hasPrefix = "BEGINSWITH"
        case hasSuffix = "ENDSWITH"
        case contains = "CONTAINS"
        /// `*` matches any characters, `?` matches one, and a backslash escapes the next character.
        case like = "LIKE"
        /// A regular expression that must match the whole text.
        case matches = "MATCHES"
    }
}

extension Filter.Node {
    /// Returns the comparison of a property with a value, which is the most common filter.
    package static func compare(
        _ path: FilterPath, _ comparison: Filter.Comparison, _ value: StoredValue
    ) -> Self {
        .compare(.path(path), comparison, .value(value), [])
    }

    package static func among(_ path: FilterPath, _ values: [StoredValue]) -> Self {
        .among(.path(path), values)
    }

    /// Returns a test whether a value is in a list without nulls.
    package static func among(
        _ operand: FilterOperand, _ values: [StoredValue], _ options: TextOptions = []
    ) -> Self {
        .among(operand, ValueList(values), options)
    }

    /// Returns the comparison of two values, one of which may be the constant null.
    package static func comparing(
        _ a: FilterOperand, _ comparison: Filter.Comparison, _ b: FilterOperand,
        _ options: TextOptions = []
    ) -> Self {
        if case .value(.null) = b { return isNull(a, comparison) }
        if case .value(.null) = a { return isNull(b, comparison.mirrored) }
        // Index lookups expect the property on the left side.
        if case .value = a { return .compare(b, comparison.mirrored, a, options) }
        return .compare(a, comparison, b, options)
    }

    private static func isNull(_ operand: FilterOperand, _ comparison: Filter.Comparison) -> Self {
        switch comparison {
        case .equal: .isNull(operand)
        case .notEqual: .not(.isNull(operand))
        default: .constant(false)
        }
    }
}

/// Options that make comparisons of strings ignore case or diacritics.
///
/// ```swift
/// Person.where { $0.name.contains("jose", [.caseInsensitive, .diacriticInsensitive]) }
/// ```
///
/// The options apply to both strings. ``caseInsensitive`` converts the strings to lower case as
/// `String.lowercased()` does, with the same result in every language. ``diacriticInsensitive``
/// removes the marks that Unicode's canonical decomposition separates, so é becomes e, but ø stays
/// ø.
///
/// An index declared with `.indexed` serves a comparison without options. An index declared with
/// the collation `.caseInsensitive` serves a comparison whose only option is ``caseInsensitive``.
public struct TextOptions: OptionSet, Sendable, Hashable {
    /// The bit mask, with one bit for each option.
    public let rawValue: Int

    /// Creates a set of options from a bit mask.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Treats upper and lower case as equal.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// Treats letters with and without diacritics as equal.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
}
