/// What an attribute's values are, and which of SQLite's storage classes keeps them.
///
/// The name is part of a store's description: a store whose column was made for another type does
/// not open.
public struct AttributeType: Sendable, Hashable {
    /// How SQLite keeps the values.
    public enum Storage: String, Sendable, Hashable, Codable {
        /// Signed integers of 64 bits.
        case integer = "INTEGER"
        /// Doubles.
        case real = "REAL"
        /// Text in UTF-8.
        case text = "TEXT"
        /// Bytes.
        case blob = "BLOB"
    }

    /// The type's name, such as `String`.
    public let name: String
    /// How the values are kept.
    public let storage: Storage

    /// A type by name and storage. Two types of one name must mean the same.
    public init(name: String, storage: Storage) {
        self.name = name
        self.storage = storage
    }

    /// `Bool`, kept as 0 and 1.
    public static let bool = AttributeType(name: "Bool", storage: .integer)
    /// `Int` and `Int64`, which are the same on every platform that RecordStack runs on.
    public static let integer = AttributeType(name: "Int64", storage: .integer)
    /// `Double`.
    public static let double = AttributeType(name: "Double", storage: .real)
    /// `String`.
    public static let string = AttributeType(name: "String", storage: .text)
    /// `Date`, kept as seconds since 2001-01-01 00:00 UTC: only so does a `Date` round-trip to
    /// the bit.
    public static let date = AttributeType(name: "Date", storage: .real)
    /// `Data`.
    public static let data = AttributeType(name: "Data", storage: .blob)
    /// `UUID`, kept as 16 bytes.
    public static let uuid = AttributeType(name: "UUID", storage: .blob)
    /// `URL`, kept as the text it was given as.
    public static let url = AttributeType(name: "URL", storage: .text)
}
