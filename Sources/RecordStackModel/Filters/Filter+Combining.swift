/// A type that can be used as a condition: a ``Filter``, or an attribute of type `Bool`.
public protocol FilterConvertible {
    /// The condition.
    var filter: Filter { get }
}

extension Filter: FilterConvertible {
    /// The filter itself.
    public var filter: Filter { self }
}

extension FilterExpression: FilterConvertible where Value == Bool {
    /// A filter for the objects for which the attribute is true.
    public var filter: Filter { self == true }
}

/// Returns a filter for the objects that match both conditions.
public func && (lhs: some FilterConvertible, rhs: some FilterConvertible) -> Filter {
    let (left, right) = (lhs.filter, rhs.filter)
    return left.joined(.and(left.node, right.node), with: right)
}

/// Returns a filter for the objects that match at least one of the conditions.
public func || (lhs: some FilterConvertible, rhs: some FilterConvertible) -> Filter {
    let (left, right) = (lhs.filter, rhs.filter)
    return left.joined(.or(left.node, right.node), with: right)
}

/// Returns a filter for the objects that do not match the condition.
public prefix func ! (filter: some FilterConvertible) -> Filter {
    let filter = filter.filter
    return Filter(filter.node.inverted, of: filter.entity)
}

extension Filter {
    /// Returns a filter made of this filter and another one, about their common entity.
    fileprivate func joined(_ node: Node, with other: Filter) -> Filter {
        guard let entity, let second = other.entity else {
            return Filter(node, of: entity ?? other.entity)
        }
        if let common = entity.common(with: second) { return Filter(node, of: common) }
        return Filter(
            .invalid(
                "A filter of \(entity.name) and one of \(second.name) are no filter together: neither entity "
                    + "inherits from the other."))
    }
}

/// Combines the conditions in a closure into one filter, which requires all of the conditions.
///
/// ```swift
/// Person.where {
///     $0.isActive
///     if let name { $0.name.contains(name, .caseInsensitive) }
///     for word in words { $0.notes.contains(word) }
/// }
/// ```
@resultBuilder
public enum FilterBuilder {
    /// Returns a condition as a filter.
    public static func buildExpression(_ condition: some FilterConvertible) -> Filter {
        condition.filter
    }

    /// Returns a filter that is true for every object.
    public static func buildBlock() -> Filter { Filter(.constant(true)) }

    /// Returns the first condition.
    public static func buildPartialBlock(first: Filter) -> Filter { first }

    /// Returns a filter that requires the previous conditions and the next one.
    public static func buildPartialBlock(accumulated: Filter, next: Filter) -> Filter {
        accumulated && next
    }

    /// Returns the condition of an `if` without `else`, or a filter that is true for every object.
    public static func buildOptional(_ filter: Filter?) -> Filter {
        filter ?? Filter(.constant(true))
    }

    /// Returns the condition of an `if` that has an `else`.
    public static func buildEither(first: Filter) -> Filter { first }

    /// Returns the condition of an `else`.
    public static func buildEither(second: Filter) -> Filter { second }

    /// Returns a filter that requires the conditions of each iteration of a loop.
    public static func buildArray(_ filters: [Filter]) -> Filter {
        filters.dropFirst().reduce(filters.first ?? Filter(.constant(true))) { $0 && $1 }
    }
}
