/// A condition on objects of an entity, the same in SQL and in memory.
///
/// Filters are written as a closure over a proxy of the entity:
///
/// ```swift
/// let adults = Person.where { $0.age >= 18 && $0.team.title == "A" && !$0.name.hasPrefix("X") }
/// ```
///
/// A filter is true or false, never unknown: null equals only null, and every other comparison
/// with null is false, so that `!` turns it into true. Text is compared by its UTF-8 bytes, unless
/// ``TextOptions`` say otherwise. Behind a to-one relationship that is nil, every
/// value is null.
public struct Filter: Sendable, Hashable {
    package let node: Node
    /// What it is about, where its paths do not know.
    let entity: EntityDescription?

    package init(_ node: Node, of entity: EntityDescription? = nil) {
        self.node = node.limited
        self.entity = entity
    }

    /// Whether both ask the same, in the same order.
    public static func == (lhs: Filter, rhs: Filter) -> Bool { lhs.node == rhs.node }

    /// Hashes what is asked.
    public func hash(into hasher: inout Hasher) { hasher.combine(node) }

    /// True for every object.
    public static let all = Filter(.constant(true))
    /// True for no object.
    public static let none = Filter(.constant(false))

    package indirect enum Node: Sendable, Hashable {
        case constant(Bool)
        case not(Node)
        /// Made by ``and(_:_:)`` and ``allOf(_:)``.
        case and(FilterChain)
        /// Made by ``or(_:_:)`` and ``anyOf(_:)``.
        case or(FilterChain)
        case isNull(FilterOperand)
        /// Two values; made by ``comparing(_:_:_:_:)``, where one of them may be null for certain.
        case compare(FilterOperand, Comparison, FilterOperand, TextOptions)
        case text(FilterOperand, TextMatch, FilterOperand, TextOptions)
        /// The value is one of those given; null is never among them.
        case among(FilterOperand, ValueList, TextOptions)
        /// The members of a to-many relationship for which a condition is true.
        case quantified(Quantifier, FilterRelation, Node)
        /// The to-one relationship refers to one of some objects, whose store is not known to be the asked
        /// one.
        case refers(FilterPath, to: [ManagedObjectID])
        /// The key at a path's end is not in a set. Only a context with unsaved changes adds this to a request.
        case kept(FilterPath, KeySet)
        /// A format string, which is read when an entity is asked; a store is never asked with one.
        case format(FilterFormat)
        /// What was written cannot be a filter; the message says why when it is used.
        case invalid(String)
    }

    package enum Quantifier: Sendable, Hashable {
        /// True for at least one member.
        case any
        /// True for no member.
        case none
    }

    /// Named by its sign in a format string.
    package enum Comparison: String, Sendable, Hashable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// The comparison that is true for non-null values just where this one is false.
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

        /// The comparison of the two values in the other order.
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

    /// Named by its word in a format string.
    package enum TextMatch: String, Sendable, Hashable {
        case hasPrefix = "BEGINSWITH"
        case hasSuffix = "ENDSWITH"
        case contains = "CONTAINS"
        /// `*` stands for any characters, `?` for one, and a backslash takes the next as it is.
        case like = "LIKE"
        /// A regular expression that matches all of the text.
        case matches = "MATCHES"
    }
}

extension Filter.Node {
    /// A property beside a value, which is the most usual comparison.
    package static func compare(
        _ path: FilterPath, _ comparison: Filter.Comparison, _ value: StoredValue
    ) -> Self {
        .compare(.path(path), comparison, .value(value), [])
    }

    package static func among(_ path: FilterPath, _ values: [StoredValue]) -> Self {
        .among(.path(path), values)
    }

    /// One of some values, none of which is null.
    package static func among(
        _ operand: FilterOperand, _ values: [StoredValue], _ options: TextOptions = []
    ) -> Self {
        .among(operand, ValueList(values), options)
    }

    /// Two values, of which one may be null for certain.
    package static func comparing(
        _ a: FilterOperand, _ comparison: Filter.Comparison, _ b: FilterOperand,
        _ options: TextOptions = []
    ) -> Self {
        if case .value(.null) = b { return isNull(a, comparison) }
        if case .value(.null) = a { return isNull(b, comparison.mirrored) }
        // An index is looked for on the left.
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

/// How texts are compared where their bytes do not decide.
///
/// ```swift
/// Person.where { $0.name.contains("jose", [.caseInsensitive, .diacriticInsensitive]) }
/// ```
///
/// Text is compared after folding: lower case as `String.lowercased()` makes it, in any language the
/// same; without the marks that Unicode's canonical decomposition splits off, so that é is e but ø stays
/// ø. An index serves a comparison without options, and `.caseInsensitive` alone where it was declared with
/// that collation.
public struct TextOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// Options of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Upper and lower case are alike.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// Letters with and without marks are alike.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
}
