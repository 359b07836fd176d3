import FoundationEssentials

/// A value in a format string, before the other operand determines how it is stored.
enum FormatLiteral: Sendable {
    case null
    case bool(Bool)
    case number(FormatNumber)
    case text(String)
    /// A value of a type that has no literals.
    case value(StoredValue, FormatType)
    case object(ManagedObjectID)
    /// Several values.
    ///
    /// If they are the elements of an array that can also be one value, `whole` is that value.
    case list([FormatLiteral], whole: (any AttributeValue)?)

    init(_ value: StoredValue, _ type: AttributeType) {
        switch (FormatType(type), value) {
        case (_, .null): self = .null
        case (.bool, .integer(let number)): self = .bool(number != 0)
        case (.decimal, .text(let text)): self = .number(.decimal(text))
        case (.text(AttributeType.string.name), .text(let text)): self = .text(text)
        case (.unsigned, .blob):
            self =
                UInt64(storedValue: value).map { .number(.unsigned($0)) }
                ?? .value(value, .unsigned)
        case (.integer, .integer(let number)), (.unsigned, .integer(let number)):
            self = .number(.integer(number))
        case (.real, .real(let number)), (.float, .real(let number)):
            self = .number(.real(number, digits: nil))
        case (let type, _): self = .value(value, type)
        }
    }

    /// The name of the value in messages.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a Bool"
        case .number(.decimal): "a Decimal"
        case .number(.real(let number, let digits)): "the number \(digits ?? "\(number)")"
        case .number: "a number"
        case .text: "a text"
        case .value(_, let type): Wording.article(type.name)
        case .object(let id): Wording.article(id.entityName)
        case .list: "a list"
        }
    }

    /// The type of the value if no other operand determines it; nil for null, lists and objects.
    var ownType: FormatType? {
        switch self {
        case .null, .list, .object: nil
        case .bool: .bool
        case .number(.integer): .wholeNumber
        case .number(.unsigned): .unsigned
        case .number(.real): .double
        case .number(.decimal): .decimal
        case .text: .string
        case .value(_, let type): type
        }
    }
}

extension FormatLiteral {
    /// Returns the value as it is stored beside a value of a type; nil if it does not fit the type.
    func stored(beside type: FormatType) -> StoredValue? {
        switch (self, type) {
        case (.null, _): .null
        case (.bool(let value), .bool): value.storedValue
        case (.number(.integer(let value)), .bool): value == 0 || value == 1 ? .integer(value) : nil
        case (.number(let number), _): Self.stored(number, beside: type)
        case (.text(let text), .text), (.text(let text), .json): .text(text)
        case (.text(let text), .uuid): UUID(uuidString: text)?.storedValue
        case (.value(let value, let own), _): own.isComparable(with: type) ? value : nil
        case (.list(_, let whole?), .json): whole.storedValue
        default: nil
        }
    }

    private static func stored(
        _ number: FormatNumber, beside type: FormatType
    ) -> StoredValue? {
        switch (number, type) {
        case (_, .decimal): number.decimalText.map(StoredValue.text)
        case (.integer(let value), .unsigned): .integer(value)
        case (.unsigned(let value), .unsigned): value.storedValue
        case (.decimal(let text), .unsigned): UInt64(text)?.storedValue
        case (.unsigned, .real), (.unsigned, .float): .real(number.double)
        case (.real(let value, _), .float):
            // Narrowed to a Float, the number would equal infinity, which is a different number.
            value.isFinite && Float(value).isInfinite ? nil : Float(value).storedValue
        case (_, .integer), (_, .real), (_, .float): number.plain
        default: nil
        }
    }

    /// Returns why the value does not fit a type; nil if the names of the types say it all.
    func objection(beside type: FormatType) -> String? {
        switch (self, type) {
        case (.text(let text), .uuid): "\(ValueText.quoted(NearNames.shortened(text))) is no UUID."
        case (_, .date): "A date is an argument, or CAST('2005-01-31', 'NSDate')."
        case (.number(.unsigned), .integer): "The number is too large for an Int64."
        case (.number(.real), .float): "The number is too large for a Float."
        case (.number, .decimal): "A Decimal cannot hold the number to its last digit."
        case (.number, .bool): "A Bool is TRUE or FALSE, or 1 or 0."
        default: nil
        }
    }
}
