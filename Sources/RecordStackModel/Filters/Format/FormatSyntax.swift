/// A condition or a value in a format string, parsed without knowledge of the entity.
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
        /// A term, and the operations that are applied to it in order.
        case arithmetic(FormatTerm, [(FilterArithmetic, FormatTerm)])
        case call(String, [FormatTerm])
        case cast(FormatTerm, to: String)
    }

    let kind: Kind
    /// The range in the source, in Unicode scalars.
    let range: Range<Int>
}

/// The beginning of a path.
enum FormatBase {
    /// The object that the filter is about.
    case root
    case variable(String)
    /// A SUBQUERY of a relationship's members, whose condition may be missing.
    case subquery(FormatTerm, variable: String, FormatTerm?)
    case term(FormatTerm)
}

/// A step of a path.
struct FormatStep {
    enum Kind {
        case name(String)
        /// An aggregate such as `@count`, with the value in its parentheses if it has parentheses.
        case aggregate(FilterAggregate.Kind, of: FormatTerm?)
    }

    let kind: Kind
    let range: Range<Int>
}

/// The comparison operator between two values.
struct FormatComparison {
    enum Operation {
        case order(Filter.Comparison)
        case between
        case isIn
        case text(Filter.TextMatch)
    }

    let operation: Operation
    let options: TextOptions
    /// The operator as it was written, at `offset` in the source.
    let word: String
    let offset: Int
}
