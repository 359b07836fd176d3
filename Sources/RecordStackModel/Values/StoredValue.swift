/// A value as the store keeps it: one of SQLite's five storage classes.
///
/// ```swift
/// let stored = "Ann".storedValue            // .text("Ann")
/// let name = String(storedValue: stored)    // "Ann"
/// ```
///
/// Text is compared, ordered and hashed by its UTF-8 bytes, as SQLite's BINARY collation does:
/// "é" written as one scalar and as two are different values here, although Swift's `==` on
/// `String` calls them equal.
public enum StoredValue: Sendable {
    /// No value.
    case null
    /// A signed 64-bit integer. Bools are 0 and 1.
    case integer(Int64)
    /// A double. Never NaN, which SQLite cannot keep, and never −0.0, which reads back as 0.0.
    case real(Double)
    /// Text, which may contain U+0000.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension StoredValue {
    /// Whether this is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// A double as the store would keep it: NaN becomes null, −0.0 becomes 0.0.
    @inlinable
    public static func storedReal(_ value: Double) -> StoredValue {
        value.isNaN ? .null : .real(value == 0 ? 0 : value)
    }
}

extension StoredValue {
    /// Text of a store's. Bytes that are not UTF-8, which only another program writes, are no text.
    package init(text bytes: UnsafeRawBufferPointer) {
        self = StoredText.decode(bytes).map(StoredValue.text) ?? .blob([UInt8](bytes))
    }
}

extension StoredValue: Equatable {
    /// Equality of what is stored: text by bytes; an integer and a real of the same number are
    /// equal, as they are in SQL.
    public static func == (lhs: StoredValue, rhs: StoredValue) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
        case (.blob(let a), .blob(let b)): a == b
        case (.integer(let a), .real(let b)), (.real(let b), .integer(let a)):
            NumberOrder.compare(a, b) == .same
        default: false
        }
    }
}

extension StoredValue: Hashable {
    /// Hashes the bytes of text, and numbers so that equal ones hash alike.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .integer(let value): hasher.combine(Double(value))
        case .real(let value): hasher.combine(value)
        case .text(let value): value.hashBytes(into: &hasher)
        case .blob(let value): hasher.combine(value)
        }
    }
}

extension StoredValue: CustomStringConvertible {
    /// The value as it would stand in a message: text in quotes, bytes by their number.
    public var description: String {
        switch self {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): value.debugDescription
        case .blob(let value): "\(value.count) bytes"
        }
    }

    /// The description, cut where a long text would tear a message apart.
    package var excerpt: String {
        description.cut(to: 40)
    }
}
