import FoundationEssentials
import RecordStackModel

/// Writes JSON into bytes, without an intermediate tree.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    /// True if the next value follows another one.
    private var needsComma = false
    /// True if the next value belongs to the key just written.
    private var isAfterKey = false
    /// The number of arrays and objects that are open now.
    private var depth = 0
    /// The largest number of arrays and objects that were open at once.
    private(set) var deepest = 0
    /// The level of indentation; nil if the text is not indented.
    private var level: Int?

    init(isPretty: Bool = false) {
        level = isPretty ? 0 : nil
    }

    /// Returns the bytes written so far and clears the buffer, but keeps the state of the writer.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    // MARK: Structure

    mutating func beginObject() { begin(UInt8(ascii: "{")) }

    mutating func endObject() { end(UInt8(ascii: "}")) }

    mutating func beginArray() { begin(UInt8(ascii: "[")) }

    mutating func endArray() { end(UInt8(ascii: "]")) }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
        depth += 1
        deepest = max(deepest, depth)
        if let level { self.level = level + 1 }
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if let level { self.level = level - 1 }
        // An empty array or object stays on one line.
        if needsComma { breakLine() }
        bytes.append(bracket)
        needsComma = true
    }

    /// Writes the comma and the line break before a value or a key.
    private mutating func separate() {
        if isAfterKey {
            isAfterKey = false
            return
        }
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        if level ?? 0 > 0 { breakLine() }
        needsComma = true
    }

    private mutating func breakLine() {
        guard let level else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: level * 2)
    }

    /// Ends a text, or a line of several texts.
    mutating func endText() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    mutating func write(key: String) {
        separate()
        append(quoted: key)
        bytes.append(UInt8(ascii: ":"))
        if level != nil { bytes.append(UInt8(ascii: " ")) }
        isAfterKey = true
        needsComma = true
    }

    // MARK: Values

    /// Writes text that is JSON already, such as an object, a number or `true`.
    mutating func write(raw: String) {
        separate()
        if raw.utf8.count > 2 { noteDepth(of: raw) }
        bytes += raw.utf8
        needsComma = true
    }

    /// Updates `deepest` with the arrays and objects that a JSON text opens.
    private mutating func noteDepth(of raw: String) {
        guard raw.utf8.first == UInt8(ascii: "{") || raw.utf8.first == UInt8(ascii: "[") else {
            return
        }
        var (depth, isText, isEscaped) = (depth, false, false)
        for byte in raw.utf8 {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: break
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
    }

    mutating func write(_ text: String) {
        separate()
        append(quoted: text)
        needsComma = true
    }

    mutating func writeNull() { write(raw: "null") }

    /// Writes a number.
    ///
    /// - Precondition: the number is finite.
    mutating func write(_ number: Double) {
        precondition(number.isFinite, "JSON has no such number")
        write(raw: number.json)
    }

    mutating func write(_ value: ImportValue) {
        switch value {
        case .null: writeNull()
        case .bool(let flag): write(raw: flag ? "true" : "false")
        case .number(let text): write(raw: text)
        case .string(let text): write(text)
        case .date(let date): write(DateWriter.iso8601(date) ?? "\(date)")
        case .data(let data): write(data.base64EncodedString())
        case .array(let values):
            beginArray()
            for value in values { write(value) }
            endArray()
        case .object(let members):
            beginObject()
            for (key, value) in members {
                write(key: key)
                write(value)
            }
            endObject()
        }
    }

    private mutating func append(quoted text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20: append(escaped: byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped byte: UInt8) {
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u00".utf8
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
    }
}

extension Double {
    /// The number in JSON: the shortest text that reads as the same number.
    ///
    /// A whole number has no point.
    var json: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
