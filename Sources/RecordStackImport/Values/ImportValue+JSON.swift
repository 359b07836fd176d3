import FoundationEssentials
import RecordStackModel

extension ImportValue {
    /// The value that a JSON text writes. Of a key that comes twice, the last value counts.
    init(json: UnsafeRawBufferPointer) throws {
        var scanner = JSONScanner(json)
        try self.init(try scanner.next(), &scanner, inside: ())
    }

    /// The value of a token that stands alone.
    init(_ token: JSONToken, _ scanner: inout JSONScanner) {
        switch token {
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number: self = .number(scanner.number.text)
        case .string, .key: self = .string(scanner.string)
        default: self = .null
        }
    }

    /// The value that begins with a token; it is read to its end.
    private init(
        _ token: JSONToken, _ scanner: inout JSONScanner, inside: Void
    ) throws {
        switch token {
        case .beginArray:
            var values: [ImportValue] = []
            while true {
                let element = try scanner.next()
                if element == .endArray { break }
                values.append(try ImportValue(element, &scanner, inside: ()))
            }
            self = .array(values)
        case .beginObject:
            var members: [(String, ImportValue)] = []
            while try scanner.next() == .key {
                let key = scanner.string
                members.append((key, try ImportValue(try scanner.next(), &scanner, inside: ())))
            }
            self = .object(ImportObject(members))
        default: self.init(token, &scanner)
        }
    }

    /// The value as JSON, with the keys in order. Dates are written as ISO 8601, bytes in base64.
    var json: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONNumber {
    /// Lends the number that a text writes; nil where it writes none.
    static func reading<Result>(_ text: String, _ body: (JSONNumber) -> Result?) -> Result? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
            guard (try? scanner.next()) == .number, (try? scanner.isAtEnd()) == true else {
                return nil
            }
            return body(scanner.number)
        }
    }
}

extension JSONScanner {
    /// Whether nothing but white space follows.
    fileprivate mutating func isAtEnd() throws -> Bool { skipSpace(from: cursor) == end }
}
