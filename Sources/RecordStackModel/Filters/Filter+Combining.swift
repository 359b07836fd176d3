/// What can stand as a condition: a ``Filter``, and an attribute of type `Bool`.
public protocol FilterConvertible {
    /// The condition.
    var filter: Filter { get }
}

extension Filter: FilterConvertible {
    /// Itself.
    public var filter: Filter { self }
}

extension FilterExpression: FilterConvertible where Value == Bool {
    /// Objects of which the attribute is true.
    public var filter: Filter { self == true }
}

/// Objects for which both are true.
public func && (lhs: some FilterConvertible, rhs: some FilterConvertible) -> Filter {
    let (left, right) = (lhs.filter, rhs.filter)
    return left.joined(.and(left.node, right.node), with: right)
}

/// Objects for which at least one is true.
public func || (lhs: some FilterConvertible, rhs: some FilterConvertible) -> Filter {
    let (left, right) = (lhs.filter, rhs.filter)
    return left.joined(.or(left.node, right.node), with: right)
}

/// Objects for which it is false.
public prefix func ! (filter: some FilterConvertible) -> Filter {
    let filter = filter.filter
    return Filter(filter.node.inverted, of: filter.entity)
}

extension Filter {
    /// A filter of this one and another.
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

/// Makes one filter of the conditions in a closure, all of which must be true.
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
    /// A condition.
    public static func buildExpression(_ condition: some FilterConvertible) -> Filter {
        condition.filter
    }

    /// No condition: true for every object.
    public static func buildBlock() -> Filter { Filter(.constant(true)) }

    /// The first condition.
    public static func buildPartialBlock(first: Filter) -> Filter { first }

    /// All so far and one more.
    public static func buildPartialBlock(accumulated: Filter, next: Filter) -> Filter {
        accumulated && next
    }

    /// A condition that is asked only now and then.
    public static func buildOptional(_ filter: Filter?) -> Filter {
        filter ?? Filter(.constant(true))
    }

    /// One of two conditions.
    public static func buildEither(first: Filter) -> Filter { first }

    /// One of two conditions.
    public static func buildEither(second: Filter) -> Filter { second }

    /// A condition for each of some values, all of which must be true.
    public static func buildArray(_ filters: [Filter]) -> Filter {
        filters.dropFirst().reduce(filters.first ?? Filter(.constant(true))) { $0 && $1 }
    }
}
