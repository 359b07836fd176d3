import FoundationEssentials
package import RecordStackModel

extension ImportValue {
    /// Creates a value from a value of a dictionary or an array.
    ///
    /// It can be a value of the standard library, of Foundation, of an attribute type, or from
    /// `JSONSerialization`.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` for any other value.
    package init(_ value: Any) throws { try self.init(value, inside: 0) }

    /// Creates a value inside containers.
    ///
    /// - Parameter depth: the number of arrays and dictionaries around the value.
    private init(_ value: Any, inside depth: Int) throws {
        var value = value
        // A cast would see through an optional, and could take it for a Foundation number.
        while let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else {
                self = .null
                return
            }
            value = wrapped
        }
        // Containers are converted here, so that each level uses little of the stack.
        if let known = try Self.plain(value, depth) {
            self = known
        } else if let members = value as? [String: Any] {
            self = try Self.object(members, inside: depth + 1)
        } else if let elements = value as? [Any] {
            self = try Self.array(elements, inside: depth + 1)
        } else {
            self = try Self.attributeValue(value)
        }
    }

    private static func object(_ members: [String: Any], inside depth: Int) throws -> ImportValue {
        try requireDepth(depth)
        var values: [(String, ImportValue)] = []
        values.reserveCapacity(members.count)
        for (key, value) in members { values.append((key, try ImportValue(value, inside: depth))) }
        return .object(ImportObject(values))
    }

    private static func array(_ elements: [Any], inside depth: Int) throws -> ImportValue {
        try requireDepth(depth)
        var values: [ImportValue] = []
        values.reserveCapacity(elements.count)
        for element in elements { values.append(try ImportValue(element, inside: depth)) }
        return .array(values)
    }

    /// Returns a value that is not a container; nil for any other value.
    @inline(never)
    private static func plain(_ value: Any, _ depth: Int) throws -> ImportValue? {
        // On Linux, too, a Foundation number casts to Bool, Double and other types if it is equal
        // to one of their values. Only its class shows its type.
        if type(of: value) is AnyClass, let known = boxed(value) { return known }
        switch value {
        case let value as ImportValue: return try value.requireDepth(inside: depth)
        case let value as String: return .string(value)
        case let value as Bool: return .bool(value)
        case let value as any BinaryInteger: return .number("\(value)")
        case let value as any BinaryFloatingPoint: return .number("\(value)")
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let value as UUID: return .string(value.uuidString)
        case let value as URL: return .string(value.absoluteString)
        case let value as Decimal: return .number(value.description)
        default: return nil
        }
    }

    @inline(never)
    private static func attributeValue(_ value: Any) throws -> ImportValue {
        if let value = value as? any AttributeValue { return ImportValue(value.storedValue) }
        throw RecordStackError(
            .importFailed,
            "A \(type(of: value)) is no value for an import. Give it text, numbers, Bools, dates, data, UUIDs, URLs, "
                + "enums with a raw value, arrays and dictionaries of these, or nil.")
    }

    /// Checks a number of nested arrays and objects.
    ///
    /// - Throws: ``RecordStackError/Code/importFailed`` if JSON text may not be nested that deeply.
    static func requireDepth(_ depth: Int) throws {
        if depth <= JSONLimits.depth { return }
        throw RecordStackError(
            .importFailed,
            "A value has more than \(JSONLimits.depth) arrays and objects inside of one another. No import reads more."
        )
    }

    /// Checks the depth of the whole value, and returns the value.
    ///
    /// - Parameter depth: the number of arrays and objects around it.
    package func requireDepth(inside depth: Int = 0) throws -> ImportValue {
        if isDeeper(than: JSONLimits.depth - depth) { try Self.requireDepth(.max) }
        return self
    }

    /// Returns the value of a Foundation object for a number or null; nil for any other object.
    ///
    /// The part of Foundation that is linked here does not have these classes.
    private static func boxed(_ value: Any) -> ImportValue? {
        switch String(reflecting: type(of: value)) {
        case "Foundation.NSNull": .null
        case "Foundation.__NSCFBoolean": .bool("\(value)" == "1" || "\(value)" == "true")
        // They print an integer without a point, a real with a point, and a decimal with
        // all its digits.
        case "Foundation.NSNumber", "Foundation.NSDecimalNumber": .number("\(value)")
        default: nil
        }
    }

    /// Creates a value from a stored value.
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

/// An optional of any type.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
