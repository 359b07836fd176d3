import FoundationEssentials
package import RecordStackModel

extension ImportValue {
    /// A value of a dictionary or an array: what the standard library, Foundation and attributes have for values, and
    /// what `JSONSerialization` makes.
    /// - Throws: ``RecordStackError/Code/importFailed`` for what is none.
    package init(_ value: Any) throws { try self.init(value, inside: 0) }

    /// - Parameter depth: how many arrays and dictionaries the value stands in.
    private init(_ value: Any, inside depth: Int) throws {
        var value = value
        // A cast would look through an optional, at a number of Foundation's for one.
        while let optional = value as? any OptionalValue {
            guard let wrapped = optional.wrapped else {
                self = .null
                return
            }
            value = wrapped
        }
        // Containers are converted here, where the stack has little of each level.
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

    /// A value that is no container; nil for another one.
    @inline(never)
    private static func plain(_ value: Any, _ depth: Int) throws -> ImportValue? {
        // On Linux, too, a number of Foundation's casts to Bool, Double and the like where it is equal to one: the class
        // alone says which it is.
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

    /// - Parameter depth: how many arrays and objects stand inside of one another.
    /// - Throws: ``RecordStackError/Code/importFailed`` where these are more than a text may have.
    static func requireDepth(_ depth: Int) throws {
        if depth <= JSONLimits.depth { return }
        throw RecordStackError(
            .importFailed,
            "A value has more than \(JSONLimits.depth) arrays and objects inside of one another. No import reads more."
        )
    }

    /// The same of a whole value.
    /// - Parameter depth: how many arrays and objects stand around it.
    package func requireDepth(inside depth: Int = 0) throws -> ImportValue {
        if isDeeper(than: JSONLimits.depth - depth) { try Self.requireDepth(.max) }
        return self
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
