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

    /// Whether only some of the values that the storage can keep are values of the type, so that
    /// the type must be asked.
    package let hasSomeValuesOnly: Bool

    /// A type by name and storage. Two types of one name must mean the same.
    public init(name: String, storage: Storage) {
        self.init(name: name, storage: storage, hasSomeValuesOnly: true)
    }

    private init(name: String, storage: Storage, hasSomeValuesOnly: Bool) {
        self.name = name
        self.storage = storage
        self.hasSomeValuesOnly = hasSomeValuesOnly
    }

    /// The type of an enum whose raw values are of this type. A store does not tell them apart.
    @usableFromInline
    package var withSomeValuesOnly: AttributeType { AttributeType(name: name, storage: storage) }

    private static func whole(_ name: String, _ storage: Storage) -> AttributeType {
        AttributeType(name: name, storage: storage, hasSomeValuesOnly: false)
    }

    static let unsigned = integer(named: "UInt64")

    static func integer(named name: String) -> AttributeType {
        AttributeType(name: name, storage: .integer)
    }

    /// `Bool`, kept as 0 and 1.
    public static let bool = whole("Bool", .integer)
    /// `Int` and `Int64`, which are the same on every platform that RecordStack runs on.
    public static let integer = whole("Int64", .integer)
    /// `Double`.
    public static let double = whole("Double", .real)
    /// `String`.
    public static let string = whole("String", .text)
    /// `Date`, kept as seconds since 2001-01-01 00:00 UTC: only so does a `Date` round-trip to
    /// the bit.
    public static let date = whole("Date", .real)
    /// `Data`.
    public static let data = whole("Data", .blob)
    /// `UUID`, kept as 16 bytes.
    public static let uuid = AttributeType(name: "UUID", storage: .blob)
    /// `URL`, kept as the text it was given as.
    public static let url = AttributeType(name: "URL", storage: .text)
    /// `Float`.
    public static let float = whole("Float", .real)
    /// `Decimal`, kept as text in its shortest plain form, which is compared as a number.
    public static let decimal = AttributeType(name: "Decimal", storage: .text)
    /// Codable values, kept as JSON text.
    public static let json = AttributeType(name: "JSON", storage: .text)
}

extension AttributeType {
    private static let narrowRanges: [String: ClosedRange<Int64>] = {
        func range<Number: FixedWidthInteger>(of type: Number.Type) -> ClosedRange<Int64> {
            Int64(type.min)...Int64(type.max)
        }
        return [
            "Int8": range(of: Int8.self), "Int16": range(of: Int16.self),
            "Int32": range(of: Int32.self), "UInt8": range(of: UInt8.self),
            "UInt16": range(of: UInt16.self), "UInt32": range(of: UInt32.self),
        ]
    }()

    /// The names of the integer types that have fewer values than their storage.
    package static var narrowNames: [String] { narrowRanges.keys.sorted() }

    /// The values of such a type; nil for other types.
    package var narrowRange: ClosedRange<Int64>? { Self.narrowRanges[name] }

    /// A value of such a type, or null.
    /// - Throws: ``RecordStackError/Code/corrupt`` for any other.
    package static func narrow(_ value: StoredValue, _ name: String) throws -> StoredValue {
        switch value {
        case .null: return value
        case .integer(let number) where narrowRanges[name]?.contains(number) == true: return value
        default: throw RecordStackError.wrongNumber
        }
    }

    /// How the values are ordered.
    package var collation: Collation { name == Self.decimal.name ? .decimal : .binary }
}
