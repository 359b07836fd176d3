/// A token of a format string, whose range counts Unicode scalars from 0.
struct FormatToken {
    enum Kind: Equatable {
        /// The name of a property, which is marked if it was written with a `#`.
        case name(String, isMarked: Bool)
        case keyword(FormatKeyword)
        /// The name of a function, with a colon after each of its parts.
        case function(String)
        /// The name of an aggregate such as `@count`, without the `@`.
        case collection(String)
        case number
        case text(String)
        /// A placeholder such as `%@`, `%K` or `%d`, without the percent sign.
        case argument(String)
        case variable(String)
        case symbol(FormatSymbol)
        case end
    }

    let kind: Kind
    let range: Range<Int>
    /// The value of a number token.
    var number: FormatNumber?
}

/// A token that is neither a word nor a value.
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

/// A reserved word of the language, in any case.
///
/// A property with such a name is written with a `#` before it.
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
    // Reserved words that have no meaning here.
    case anyKey = "ANYKEY"
    case caseInsensitive = "CASEINSENSITIVE"
    case ci = "CI"
    case fetch = "FETCH"
    case ternary = "TERNARY"
    case function = "FUNCTION"

    private static let words = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Creates the keyword that a word is; nil if the word is not reserved.
    ///
    /// Only ASCII letters count: no letter of another alphabet forms a keyword.
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

/// The number of members for which a condition must be true.
enum FormatQuantifier {
    case any, all, none
}
