/// A value in a filter: a constant, a property of an object, or the result of a calculation.
package enum FilterOperand: Sendable, Hashable {
    case value(StoredValue)
    case path(FilterPath)
    indirect case arithmetic(FilterArithmetic, FilterOperand, FilterOperand)
    indirect case function(FilterFunction, FilterOperand)
    indirect case aggregate(FilterAggregate)

    /// The collation that orders the operand's values.
    package var collation: Collation {
        switch self {
        case .value: .binary
        case .path(let path): path.collation
        case .arithmetic(_, let a, let b): a.collation == .decimal ? .decimal : b.collation
        case .function(let function, let operand):
            function.isNumeric ? operand.collation : .binary
        case .aggregate(let aggregate):
            switch aggregate.kind {
            case .count, .average: .binary
            case .sum, .minimum, .maximum: aggregate.operand?.collation ?? .binary
            }
        }
    }
}

/// An arithmetic operation on numbers or dates.
///
/// The result is null if either side is null, and for a division by zero.
package enum FilterArithmetic: String, Sendable, Hashable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    /// The quotient; for two integers, its integer part.
    case divide = "/"
    case modulo = "%"
}

/// A function that computes one value from another value.
package enum FilterFunction: String, Sendable, Hashable, CaseIterable {
    case lowercase, uppercase
    /// The number of characters in a text, or of bytes in data.
    case length
    case abs, floor, ceiling, trunc
    /// The same number as a real number, so that a division keeps its fraction.
    case real

    package var isNumeric: Bool {
        switch self {
        case .lowercase, .uppercase, .length, .real: false
        case .abs, .floor, .ceiling, .trunc: true
        }
    }
}

/// A value that is computed from all members of a to-many relationship.
package struct FilterAggregate: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case count, sum, average, minimum, maximum
    }

    package let kind: Kind
    package let relation: FilterRelation
    /// The value of each member; nil to count the members.
    package let operand: FilterOperand?
    /// The condition for the members that count; nil if all of them count.
    package let filter: Filter.Node?

    package init(
        _ kind: Kind, _ relation: FilterRelation, of operand: FilterOperand? = nil,
        where filter: Filter.Node? = nil
    ) {
        self.kind = kind
        self.relation = relation
        self.operand = operand
        self.filter = filter
    }
}
