/// A second JSON reader, with which the tests compare the scanner. It is slow and recursive, reads
/// Unicode scalars, and shares only the RFC with the scanner.
struct JSONOracle {
    /// The ways to be less strict than the RFC, which describe other parsers.
    struct Leniency: OptionSet {
        let rawValue: Int
        static let trailingCommas = Leniency(rawValue: 1)
        /// Reads only the first value of a repeated key. The numbers and strings in its other
        /// values may be anything.
        static let unreadRepeats = Leniency(rawValue: 2)
    }

    private struct Refused: Error {}
    private let scalars: [Unicode.Scalar]
    private let leniency: Leniency
    private var index = 0
    private var depth = 0
    /// The number of open values that are not read.
    private var unread = 0

    /// Returns the value of the text, or nil if it is not JSON.
    static func read(_ bytes: [UInt8], _ leniency: Leniency = []) -> JSONTree? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var oracle = JSONOracle(scalars: Array(text.unicodeScalars), leniency: leniency)
        if oracle.peek == "\u{FEFF}" { oracle.index += 1 }
        guard let tree = try? oracle.value() else { return nil }
        oracle.space()
        return oracle.peek == nil ? tree : nil
    }

    private init(scalars: [Unicode.Scalar], leniency: Leniency) {
        self.scalars = scalars
        self.leniency = leniency
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func space() {
        while let scalar = peek, " \t\r\n".unicodeScalars.contains(scalar) { index += 1 }
    }

    private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard peek == wanted else { return false }
        index += 1
        return true
    }

    private mutating func value() throws -> JSONTree {
        space()
        switch peek {
        case "[": return try array()
        case "{": return try object()
        case "\"": return .string(try string())
        case "t": return try word("true", .bool(true))
        case "f": return try word("false", .bool(false))
        case "n": return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ spelling: String, _ tree: JSONTree) throws -> JSONTree {
        for scalar in spelling.unicodeScalars where !take(scalar) { throw Refused() }
        return tree
    }

    private mutating func enter() throws {
        index += 1
        depth += 1
        guard depth <= 512 else { throw Refused() }
        space()
    }

    private mutating func array() throws -> JSONTree {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONTree] = []
        if take("]") { return .array([]) }
        while true {
            elements.append(try value())
            space()
            if take("]") { return .array(elements) }
            guard take(",") else { throw Refused() }
            space()
            if leniency.contains(.trailingCommas), take("]") { return .array(elements) }
        }
    }

    private mutating func object() throws -> JSONTree {
        try enter()
        defer { depth -= 1 }
        var members: [[UInt8]: JSONTree] = [:]
        if take("}") { return .object([:]) }
        while true {
            space()
            let key = try string()
            space()
            guard take(":") else { throw Refused() }
            let isUnread = leniency.contains(.unreadRepeats) && members[key] != nil
            if isUnread { unread += 1 }
            let value = try value()
            if isUnread { unread -= 1 } else { members[key] = value }
            space()
            if take("}") { return .object(members) }
            guard take(",") else { throw Refused() }
            space()
            if leniency.contains(.trailingCommas), take("}") { return .object(members) }
        }
    }

    private mutating func string() throws -> [UInt8] {
        guard take("\"") else { throw Refused() }
        if unread > 0 { return try skipString() }
        var units: [UInt16] = []
        while let scalar = peek {
            index += 1
            switch scalar {
            case "\"":
                // Invalid UTF-16 means a lone surrogate, which the input itself cannot contain.
                guard let text = String(validating: units, as: UTF16.self) else { throw Refused() }
                return Array(text.utf8)
            case "\\": units.append(try escape())
            case ..<" ": throw Refused()
            default: units += Array(String(scalar).utf16)
            }
        }
        throw Refused()
    }

    private mutating func skipString() throws -> [UInt8] {
        while let scalar = peek {
            index += scalar == "\\" ? 2 : 1
            if scalar == "\"" { return [] }
        }
        throw Refused()
    }

    private mutating func escape() throws -> UInt16 {
        guard let scalar = peek else { throw Refused() }
        index += 1
        let simple: [Unicode.Scalar: UInt16] = [
            "\"": 34, "\\": 92, "/": 47, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        if let unit = simple[scalar] { return unit }
        guard scalar == "u", index + 4 <= scalars.count else { throw Refused() }
        var digits = ""
        digits.unicodeScalars.append(contentsOf: scalars[index..<index + 4])
        index += 4
        guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(digits, radix: 16)
        else { throw Refused() }
        return unit
    }

    private mutating func digits() throws {
        let begin = index
        while let scalar = peek, ("0"..."9").contains(scalar) { index += 1 }
        guard index > begin else { throw Refused() }
    }

    private mutating func number() throws -> JSONTree {
        let begin = index
        if unread > 0 {
            // The text must begin like a number.
            guard let first = peek, "-0123456789".unicodeScalars.contains(first) else {
                throw Refused()
            }
            while let scalar = peek, "+-.0123456789Ee".unicodeScalars.contains(scalar) {
                index += 1
            }
            return .null
        }
        var isInteger = true
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") {
            isInteger = false
            try digits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        var raw = ""
        raw.unicodeScalars.append(contentsOf: scalars[begin..<index])
        guard let double = Double(raw) else { throw Refused() }
        return .number(raw, isInteger: isInteger, double: double)
    }
}
