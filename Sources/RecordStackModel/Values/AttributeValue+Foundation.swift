public import FoundationEssentials

extension Date: AttributeValue {
    /// `Date`, stored as seconds since 2001.
    @inlinable public static var attributeType: AttributeType { .date }
    /// The date 2001-01-01 00:00 UTC.
    @inlinable public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
    /// The exact number of seconds since 2001-01-01 00:00 UTC.
    @inlinable public var storedValue: StoredValue { .storedReal(timeIntervalSinceReferenceDate) }

    /// Creates a date from a number of seconds since 2001, or returns nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard let seconds = Double(storedValue: storedValue) else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }

    /// Reads a number of seconds from a row.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: row.real(at: slot))
    }

    /// Appends the number of seconds to a row.
    @inlinable
    public func write(to writer: inout CellWriter) {
        writer.append(real: timeIntervalSinceReferenceDate)
    }
}

extension Data: AttributeValue {
    /// `Data`.
    @inlinable public static var attributeType: AttributeType { .data }
    /// Empty data.
    @inlinable public static var placeholder: Data { Data() }
    /// The bytes.
    @inlinable public var storedValue: StoredValue { .blob([UInt8](self)) }

    /// Creates data from bytes, or returns nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard case .blob(let bytes) = storedValue else { return nil }
        self.init(bytes)
    }

    /// Reads bytes from a row.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> Data {
        row.withBytes(at: slot) { Data($0) }
    }

    /// Appends the bytes to a row.
    @inlinable
    public func write(to writer: inout CellWriter) {
        withUnsafeBytes { writer.append(bytes: $0) }
    }
}

extension UUID: AttributeValue {
    /// `UUID`.
    @inlinable public static var attributeType: AttributeType { .uuid }
    /// The UUID that consists of zeros.
    @inlinable public static var placeholder: UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    /// The 16 bytes.
    @inlinable public var storedValue: StoredValue {
        .blob(withUnsafeBytes(of: uuid) { [UInt8]($0) })
    }

    /// Creates a UUID from 16 bytes, or returns nil for any other value.
    @inlinable
    public init?(storedValue: StoredValue) {
        guard case .blob(let bytes) = storedValue, bytes.count == 16 else { return nil }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Reads 16 bytes from a row.
    ///
    /// If the row has another number of bytes, the fetch throws ``RecordStackError/Code/corrupt``.
    @inlinable
    public static func read(_ row: borrowing RowCells, at slot: Int) -> UUID {
        let value: UUID? = row.withBytes(at: slot) { bytes in
            bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
        }
        if let value { return value }
        row.reportUnexpectedValue(at: slot)
        return placeholder
    }

    /// Appends the 16 bytes to a row.
    @inlinable
    public func write(to writer: inout CellWriter) {
        Swift.withUnsafeBytes(of: uuid) { writer.append(bytes: $0) }
    }
}

extension URL: AttributeValue {
    /// `URL`.
    public static var attributeType: AttributeType { .url }
    /// The URL `about:blank`.
    public static var placeholder: URL { blank }
    /// The text of the absolute URL.
    public var storedValue: StoredValue { .text(absoluteString) }

    /// Creates a URL from text, or returns nil if the text is not a URL.
    public init?(storedValue: StoredValue) {
        guard case .text(let text) = storedValue else { return nil }
        self.init(string: text)
    }

    // `about:blank` is a URL by RFC 3986, so the initializer cannot fail.
    private static let blank = URL(string: "about:blank")!
}
