/// The type of an attribute's values, and the SQLite storage class in which they are stored.
///
/// A store remembers the type's name for each column. You cannot open the store with a model that
/// has another type for a column.
public struct AttributeType: Sendable, Hashable {
    /// The SQLite storage class of the values.
    public enum Storage: String, Sendable, Hashable, Codable {
        /// Signed 64-bit integers.
        case integer = "INTEGER"
        /// Floating-point numbers of 64 bits.
        case real = "REAL"
        /// Text in UTF-8.
        case text = "TEXT"
        /// Bytes.
        case blob = "BLOB"
    }

    /// The type's name, such as `String`.
    public let name: String
    /// The storage class of the values.
    public let storage: Storage

    /// Whether the storage class can hold values that the type does not have.
    ///
    /// If so, only the type can tell which values are valid.
    package let hasSomeValuesOnly: Bool

    /// Creates a type with a name and a storage class.
    ///
    /// All types with the same name must store their values in the same form.
    public init(name: String, storage: Storage) {
        self.init(name: name, storage: storage, hasSomeValuesOnly: true)
    }

    private init(name: String, storage: Storage, hasSomeValuesOnly: Bool) {
        self.name = name
        self.storage = storage
        self.hasSomeValuesOnly = hasSomeValuesOnly
    }

    /// The type of an enum whose raw values are of this type.
    ///
    /// A store does not distinguish the two types.
    @usableFromInline
    package var withSomeValuesOnly: AttributeType { AttributeType(name: name, storage: storage) }

    private static func whole(_ name: String, _ storage: Storage) -> AttributeType {
        AttributeType(name: name, storage: storage, hasSomeValuesOnly: false)
    }

    static let unsigned = integer(named: "UInt64")

    static func integer(named name: String) -> AttributeType {
        AttributeType(name: name, storage: .integer)
    }

    /// `Bool`, stored as 0 and 1.
    public static let bool = whole("Bool", .integer)
    /// `Int` and `Int64`, which have the same values on every platform that RecordStack supports.
    public static let integer = whole("Int64", .integer)
    /// `Double`.
    public static let double = whole("Double", .real)
    /// `String`.
    public static let string = whole("String", .text)
    /// `Date`, stored as seconds since 2001-01-01 00:00 UTC.
    ///
    /// A `Date` round-trips exactly only in this unit.
    public static let date = whole("Date", .real)
    /// `Data`.
    public static let data = whole("Data", .blob)
    /// `UUID`, stored as 16 bytes.
    public static let uuid = AttributeType(name: "UUID", storage: .blob)
    /// `URL`, stored as the text of the absolute URL.
    public static let url = AttributeType(name: "URL", storage: .text)
    /// `Float`.
    public static let float = whole("Float", .real)
    /// `Decimal`, stored as text such as `-12.5`, which is compared as a number.
    public static let decimal = AttributeType(name: "Decimal", storage: .text)
    /// Codable values, stored as JSON text.
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

    /// The names of the integer types that have fewer values than their storage class.
    package static var narrowNames: [String] { narrowRanges.keys.sorted() }

    /// The range of an integer type that is narrower than its storage class; nil for other types.
    package var narrowRange: ClosedRange<Int64>? { Self.narrowRanges[name] }

    /// Returns a value if it is null or fits into the integer type with a name.
    ///
    /// - Throws: ``RecordStackError/Code/corrupt`` for any other value.
    package static func narrow(_ value: StoredValue, _ name: String) throws -> StoredValue {
        switch value {
        case .null: return value
        case .integer(let number) where narrowRanges[name]?.contains(number) == true: return value
        default: throw RecordStackError.wrongNumber
        }
    }

    /// The collation that orders the values.
    package var collation: Collation { name == Self.decimal.name ? .decimal : .binary }
}
