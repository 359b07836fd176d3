/// A value for `%@` or for a variable of a format string.
///
/// An argument is nil, an attribute value, an object, an object's ID, or an array or set of these.
///
/// ```swift
/// try Person.where(.format("age BETWEEN %@ AND team == %@", [18, 65], team))
/// ```
///
/// To use your own type as an argument, declare its conformance, and return the value that it
/// represents.
public protocol FormatArgument {
    /// The value that the filter uses.
    var formatValue: FormatValue { get }
}

/// A value that is passed to a format string.
///
/// ```swift
/// struct Page: FormatArgument {
///     var number: Int
///     var formatValue: FormatValue { FormatValue(number) }
/// }
/// ```
public struct FormatValue: Sendable {
    let literal: FormatLiteral

    init(_ literal: FormatLiteral) {
        self.literal = literal
    }

    /// Creates a value from an attribute value, or null from an Optional that is nil.
    public init(_ value: some AttributeValue) {
        self.init(FormatLiteral(value.storedValue, type(of: value).attributeType))
    }

    /// Creates a value from the ID of an object.
    public init(_ id: ManagedObjectID) {
        self.init(.object(id))
    }

    /// Creates a list of values, for IN and BETWEEN.
    public init(_ values: some Sequence<FormatValue>) {
        self.init(.list(values.map(\.literal), whole: nil))
    }
}

extension AttributeValue {
    /// The value itself.
    public var formatValue: FormatValue { FormatValue(self) }
}

extension ManagedObjectID: FormatArgument {
    /// The ID, which represents its object.
    public var formatValue: FormatValue { FormatValue(self) }
}

extension Optional: FormatArgument where Wrapped: FormatArgument {
    /// The wrapped value, or null if there is none.
    public var formatValue: FormatValue { self?.formatValue ?? FormatValue(.null) }
}

extension Array: FormatArgument where Element: FormatArgument {
    /// The elements of the array as a list.
    ///
    /// In a comparison with an attribute of an array type, the value is the whole array.
    public var formatValue: FormatValue {
        FormatValue(.list(map(\.formatValue.literal), whole: self as? any AttributeValue))
    }
}

extension Set: FormatArgument where Element: FormatArgument {
    /// The elements of the set as a list.
    public var formatValue: FormatValue { FormatValue(map(\.formatValue)) }
}

extension Dictionary: FormatArgument where Key == String, Value: AttributeValue & Codable {}
