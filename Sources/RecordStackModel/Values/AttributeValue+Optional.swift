extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The type of the value inside.
    @inlinable public static var attributeType: AttributeType { Wrapped.attributeType }
    /// True.
    @inlinable public static var isOptional: Bool { true }
    /// Nil.
    @inlinable public static var placeholder: Wrapped? { nil }

    /// Null, or the value inside as it is stored.
    @inlinable public var storedValue: StoredValue {
        switch self {
        case .none: .null
        case .some(let value): value.storedValue
        }
    }

    /// Nil inside for null; fails, which is nil outside, where the value does not convert.
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

    /// Nil for a null cell, else what the type inside reads.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Wrapped? {
        row.isNull(at: slot) ? nil : Wrapped.read(row, at: slot)
    }

    /// A null cell, or what the type inside writes.
    @inlinable
    public func write(to writer: inout CellWriter) {
        switch self {
        case .none: writer.appendNull()
        case .some(let value): value.write(to: &writer)
        }
    }
}

extension AttributeValue {
    /// The name of the type, or of the one that is optional.
    static var wrappedTypeName: String {
        let name = "\(Self.self)"
        return isOptional ? String(name.dropFirst("Optional<".count).dropLast()) : name
    }
}
