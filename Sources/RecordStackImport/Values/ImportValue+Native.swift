import FoundationEssentials
package import RecordStackModel

extension ImportValue {
    /// A value of a dictionary or an array: what the standard library, Foundation and attributes have for values, and
    /// what `JSONSerialization` makes.
    /// - Throws: ``RecordStackError/Code/importFailed`` for what is none.
    package init(_ value: Any) throws {
        guard let converted = try Self.converting(value) else {
            throw RecordStackError(
                .importFailed,
                "A \(type(of: value)) is no value for an import. Give it text, numbers, Bools, dates, data, UUIDs, URLs, "
                    + "enums with a raw value, arrays and dictionaries of these, or nil.")
        }
        self = converted
    }

    private static func converting(_ value: Any) throws -> ImportValue? {
        // A cast would look through an optional, at a number of Foundation's for one.
        if let optional = value as? any OptionalValue {
            return try optional.wrapped.map { try ImportValue($0) } ?? .null
        }
        // On Linux, too, a number of Foundation's casts to Bool, Double and the like where it is equal to one: the class
        // alone says which it is.
        if type(of: value) is AnyClass, let known = boxed(value) { return known }
        switch value {
        case let value as ImportValue: return value
        case let value as String: return .string(value)
        case let value as Bool: return .bool(value)
        case let value as any BinaryInteger: return .number("\(value)")
        case let value as any BinaryFloatingPoint: return .number("\(value)")
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let value as UUID: return .string(value.uuidString)
        case let value as URL: return .string(value.absoluteString)
        case let value as Decimal: return .number(value.description)
        case let value as [String: Any]:
            return .object(ImportObject(try value.map { ($0, try ImportValue($1)) }))
        case let value as [Any]: return .array(try value.map { try ImportValue($0) })
        case let value as any AttributeValue: return ImportValue(value.storedValue)
        default: return nil
        }
    }

    /// The value of an object of Foundation's own classes for numbers and null, which the part of Foundation that is linked
    /// here does not have; nil for an object of another class.
    private static func boxed(_ value: Any) -> ImportValue? {
        switch String(reflecting: type(of: value)) {
        case "Foundation.NSNull": .null
        case "Foundation.__NSCFBoolean": .bool("\(value)" == "1" || "\(value)" == "true")
        // They print an integer without a point, a real with one, and a decimal with all of its digits.
        case "Foundation.NSNumber", "Foundation.NSDecimalNumber": .number("\(value)")
        default: nil
        }
    }

    /// A value as the store keeps it.
    init(_ stored: StoredValue) {
        switch stored {
        case .null: self = .null
        case .integer(let value): self = .number("\(value)")
        case .real(let value): self = .number("\(value)")
        case .text(let value): self = .string(value)
        case .blob(let value): self = .data(Data(value))
        }
    }
}

/// An optional of whichever type.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
