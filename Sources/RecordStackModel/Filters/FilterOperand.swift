/// A value in a filter: given, read from an object, or made of others.
package enum FilterOperand: Sendable, Hashable {
    case value(StoredValue)
    case path(FilterPath)
    indirect case arithmetic(FilterArithmetic, FilterOperand, FilterOperand)
    indirect case function(FilterFunction, FilterOperand)
    indirect case aggregate(FilterAggregate)

    /// How values of it are ordered.
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

/// Arithmetic on numbers and dates. What has no result is null: a null on either side, and a division
/// by zero.
package enum FilterArithmetic: String, Sendable, Hashable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    /// Of two integers, the whole part.
    case divide = "/"
    case modulo = "%"
}

/// What makes one value of another.
package enum FilterFunction: String, Sendable, Hashable, CaseIterable {
    case lowercase, uppercase
    /// The number of characters.
    case length
    case abs, floor, ceiling, trunc
    /// The same number as a real one, so that a division has a fraction.
    case real

    package var isNumeric: Bool {
        switch self {
        case .lowercase, .uppercase, .length, .real: false
        case .abs, .floor, .ceiling, .trunc: true
        }
    }
}

/// One value of all members of a to-many relationship.
package struct FilterAggregate: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case count, sum, average, minimum, maximum
    }

    package let kind: Kind
    package let relation: FilterRelation
    /// Of each member; nil for its count.
    package let operand: FilterOperand?
    /// Which members count; nil for all.
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
