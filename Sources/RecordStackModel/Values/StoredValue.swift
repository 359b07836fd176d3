/// A value in one of SQLite's five storage classes.
///
/// ```swift
/// let stored = "Ann".storedValue            // .text("Ann")
/// let name = String(storedValue: stored)    // "Ann"
/// ```
///
/// Text is compared, ordered and hashed by its UTF-8 bytes, as in SQLite's BINARY collation. Two
/// forms of "é", written as one or as two Unicode scalars, are different values, although Swift's
/// `==` on `String` treats them as equal.
public enum StoredValue: Sendable {
    /// Null, the absence of a value.
    case null
    /// A signed 64-bit integer.
    ///
    /// A Bool is stored as 0 or 1.
    case integer(Int64)
    /// A floating-point number, which is never NaN and never −0.0.
    ///
    /// SQLite cannot store NaN, and reads −0.0 as 0.0.
    case real(Double)
    /// Text, which may contain U+0000.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension StoredValue {
    /// Whether the value is ``null``.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Returns a double in its stored form, in which NaN becomes null and −0.0 becomes 0.0.
    @inlinable
    public static func storedReal(_ value: Double) -> StoredValue {
        value.isNaN ? .null : .real(value == 0 ? 0 : value)
    }
}

extension StoredValue {
    /// Creates a value from the bytes of text in a store.
    ///
    /// Bytes that are not UTF-8 become a blob. Only another program writes such bytes.
    package init(text bytes: UnsafeRawBufferPointer) {
        self = StoredText.decode(bytes).map(StoredValue.text) ?? .blob([UInt8](bytes))
    }
}

extension StoredValue: Equatable {
    /// Returns true if both stored values are equal.
    ///
    /// Text is compared by its bytes. As in SQL, an integer equals a floating-point number of the
    /// same value.
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
    /// Hashes text by its bytes, and gives equal numbers the same hash.
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
    /// The value as messages show it, with text in quotes and a byte count in place of bytes.
    public var description: String {
        switch self {
        case .null: "null"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): value.debugDescription
        case .blob(let value): "\(value.count) bytes"
        }
    }

    /// The description, cut so that a long text does not distort a message.
    package var excerpt: String {
        description.cut(to: 40)
    }
}
