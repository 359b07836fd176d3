/// A part of a format string as it was understood without knowing the entity: a condition or a value.
struct FormatTerm {
    indirect enum Kind {
        case constant(Bool)
        case not(FormatTerm)
        case all([FormatTerm])
        case any([FormatTerm])
        case comparison(FormatTerm, FormatComparison, FormatTerm)
        case quantified(FormatQuantifier, FormatTerm)

        case literal(FormatLiteral)
        case list([FormatTerm])
        case path(FormatBase, [FormatStep])
        case negative(FormatTerm)
        /// A term, and what is done with it one after the other.
        case arithmetic(FormatTerm, [(FilterArithmetic, FormatTerm)])
        case call(String, [FormatTerm])
        case cast(FormatTerm, to: String)
    }

    let kind: Kind
    /// In scalars.
    let range: Range<Int>
}

/// What a path begins with.
enum FormatBase {
    /// The object that the filter is about.
    case root
    case variable(String)
    /// Some members of a relationship; the condition may be missing.
    case subquery(FormatTerm, variable: String, FormatTerm?)
    case term(FormatTerm)
}

/// A step of a path.
struct FormatStep {
    enum Kind {
        case name(String)
        /// `@count` and its like; in brackets, a value of the variable of the members before it.
        case aggregate(FilterAggregate.Kind, of: FormatTerm?)
    }

    let kind: Kind
    let range: Range<Int>
}

/// How two values are compared.
struct FormatComparison {
    enum Operation {
        case order(Filter.Comparison)
        case between
        case isIn
        case text(Filter.TextMatch)
    }

    let operation: Operation
    let options: TextOptions
    /// As it was written, and where.
    let word: String
    let offset: Int
}
