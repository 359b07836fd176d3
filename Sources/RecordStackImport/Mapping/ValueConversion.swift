import FoundationEssentials
import RecordStackModel

/// The conversion of a JSON value to a value of an attribute.
///
/// If a value does not convert without loss, the result is nil, and the import reports a problem.
enum ValueConversion {
    case bool, integer, unsigned, double, decimal, string, data, uuid, url
    case date(DateFormats)
    /// A type of the program, converted as the type that stores it. The type may refuse the result.
    indirect case stored(as: ValueConversion)
    /// A Codable type, whose values are stored as JSON.
    case json

    /// Whether the attribute's type must check the converted value.
    var isByStorage: Bool {
        switch self {
        case .stored, .unsigned, .decimal, .json, .uuid, .url: true
        default: false
        }
    }

    /// Whether the values are dates, or are stored as dates.
    var isDate: Bool {
        switch self {
        case .date: true
        case .stored(let conversion): conversion.isDate
        default: false
        }
    }

    /// Whether the attribute takes any JSON value as written, including objects and arrays.
    var isText: Bool { if case .json = self { true } else { false } }

    /// Creates the conversion of an attribute.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a date pattern that is not valid.
    init(
        of attribute: AttributeDescription, _ formats: [ImportDateFormat],
        entity: EntityDescription
    ) throws {
        switch attribute.type {
        case .bool: self = .bool
        case .integer: self = .integer
        case .double: self = .double
        case .string: self = .string
        case .data: self = .data
        case .uuid: self = .uuid
        case .url: self = .url
        case UInt64.attributeType: self = .unsigned
        case .decimal: self = .decimal
        case .date: self = .date(try DateFormats(formats, of: attribute, entity: entity))
        case .json: self = .json
        // A type of the program whose raw values have this type.
        case AttributeType.bool.withSomeValuesOnly: self = .stored(as: .bool)
        case AttributeType.date.withSomeValuesOnly:
            self = .stored(
                as: .date(try DateFormats(formats, of: attribute, entity: entity)))
        default: self = .stored(as: Self.conversion(storedAs: attribute.type.storage))
        }
    }

    private static func conversion(storedAs storage: AttributeType.Storage) -> ValueConversion {
        switch storage {
        case .integer: .integer
        case .real: .double
        case .text: .string
        case .blob: .data
        }
    }
}

extension ValueConversion {
    func convert(_ flag: Bool) -> StoredValue? {
        switch self {
        case .bool, .integer, .unsigned: .integer(flag ? 1 : 0)
        case .double: .real(flag ? 1 : 0)
        case .string: .text(flag ? "true" : "false")
        case .stored(let conversion): conversion.convert(flag)
        case .data, .uuid, .url, .date, .decimal, .json: nil
        }
    }

    func convert(_ number: JSONNumber) -> StoredValue? {
        switch self {
        case .bool: number.double.isFinite ? .integer(number.double == 0 ? 0 : 1) : nil
        case .integer: number.int64.map { .integer($0) }
        case .unsigned: number.int64.map { .integer($0) } ?? number.uint64?.storedValue
        case .decimal: DecimalConversion.convert(number.text)
        case .double: number.double.isFinite ? .storedReal(number.double) : nil
        case .string: .text(number.text)
        case .date(let formats): formats.date(number)?.storedValue
        case .stored(let conversion): conversion.convert(number)
        case .data, .uuid, .url, .json: nil
        }
    }

    func convert(_ text: UnsafeRawBufferPointer) -> StoredValue? {
        let string = String(decoding: text, as: UTF8.self)
        switch self {
        case .string: return .text(string)
        case .integer: return Int64(string).map { .integer($0) }
        case .unsigned:
            return Int64(string).map { .integer($0) } ?? UInt64(string)?.storedValue
        case .decimal: return DecimalConversion.convert(string)
        case .double: return Double(string).flatMap { $0.isFinite ? .storedReal($0) : nil }
        case .bool: return Self.bool(string).map { .integer($0 ? 1 : 0) }
        case .data: return Data(base64Encoded: string)?.storedValue
        case .uuid: return UUID(uuidString: string)?.storedValue
        case .url: return URL(string: string)?.storedValue
        case .date(let formats): return formats.date(text)?.storedValue
        case .stored(let conversion): return conversion.convert(text)
        case .json: return .text(string)
        }
    }

    /// Returns the Bool for a word such as `yes` or `off`; nil for any other word.
    private static func bool(_ word: String) -> Bool? {
        switch word.lowercased() {
        case "true", "yes", "y", "t", "1", "on": true
        case "false", "no", "n", "f", "0", "off": false
        default: nil
        }
    }

    /// A description of the values that the attribute accepts, for a message.
    var expectation: String {
        switch self {
        case .bool: "true or false"
        case .integer, .unsigned: "a whole number of 64 bits"
        case .decimal: "a decimal number"
        case .double: "a number"
        case .string: "text"
        case .data: "text in base64"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .date(let formats): formats.expectation
        case .stored(let conversion): conversion.expectation
        case .json: "a value of JSON"
        }
    }
}
