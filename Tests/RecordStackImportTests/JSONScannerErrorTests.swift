import RecordStackImport
import Testing

/// Messages and positions of errors, and the limits.
@Suite("JSON scanner errors") struct JSONScannerErrorTests {
    @Test(
        arguments: [
            ("", JSONError.Code.unexpectedEnd, 1, 1, 0),
            ("[1,\n 2,\n  x]", .unexpectedByte, 3, 3, 10),
            ("[1 2]", .unexpectedByte, 1, 4, 3), ("\"é\u{1}\"", .controlCharacter, 1, 4, 3),
            ("\"\\x\"", .badEscape, 1, 3, 2), ("\"\\u12z4\"", .badEscape, 1, 6, 5),
            ("[\"\\ud800\"]", .loneSurrogate, 1, 3, 2), ("01", .badNumber, 1, 2, 1),
            ("1.x", .badNumber, 1, 3, 2), ("1e+", .unexpectedEnd, 1, 4, 3),
            ("-x", .badNumber, 1, 2, 1),
            ("{}\r\n\r\n{}", .trailingContent, 3, 1, 6), ("{\"a\"\n1}", .unexpectedByte, 2, 1, 5),
            ("[\"a", .unexpectedEnd, 1, 4, 3), ("nulx", .unexpectedByte, 1, 4, 3),
            ("{\"a\":1,\n}", .unexpectedByte, 2, 1, 8), ("\n\n\n]", .unexpectedByte, 4, 1, 3),
        ] as [(String, JSONError.Code, Int, Int, Int)])
    func `a JSON scanner error has the code and position of the first bad byte`(
        _ text: String, _ code: JSONError.Code, _ line: Int, _ column: Int, _ offset: Int
    ) {
        let error = jsonTokens(Array(text.utf8)).error
        #expect(error?.code == code)
        #expect(error?.position == JSONPosition(line: line, column: column, offset: offset))
    }

    @Test func `a JSON scanner error names what was found and what was expected`() {
        let messages = ["[1;", "{\"a\"}", "\"\t\"", "[", "\u{7F}"].map {
            jsonTokens(Array($0.utf8)).error.map { "\($0)" }
        }
        #expect(
            messages == [
                "line 1, column 3: expected ',' or the closing bracket, found ';'",
                "line 1, column 5: expected ':' after a key, found '}'",
                "line 1, column 2: expected control characters in strings to be escaped, "
                    + "found the byte 0x09",
                "line 1, column 2: expected a value or ']', but the text ends",
                "line 1, column 1: expected a value, found the byte 0x7F",
            ])
    }

    @Test func `an invalid UTF-8 error in JSON points at the first impossible byte`() {
        for (bytes, offset) in [
            ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xE2, 0x82, 0x22], 3),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 2), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2),
        ] as [([UInt8], Int)] {
            let error = jsonTokens(bytes).error
            #expect(error?.code == .invalidUTF8)
            #expect(error?.position.offset == offset)
        }
    }

    @Test func `the JSON scanner throws the same error again at each call`() throws {
        let (first, second) = scanningJSON("[1,]") { scanner in
            _ = try? scanner.next()
            _ = try? scanner.next()
            return (failure(&scanner), failure(&scanner))
        }
        #expect(first?.code == .unexpectedByte)
        #expect(first == second)
    }

    @Test func `JSON scanner positions continue from the given start position`() {
        let bytes = Array("\n [1,x]".utf8)
        // The scanner's life ends before the pointer becomes invalid.
        let error = bytes.withUnsafeBytes { buffer in
            var scanner = JSONScanner(
                buffer, startingAt: JSONPosition(line: 10, column: 40, offset: 1000))
            while let token = try? scanner.next(), token != .endOfInput {}
            return failure(&scanner)
        }
        #expect(error?.position == JSONPosition(line: 11, column: 5, offset: 1005))
    }

    @Test func `the JSON scanner reports where a token begins and ends`() throws {
        try scanningJSON("{\n  \"a\": 12}") { scanner in
            for _ in 0..<3 { _ = try scanner.next() }
            #expect(scanner.tokenPosition == JSONPosition(line: 2, column: 8, offset: 9))
            #expect(scanner.position == JSONPosition(line: 2, column: 10, offset: 11))
            #expect(scanner.offset == 11)
        }
    }

    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 512, 1000])
    func `the JSON scanner allows nesting up to its depth limit and not beyond`(_ depth: Int) {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let inner = open == "[" ? "" : "1"
            let text =
                String(repeating: open, count: depth) + inner
                + String(repeating: close, count: depth)
            for (limit, fits) in [(depth, true), (depth - 1, false)] {
                let limits = JSONLimits(depth: limit)
                let read = scanningJSON(text, limits: limits) { scanner in
                    while let token = try? scanner.next(), token != .endOfInput {}
                    return failure(&scanner)?.code
                }
                #expect(read == (fits ? nil : .depthExceeded))
                let skipped = scanningJSON(text, limits: limits) { scanner in
                    try? scanner.skipValue()
                }
                #expect(skipped == (fits ? true : nil))
            }
        }
    }

    @Test func `the JSON scanner matches brackets to a depth of 300`() {
        var random = JSONFuzz.Random(state: 7)
        let kinds = (0..<300).map { _ in Bool.random(using: &random) }
        let text =
            kinds.map { $0 ? "{\"k\":" : "[" }.joined() + "0"
            + kinds.reversed().map { $0 ? "}" : "]" }.joined()
        let seen = jsonTokens(Array(text.utf8)).seen.map(\.token)
        #expect(seen.filter { $0 == .beginObject || $0 == .beginArray }.count == 300)
        let ends = seen.filter { $0 == .endObject || $0 == .endArray }
        #expect(ends == kinds.reversed().map { $0 ? .endObject : .endArray })
        #expect(seen.last == .endOfInput)
    }

    @Test func `the JSON scanner refuses strings and numbers longer than its limits`() {
        let limits = JSONLimits(stringLength: 10, numberLength: 5)
        for (text, code) in [
            ("\"0123456789\"", nil), ("\"0123456789a\"", .stringTooLong), ("12345", nil),
            ("123456", .numberTooLong), ("-1.25", nil), ("-1.250", .numberTooLong),
            ("{\"0123456789a\":1}", .stringTooLong), ("\"\\u0041\\u0041\"", .stringTooLong),
        ] as [(String, JSONError.Code?)] {
            let read = scanningJSON(text, limits: limits) { scanner in
                while let token = try? scanner.next(), token != .endOfInput {}
                return failure(&scanner)?.code
            }
            #expect(read == code, "\(text)")
        }
    }

    @Test func `the JSON scanner refuses an overlong string before its end arrives`() {
        let limits = JSONLimits(stringLength: 10, numberLength: 5)
        for (text, code) in [
            ("\"0123456789", nil), ("\"0123456789ab", .stringTooLong),
            ("\"\\n0123456789a", .stringTooLong), ("12345", nil), ("123456", .numberTooLong),
        ] as [(String, JSONError.Code?)] {
            let read = scanningJSON(text, limits: limits, isComplete: false) { failure(&$0)?.code }
            #expect(read == code, "\(text)")
        }
    }

    /// Returns the error of the next call, or nil.
    private func failure(_ scanner: inout JSONScanner) -> JSONError? {
        do throws(JSONError) {
            _ = try scanner.next()
            return nil
        } catch {
            return error
        }
    }
}
