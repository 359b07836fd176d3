import FoundationEssentials
import RecordStackModel

extension ImportValue {
    /// Reads a JSON text. If a key occurs twice, the last value counts.
    init(json: UnsafeRawBufferPointer) throws {
        var scanner = JSONScanner(json)
        try self.init(try scanner.next(), &scanner, inside: ())
    }

    /// Creates the value of a token that is a whole value.
    init(_ token: JSONToken, _ scanner: inout JSONScanner) {
        switch token {
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number: self = .number(scanner.number.text)
        case .string, .key: self = .string(scanner.string)
        default: self = .null
        }
    }

    /// Reads the value that begins with a token, to its end.
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

    /// The value as JSON, with members in order, dates in ISO 8601, and bytes in base64.
    var json: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONNumber {
    /// Calls a closure with the number in a text; returns nil if the text is not a number.
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
    /// Whether only white space follows.
    fileprivate mutating func isAtEnd() throws -> Bool { skipSpace(from: cursor) == end }
}
