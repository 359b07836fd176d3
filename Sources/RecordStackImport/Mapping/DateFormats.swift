import FoundationEssentials
import RecordStackModel

/// The formats of an attribute's dates in a source, in the order in which they are tried.
///
/// A date is in the years 1 to 9999. If a format gives another year, the text or number is not
/// in that format.
struct DateFormats {
    enum Format {
        case iso8601
        case pattern(DatePattern)
        case seconds, milliseconds

        var isNumber: Bool {
            switch self {
            case .seconds, .milliseconds: true
            case .iso8601, .pattern: false
            }
        }
    }

    let formats: [Format]
    /// True if no format is declared, so that the import reads ISO 8601 and numbers as seconds.
    ///
    /// Text of digits alone is then refused, because it could be a year, a day or any other number.
    let areUsual: Bool
    private let hasBothNumbers: Bool

    /// Creates the formats of an attribute.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a date pattern that is not valid.
    init(
        _ declared: [ImportDateFormat], of attribute: AttributeDescription,
        entity: EntityDescription
    ) throws {
        areUsual = declared.isEmpty
        formats =
            declared.isEmpty
            ? [.iso8601, .seconds]
            : try declared.map { try Format($0, of: attribute, entity: entity) }
        hasBothNumbers = formats.contains(.seconds) && formats.contains(.milliseconds)
    }

    func date(_ text: UnsafeRawBufferPointer) -> Date? {
        for format in formats {
            let date: Date? =
                switch format {
                case .iso8601: DateParser.iso8601(text)
                case .pattern(let pattern): pattern.date(from: text)
                case .seconds, .milliseconds: areUsual ? nil : number(in: text)
                }
            if let date, DateParser.isInCalendar(date) { return date }
        }
        return nil
    }

    private func number(in text: UnsafeRawBufferPointer) -> Date? {
        guard let number = Int64(String(decoding: text, as: UTF8.self)) else { return nil }
        return date(Double(number), whole: number)
    }

    func date(_ number: JSONNumber) -> Date? { date(number.double, whole: number.int64) }

    /// Returns the date of a number.
    ///
    /// - Parameter whole: the number, if it is an integer.
    private func date(_ number: Double, whole: Int64?) -> Date? {
        if hasBothNumbers, let format = Self.plausibleFormat(of: number) {
            return format.date(number, whole)
        }
        for format in formats where format.isNumber {
            if let date = format.date(number, whole) { return date }
        }
        return nil
    }

    /// Returns the more plausible of the two number formats, by the number of digits.
    ///
    /// Numbers of nine to eleven digits are seconds between 1973 and 5138, and numbers of twelve to
    /// fourteen digits are milliseconds in the same period. Nil for shorter and longer numbers.
    private static func plausibleFormat(of number: Double) -> Format? {
        switch number.magnitude {
        case 1e8..<1e11: .seconds
        case 1e11..<1e14: .milliseconds
        default: nil
        }
    }
}

extension DateFormats.Format: Equatable {
    fileprivate init(
        _ declared: ImportDateFormat, of attribute: AttributeDescription, entity: EntityDescription
    ) throws {
        switch declared {
        case .iso8601: self = .iso8601
        case .secondsSince1970: self = .seconds
        case .millisecondsSince1970: self = .milliseconds
        case .pattern(let text):
            do {
                self = .pattern(try DatePattern(text))
            } catch {
                throw RecordStackError(
                    .misuse,
                    "The date format “\(text)” of \(entity.name).\(attribute.name) cannot be read: \(error).",
                    cause: error, entity: entity.name, property: attribute.name)
            }
        }
    }

    /// Returns the date of a number; nil outside of the years 1 to 9999, and for a text format.
    fileprivate func date(_ number: Double, _ whole: Int64?) -> Date? {
        let date: Date? =
            switch self {
            case .iso8601, .pattern: nil
            case .seconds:
                whole.map { DateParser.date(secondsSince1970: $0) }
                    ?? DateParser.date(secondsSince1970: number)
            case .milliseconds:
                whole.map { DateParser.date(millisecondsSince1970: $0) }
                    ?? DateParser.date(millisecondsSince1970: number)
            }
        return date.flatMap { DateParser.isInCalendar($0) ? $0 : nil }
    }

    fileprivate var name: String {
        switch self {
        case .iso8601: "ISO 8601"
        case .pattern(let pattern): "the pattern “\(pattern.source)”"
        case .seconds: "seconds since 1970"
        case .milliseconds: "milliseconds since 1970"
        }
    }
}

extension DateFormats {
    /// A description of the dates that the attribute accepts, for a message.
    var expectation: String {
        if areUsual {
            return
                "a date of the years 1 to 9999 in ISO 8601, or a number of seconds since 1970; for text of another "
                + "format there is .dateFormat"
        }
        return "a date of the years 1 to 9999 in " + formats.map(\.name).joined(separator: ", or ")
    }
}
