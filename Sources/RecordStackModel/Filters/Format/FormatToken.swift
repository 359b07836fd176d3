/// A token of a format string. Its range counts Unicode scalars from 0.
struct FormatToken {
    enum Kind: Equatable {
        /// A name of a property; whether it was marked as one with `#`.
        case name(String, isMarked: Bool)
        case keyword(FormatKeyword)
        /// The name of a function, with a colon behind each of its parts.
        case function(String)
        /// `@count` and its like, without the sign.
        case collection(String)
        case number
        case text(String)
        /// `%@`, `%K`, `%d`: what stands behind the sign.
        case argument(String)
        case variable(String)
        case symbol(FormatSymbol)
        case end
    }

    let kind: Kind
    let range: Range<Int>
    /// The value of a number.
    var number: FormatNumber?
}

/// Everything that is neither a word nor a value.
enum FormatSymbol: String, CaseIterable {
    case open = "("
    case close = ")"
    case openList = "{"
    case closeList = "}"
    case openIndex = "["
    case closeIndex = "]"
    case comma = ","
    case dot = "."
    case plus = "+"
    case minus = "-"
    case times = "*"
    case power = "**"
    case divided = "/"
    case equal = "="
    case equalTwice = "=="
    case notEqual = "!="
    case lessOrGreater = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case equalOrLess = "=<"
    case greater = ">"
    case greaterOrEqual = ">="
    case equalOrGreater = "=>"
    case and = "&&"
    case or = "||"
    case not = "!"
    case assign = ":="

    var comparison: Filter.Comparison? {
        switch self {
        case .equal, .equalTwice: .equal
        case .notEqual, .lessOrGreater: .notEqual
        case .less: .less
        case .lessOrEqual, .equalOrLess: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual, .equalOrGreater: .greaterOrEqual
        default: nil
        }
    }
}

/// The words that the language keeps for itself, in any case. A property of such a name is written with
/// a `#` before it.
enum FormatKeyword: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case any = "ANY"
    case some = "SOME"
    case all = "ALL"
    case none = "NONE"
    case isIn = "IN"
    case between = "BETWEEN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case null = "NULL"
    case `nil` = "NIL"
    case `true` = "TRUE"
    case yes = "YES"
    case `false` = "FALSE"
    case no = "NO"
    case itself = "SELF"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case subquery = "SUBQUERY"
    case cast = "CAST"
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
    // Without a meaning here, but not names either.
    case anyKey = "ANYKEY"
    case caseInsensitive = "CASEINSENSITIVE"
    case ci = "CI"
    case fetch = "FETCH"
    case ternary = "TERNARY"
    case function = "FUNCTION"

    private static let words = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Compared in ASCII: no letter of another alphabet makes a key word.
    init?(word: String) {
        guard word.utf8.count <= 16, word.utf8.allSatisfy({ $0 < 0x80 }),
            let keyword = Self.words[word.uppercased()]
        else { return nil }
        self = keyword
    }

    var textMatch: Filter.TextMatch? {
        switch self {
        case .beginsWith: .hasPrefix
        case .endsWith: .hasSuffix
        case .contains: .contains
        case .like: .like
        case .matches: .matches
        default: nil
        }
    }

    var quantifier: FormatQuantifier? {
        switch self {
        case .any, .some: .any
        case .all: .all
        case .none: FormatQuantifier.none
        default: nil
        }
    }
}

/// How many members a condition must be true for.
enum FormatQuantifier {
    case any, all, none
}
