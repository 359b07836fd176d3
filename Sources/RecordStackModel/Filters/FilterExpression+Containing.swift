// What is written as one writes it of values: a list, or a range, that contains what an object has.

extension Sequence where Element: AttributeValue {
    /// Objects of which a value is one of these.
    ///
    /// ```swift
    /// Person.where { cities.contains($0.city) }
    /// ```
    public func contains(_ value: FilterExpression<Element>) -> Filter { value.isIn(self) }

    /// Objects of which a value is one of these; nil is none of them.
    public func contains(_ value: FilterExpression<Element?>) -> Filter {
        value.isIn(map { Optional($0) })
    }
}

extension ClosedRange where Bound: AttributeValue {
    /// Objects of which a value is in the range, both bounds included.
    ///
    /// ```swift
    /// Person.where { (18...65).contains($0.age) }
    /// ```
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value.isBetween(self) }

    /// Objects of which a value is in the range, both bounds included; nil is not.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value.isBetween(self) }
}

extension Range where Bound: AttributeValue {
    /// Objects of which a value is in the range, without the upper bound.
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value.isBetween(self) }

    /// Objects of which a value is in the range, without the upper bound; nil is not.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value.isBetween(self) }
}

extension PartialRangeFrom where Bound: AttributeValue {
    /// Objects of which a value is not below the bound.
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value >= lowerBound }

    /// Objects of which a value is not below the bound; nil is none of them.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value >= lowerBound }
}

extension PartialRangeThrough where Bound: AttributeValue {
    /// Objects of which a value is not above the bound.
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value <= upperBound }

    /// Objects of which a value is not above the bound; nil is none of them.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value <= upperBound }
}

extension PartialRangeUpTo where Bound: AttributeValue {
    /// Objects of which a value is below the bound.
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value < upperBound }

    /// Objects of which a value is below the bound; nil is none of them.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value < upperBound }
}

extension FilterExpression where Value: TextValue {
    /// Values that are the empty text; nil is not.
    public var isEmpty: Filter { comparison(.equal, .text("")) }

    /// Values that begin with a text; nil does not. As ``hasPrefix(_:_:)-(String,_)`` without options.
    public func starts(with prefix: String) -> Filter { hasPrefix(prefix) }
}

extension ToManyReference {
    /// Whether the condition is true for at least one member, as ``any(_:)`` says.
    ///
    /// ```swift
    /// Team.where { $0.members.contains { $0.age > 60 } }
    /// ```
    public func contains(
        @FilterBuilder where condition: (FilterProxy<Element>) -> Filter
    ) -> Filter { any(condition) }

    /// Whether the condition is true for every member, as ``all(_:)`` says.
    public func allSatisfy(
        @FilterBuilder _ condition: (FilterProxy<Element>) -> Filter
    ) -> Filter { all(condition) }
}
