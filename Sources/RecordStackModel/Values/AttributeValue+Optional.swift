extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The type of the wrapped value.
    @inlinable public static var attributeType: AttributeType { Wrapped.attributeType }
    /// True, because nil is a value of the type.
    @inlinable public static var isOptional: Bool { true }
    /// The value nil.
    @inlinable public static var placeholder: Wrapped? { nil }

    /// The stored form of the wrapped value, or null for nil.
    @inlinable public var storedValue: StoredValue {
        switch self {
        case .none: .null
        case .some(let value): value.storedValue
        }
    }

    /// Creates nil from null, or an Optional that wraps the converted value.
    ///
    /// The initializer fails if the value cannot be converted.
    @inlinable
    public init?(storedValue: StoredValue) {
        if storedValue.isNull {
            self = .none
        } else if let value = Wrapped(storedValue: storedValue) {
            self = .some(value)
        } else {
            return nil
        }
    }

    /// Reads a value from a row, where null becomes nil.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Wrapped? {
        row.isNull(at: slot) ? nil : Wrapped.read(row, at: slot)
    }

    /// Appends the wrapped value to a row, or null for nil.
    @inlinable
    public func write(to writer: inout CellWriter) {
        switch self {
        case .none: writer.appendNull()
        case .some(let value): value.write(to: &writer)
        }
    }
}

extension AttributeValue {
    /// The name of the type or, for an Optional, of the wrapped type.
    static var wrappedTypeName: String {
        let name = "\(Self.self)"
        return isOptional ? String(name.dropFirst("Optional<".count).dropLast()) : name
    }
}
