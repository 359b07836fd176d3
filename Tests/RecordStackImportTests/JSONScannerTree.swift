import RecordStackImport

/// A whole value, to compare two readers by. Strings are bytes, since Swift's `==` takes strings
/// for equal that are spelled with different scalars.
indirect enum JSONTree: Equatable {
    case null
    case bool(Bool)
    case number(String, Int64?, UInt64?, UInt64)
    case string([UInt8])
    case array([JSONTree])
    case object([[UInt8]: JSONTree])

    static func number(_ raw: String, isInteger: Bool, double: Double) -> JSONTree {
        .number(
            raw, isInteger ? Int64(raw) : nil, isInteger ? UInt64(raw) : nil, double.bitPattern)
    }
}

/// Builds trees from tokens.
struct JSONTreeReader: ~Copyable {
    var scanner: JSONScanner
    /// Whether of keys that are there twice the first one counts, and not the last.
    let takesFirst: Bool

    init(_ bytes: UnsafeRawBufferPointer, takesFirst: Bool = false) {
        scanner = JSONScanner(bytes)
        self.takesFirst = takesFirst
    }

    /// The one value of the text, or the error that says why there is none.
    static func read(_ bytes: [UInt8], takesFirst: Bool = false) -> Result<JSONTree, JSONError> {
        // The scanner ends before the pointer does.
        bytes.withUnsafeBytes { buffer in
            var reader = JSONTreeReader(buffer, takesFirst: takesFirst)
            do throws(JSONError) {
                let tree = try reader.value(try reader.scanner.next())
                let last = try reader.scanner.next()
                precondition(last == .endOfInput, "A text of one value goes on.")
                return .success(tree)
            } catch {
                return .failure(error)
            }
        }
    }

    private mutating func value(_ token: JSONToken) throws(JSONError) -> JSONTree {
        switch token {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .string: return .string(Array(scanner.text))
        case .number: return number()
        case .beginArray: return try array()
        case .beginObject: return try object()
        default: preconditionFailure("\(token) where a value begins")
        }
    }

    private func number() -> JSONTree {
        let number = scanner.number
        let integer = number.isInteger ? number.int64 : nil
        // What `UInt64("-0")` answers is 0 too.
        let unsigned = number.isInteger ? number.uint64 : nil
        return .number(number.text, integer, unsigned, number.double.bitPattern)
    }

    private mutating func array() throws(JSONError) -> JSONTree {
        var elements: [JSONTree] = []
        while true {
            let token = try scanner.next()
            if token == .endArray { return .array(elements) }
            elements.append(try value(token))
        }
    }

    private mutating func object() throws(JSONError) -> JSONTree {
        var members: [[UInt8]: JSONTree] = [:]
        while try scanner.next() == .key {
            let key = Array(scanner.text)
            let value = try value(try scanner.next())
            if takesFirst && members[key] != nil { continue }
            members[key] = value
        }
        return .object(members)
    }
}

/// One token with what belongs to it, to compare two ways of reading a text by.
struct JSONSeen: Equatable {
    var token: JSONToken
    var text: [UInt8]
    var depth: Int

    init(_ token: JSONToken, _ scanner: borrowing JSONScanner) {
        self.token = token
        depth = scanner.depth
        text =
            switch token {
            case .key, .string: Array(scanner.text)
            case .number: Array(scanner.number.raw)
            default: []
            }
    }
}

/// The tokens of a text in one piece, and the error that ended it if one did.
func jsonTokens(
    _ bytes: [UInt8], allowsMultipleValues: Bool = false
) -> (seen: [JSONSeen], error: JSONError?) {
    var seen: [JSONSeen] = []
    // The scanner ends before the pointer does.
    let error: JSONError? = bytes.withUnsafeBytes { buffer in
        var scanner = JSONScanner(buffer, allowsMultipleValues: allowsMultipleValues)
        do throws(JSONError) {
            while true {
                let token = try scanner.next()
                seen.append(JSONSeen(token, scanner))
                if token == .endOfInput { return nil }
            }
        } catch {
            return error
        }
    }
    return (seen, error)
}

/// Runs `body` with a scanner for `text`.
func scanningJSON<T>(
    _ text: String, limits: JSONLimits = JSONLimits(), isComplete: Bool = true,
    allowsMultipleValues: Bool = false, _ body: (inout JSONScanner) throws -> T
) rethrows -> T {
    try scanningJSON(
        Array(text.utf8), limits: limits, isComplete: isComplete,
        allowsMultipleValues: allowsMultipleValues, body)
}

/// Runs `body` with a scanner for `bytes`.
func scanningJSON<T>(
    _ bytes: [UInt8], limits: JSONLimits = JSONLimits(), isComplete: Bool = true,
    allowsMultipleValues: Bool = false, _ body: (inout JSONScanner) throws -> T
) rethrows -> T {
    // The scanner ends before the pointer does.
    try bytes.withUnsafeBytes { buffer in
        var scanner = JSONScanner(
            buffer, limits: limits, isComplete: isComplete,
            allowsMultipleValues: allowsMultipleValues)
        return try body(&scanner)
    }
}
