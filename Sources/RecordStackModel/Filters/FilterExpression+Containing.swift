// The spelling that is usual for values: a list or a range that contains an object's value.

extension Sequence where Element: AttributeValue {
    /// Matches values that are elements of the sequence.
    ///
    /// ```swift
    /// Person.where { cities.contains($0.city) }
    /// ```
    public func contains(_ value: FilterExpression<Element>) -> Filter { value.isIn(self) }

    /// Matches non-nil values that are elements of the sequence.
    public func contains(_ value: FilterExpression<Element?>) -> Filter {
        value.isIn(map { Optional($0) })
    }
}

extension ClosedRange where Bound: AttributeValue {
    /// Matches values in the range, including both bounds.
    ///
    /// ```swift
    /// Person.where { (18...65).contains($0.age) }
    /// ```
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value.isBetween(self) }

    /// Matches non-nil values in the range, including both bounds.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value.isBetween(self) }
}

extension Range where Bound: AttributeValue {
    /// Matches values in the range, excluding the upper bound.
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value.isBetween(self) }

    /// Matches non-nil values in the range, excluding the upper bound.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value.isBetween(self) }
}

extension PartialRangeFrom where Bound: AttributeValue {
    /// Matches values greater than or equal to the bound.
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value >= lowerBound }

    /// Matches non-nil values greater than or equal to the bound.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value >= lowerBound }
}

extension PartialRangeThrough where Bound: AttributeValue {
    /// Matches values less than or equal to the bound.
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value <= upperBound }

    /// Matches non-nil values less than or equal to the bound.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value <= upperBound }
}

extension PartialRangeUpTo where Bound: AttributeValue {
    /// Matches values less than the bound.
    public func contains(_ value: FilterExpression<Bound>) -> Filter { value < upperBound }

    /// Matches non-nil values less than the bound.
    public func contains(_ value: FilterExpression<Bound?>) -> Filter { value < upperBound }
}

extension FilterExpression where Value: TextValue {
    /// A filter for strings that are empty and not nil.
    public var isEmpty: Filter { comparison(.equal, .text("")) }

    /// Matches non-nil strings that begin with a prefix.
    ///
    /// The filter is the same as ``hasPrefix(_:_:)-(String,_)`` without options.
    public func starts(with prefix: String) -> Filter { hasPrefix(prefix) }
}

extension ToManyReference {
    /// Matches objects with at least one member that satisfies the condition.
    ///
    /// The filter is the same as ``any(_:)``.
    ///
    /// ```swift
    /// Team.where { $0.members.contains { $0.age > 60 } }
    /// ```
    public func contains(
        @FilterBuilder where condition: (FilterProxy<Element>) -> Filter
    ) -> Filter { any(condition) }

    /// Matches objects for which all members satisfy the condition.
    ///
    /// The filter is the same as ``all(_:)``.
    public func allSatisfy(
        @FilterBuilder _ condition: (FilterProxy<Element>) -> Filter
    ) -> Filter { all(condition) }
}
