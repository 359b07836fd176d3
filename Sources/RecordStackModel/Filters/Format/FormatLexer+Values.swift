// Texts and numbers.
extension FormatLexer {
    /// Reads a text from its opening quote to the next quote of the same kind.
    mutating func quoted() throws -> String {
        let (start, quote) = (offset, source[offset])
        var view = String.UnicodeScalarView()
        offset += 1
        while let next = scalar() {
            offset += 1
            if next == quote { return String(view) }
            view.append(next == "\\" ? try escaped() : next)
        }
        throw FormatProblem("The text that begins here has no end: \(quote) is missing.", at: start)
    }

    /// Reads an escape sequence after its backslash.
    private mutating func escaped() throws -> Unicode.Scalar {
        let start = offset - 1
        guard let first = scalar() else {
            throw FormatProblem("Nothing stands behind the backslash.", at: start)
        }
        offset += 1
        switch first {
        case "\\", "'", "\"": return first
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "x", "X": return try scalar(digits: 2, radix: 16, from: start)
        case "u", "U": return try unicode(from: start)
        case "0"..."7":
            offset -= 1
            return try scalar(digits: 3, radix: 8, from: start)
        default:
            throw FormatProblem(
                "Behind a backslash there may be \\, ', \", n, r, t, three octal digits, x with two "
                    + "hexadecimal digits or u with four. A backslash itself is written twice.",
                at: start)
        }
    }

    /// Reads a scalar in hexadecimal digits; above U+FFFF it is a pair of UTF-16 surrogates.
    private mutating func unicode(from start: Int) throws -> Unicode.Scalar {
        let first = try digits(4, radix: 16, from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if (0xD800..<0xDC00).contains(first), scalar() == "\\", scalar(1) == "u" || scalar(1) == "U"
        {
            offset += 2
            let second = try digits(4, radix: 16, from: start)
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw FormatProblem("This half of a character has no other half.", at: start)
    }

    private mutating func scalar(
        digits count: Int, radix: Int, from start: Int
    ) throws -> Unicode.Scalar {
        let value = try digits(count, radix: radix, from: start)
        guard let scalar = Unicode.Scalar(value), value < 0x100 else {
            throw FormatProblem("\(String(value, radix: 8)) is larger than octal 377.", at: start)
        }
        return scalar
    }

    private mutating func digits(_ count: Int, radix: Int, from start: Int) throws -> UInt32 {
        let end = min(offset + count, source.count)
        let text = text(offset..<end)
        guard text.utf8.count == count, text.utf8.first != UInt8(ascii: "+"),
            text.utf8.first != UInt8(ascii: "-"), let value = UInt32(text, radix: radix)
        else {
            throw FormatProblem(
                "\(count) \(radix == 8 ? "octal" : "hexadecimal") digits were expected here.",
                at: start)
        }
        offset = end
        return value
    }

    // MARK: Numbers

    mutating func number() throws -> FormatNumber {
        let start = offset
        let radixes: [Unicode.Scalar: Int] = ["x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2]
        if source[offset] == "0", let letter = scalar(1), let radix = radixes[letter] {
            offset += 2
            let digits = run { $0.isASCII && Self.continuesName($0) }
            guard !digits.contains("_"), let value = UInt64(digits, radix: radix) else {
                throw FormatProblem(
                    "This is no number of 64 bits with the base \(radix).", at: start)
            }
            return FormatNumber(value)
        }
        let isWhole = try fraction(from: start)
        if let next = scalar(), Self.continuesName(next) {
            throw FormatProblem("A number ends in what is no digit.", at: start)
        }
        let text = text(start..<offset)
        if isWhole, let value = UInt64(text) { return FormatNumber(value) }
        guard let value = Double(text), value.isFinite else {
            throw FormatProblem("This number is too large for a Double.", at: start)
        }
        return .real(value, digits: text)
    }

    /// Skips the digits of a number, and returns true if it has no fraction and no exponent.
    private mutating func fraction(from start: Int) throws -> Bool {
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        var isWhole = true
        _ = run(isDigit)
        if scalar() == ".", let next = scalar(1), isDigit(next) {
            isWhole = false
            offset += 1
            _ = run(isDigit)
        }
        if scalar() == "e" || scalar() == "E" {
            isWhole = false
            offset += scalar(1) == "+" || scalar(1) == "-" ? 2 : 1
            if run(isDigit).isEmpty {
                throw FormatProblem("This number has an exponent without digits.", at: start)
            }
        }
        return isWhole
    }

    private mutating func run(_ belongs: (Unicode.Scalar) -> Bool) -> String {
        let start = offset
        while let next = scalar(), belongs(next) { offset += 1 }
        return text(start..<offset)
    }
}
