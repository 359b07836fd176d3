/// What can stand for `%@` or for a variable of a format string: nil, every attribute value, an object or
/// its ID, and arrays and sets of those.
///
/// ```swift
/// try Person.where(.format("age BETWEEN %@ AND team == %@", [18, 65], team))
/// ```
///
/// A type of your own that is none of these conforms by saying which value it stands for.
public protocol FormatArgument {
    /// The value that stands in the filter.
    var formatValue: FormatValue { get }
}

/// A value on its way into a format string.
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

    /// An attribute value; that of an Optional that is nil is null.
    public init(_ value: some AttributeValue) {
        self.init(FormatLiteral(value.storedValue, type(of: value).attributeType))
    }

    /// The object of an ID.
    public init(_ id: ManagedObjectID) {
        self.init(.object(id))
    }

    /// Several values, for IN and BETWEEN.
    public init(_ values: some Sequence<FormatValue>) {
        self.init(.list(values.map(\.literal), whole: nil))
    }
}

extension AttributeValue {
    /// The value itself.
    public var formatValue: FormatValue { FormatValue(self) }
}

extension ManagedObjectID: FormatArgument {
    /// The object of the ID.
    public var formatValue: FormatValue { FormatValue(self) }
}

extension Optional: FormatArgument where Wrapped: FormatArgument {
    /// Null, or the value inside.
    public var formatValue: FormatValue { self?.formatValue ?? FormatValue(.null) }
}

extension Array: FormatArgument where Element: FormatArgument {
    /// The elements; beside an attribute that holds arrays, the array as a whole.
    public var formatValue: FormatValue {
        FormatValue(.list(map(\.formatValue.literal), whole: self as? any AttributeValue))
    }
}

extension Set: FormatArgument where Element: FormatArgument {
    /// The elements.
    public var formatValue: FormatValue { FormatValue(map(\.formatValue)) }
}

extension Dictionary: FormatArgument where Key == String, Value: AttributeValue & Codable {}
