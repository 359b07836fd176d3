import RecordStackImport

/// A whole JSON value, for comparing two readers.
///
/// Strings are arrays of bytes, because Swift's `==` treats strings with different scalars as
/// equal.
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
    /// True if the first value of a repeated key counts, false if the last one counts.
    let takesFirst: Bool

    init(_ bytes: UnsafeRawBufferPointer, takesFirst: Bool = false) {
        scanner = JSONScanner(bytes)
        self.takesFirst = takesFirst
    }

    /// Returns the single value of the text, or the error that explains why there is none.
    static func read(_ bytes: [UInt8], takesFirst: Bool = false) -> Result<JSONTree, JSONError> {
        // The scanner's life ends before the pointer becomes invalid.
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
        // `UInt64("-0")` is 0, too.
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

/// A token with its contents, for comparing two ways of reading a text.
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

/// Returns the tokens of a text in one piece, and the error that ended it.
func jsonTokens(
    _ bytes: [UInt8], allowsMultipleValues: Bool = false
) -> (seen: [JSONSeen], error: JSONError?) {
    var seen: [JSONSeen] = []
    // The scanner's life ends before the pointer becomes invalid.
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
    // The scanner's life ends before the pointer becomes invalid.
    try bytes.withUnsafeBytes { buffer in
        var scanner = JSONScanner(
            buffer, limits: limits, isComplete: isComplete,
            allowsMultipleValues: allowsMultipleValues)
        return try body(&scanner)
    }
}
