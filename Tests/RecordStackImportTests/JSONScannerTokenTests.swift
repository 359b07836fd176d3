import RecordStackImport
import Testing

/// The contents of tokens, and the skipping of values.
@Suite("JSON scanner tokens") struct JSONScannerTokenTests {
    @Test func `the JSON scanner returns keys and values between an object's braces`() {
        let (seen, error) = jsonTokens(Array("{\"a\":[1,true,null],\"b\":{\"c\":\"d\"}}".utf8))
        #expect(error == nil)
        #expect(
            seen.map(\.token) == [
                .beginObject, .key, .beginArray, .number, .true, .null, .endArray, .key,
                .beginObject, .key, .string, .endObject, .endObject, .endOfInput,
            ])
        #expect(seen.map(\.depth) == [1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 2, 1, 0, 0])
    }

    @Test func `the JSON scanner returns a token for each repeated key`() {
        let (seen, _) = jsonTokens(Array("{\"a\":1,\"a\":2}".utf8))
        #expect(seen.filter { $0.token == .key }.map(\.text) == [[0x61], [0x61]])
    }

    @Test func `the JSON scanner returns endOfInput at each call after the end`() throws {
        let ends = try scanningJSON("1") { scanner in
            _ = try scanner.next()
            return [try scanner.next(), try scanner.next(), try scanner.next()]
        }
        #expect(ends == [.endOfInput, .endOfInput, .endOfInput])
    }

    @Test func `the JSON scanner copies only strings with escapes out of the input`() throws {
        let bytes = Array("[\"plain é\",\"a\\nb\"]".utf8)
        // The scanner's life ends before the pointer becomes invalid.
        let inside: [Bool] = try bytes.withUnsafeBytes { buffer in
            var scanner = JSONScanner(buffer)
            _ = try scanner.next()
            return try (0..<2).map { _ in
                _ = try scanner.next()
                let begin = try #require(buffer.baseAddress)
                let text = try #require(scanner.text.baseAddress)
                return text >= begin && text < begin + buffer.count
            }
        }
        #expect(inside == [true, false])
    }

    @Test(arguments: [
        ("\"\\u0000\"", "\u{0}"), ("\"\\b\\f\\n\\r\\t\\/\\\\\\\"\"", "\u{8}\u{C}\n\r\t/\\\""),
        ("\"\\u00e9\\u20ac\\ud83d\\ude00\\u007f\"", "é€😀\u{7F}"), ("\"ab\\u0041cd\"", "abAcd"),
        ("\"\\\\n\"", "\\n"), ("\"0123456789\\t0123456789\"", "0123456789\t0123456789"),
        ("\"日本\\n語\"", "日本\n語"), ("\"\"", ""),
    ])
    func `the JSON scanner decodes escapes`(_ text: String, _ expected: String) throws {
        let read = try scanningJSON(text) { scanner in
            _ = try scanner.next()
            return scanner.string
        }
        #expect(Array(read.utf8) == Array(expected.utf8))
    }

    @Test func `the JSON scanner decodes an escape at any position of a long string`() throws {
        for place in 0..<300 {
            let before = String(repeating: "x", count: place)
            let after = String(repeating: "é", count: 300 - place)
            let read = try scanningJSON("\"\(before)\\ud83d\\ude00\(after)\"") { scanner in
                _ = try scanner.next()
                return scanner.string
            }
            #expect(read == "\(before)😀\(after)")
        }
    }

    @Test(
        arguments: [
            ("0", true, 0, 0), ("-0", true, 0, 0), ("7", true, 7, 7), ("-7", true, -7, nil),
            ("7.0", false, 7, 7), ("7e2", false, 700, 700), ("700e-2", false, 7, 7),
            ("7.5", false, nil, nil), ("75e-1", false, nil, nil), ("0e400", false, 0, 0),
            ("9223372036854775807", true, Int64.max, 9_223_372_036_854_775_807),
            ("9223372036854775808", true, nil, 9_223_372_036_854_775_808),
            ("-9223372036854775808", true, Int64.min, nil),
            ("-9223372036854775809", true, nil, nil),
            ("18446744073709551615", true, nil, UInt64.max),
            ("18446744073709551616", true, nil, nil),
            ("99999999999999999999999", true, nil, nil),
            ("1.8446744073709551615e19", false, nil, .max),
            ("0.00000000000000000000001e23", false, 1, 1),
            ("1e19", false, nil, 10_000_000_000_000_000_000),
            ("1e20", false, nil, nil), ("1.0000000000000000000000000", false, 1, 1),
        ] as [(String, Bool, Int64?, UInt64?)])
    func `the JSON scanner reads an integer exactly or returns nil`(
        _ text: String, _ isInteger: Bool, _ signed: Int64?, _ unsigned: UInt64?
    ) throws {
        try scanningJSON("[\(text)]") { scanner in
            _ = try scanner.next()
            let token = try scanner.next()
            let number = scanner.number
            #expect(token == .number)
            #expect(number.text == text)
            #expect(number.isInteger == isInteger)
            #expect(number.int64 == signed)
            #expect(number.uint64 == unsigned)
            #expect(number.double.bitPattern == Double(text)?.bitPattern)
        }
    }

    @Test(arguments: [
        // Divided by 10^19, these leave half a bit and a remainder that only the division shows.
        "0.9516237000573218308", "0.4990625016349084231", "-0.3972310460131071308",
        "0.4644352589739103865",
        // These lie exactly between two Doubles and round to the even one, up or down.
        "9007199254740993", "9007199254740995", "9007199254740993e3", "4503599627370497.5",
        "4503599627370498.5", "9007199254740993.0000000000000000000000001",
    ])
    func `the JSON scanner reads a decimal close to a tie as the nearest Double`(_ text: String)
        throws
    {
        let read = try scanningJSON(text) { scanner in
            _ = try scanner.next()
            return scanner.number.double
        }
        #expect(read.bitPattern == Double(text)?.bitPattern)
    }

    @Test func `the JSON scanner reads several values only if allowed`() throws {
        let text = Array("{\"a\":1}\n{\"a\":2}\n3 \"x\"[]".utf8)
        let (seen, error) = jsonTokens(text, allowsMultipleValues: true)
        #expect(error == nil)
        #expect(seen.filter { $0.depth == 0 }.count == 6)
        #expect(seen.last?.token == .endOfInput)
        #expect(jsonTokens(text).error?.code == .trailingContent)
    }

    @Test func `the JSON scanner accepts empty text if several values are allowed`() {
        for text in ["", " \n", "\u{FEFF}", "\u{FEFF}\n"] {
            let (seen, error) = jsonTokens(Array(text.utf8), allowsMultipleValues: true)
            #expect(error == nil)
            #expect(seen.map(\.token) == [.endOfInput])
        }
    }

    @Test(arguments: ["1true", "truefalse", "12-3", "null1", "1e5e5", "{},{}", "01", "1\u{FEFF}2"])
    func `the JSON scanner refuses values without a separator`(_ text: String) {
        #expect(jsonTokens(Array(text.utf8), allowsMultipleValues: true).error != nil)
    }

    @Test func `the JSON scanner's skipValue after a key skips its whole value`() throws {
        let text = "{\"a\": {\"b\":[1,\"]}\",{}]} ,\"c\":2}"
        let (skipped, key) = try scanningJSON(text) { scanner in
            _ = try scanner.next()
            _ = try scanner.next()
            _ = try scanner.skipValue()
            let skipped = scanner.string
            _ = try scanner.next()
            return (skipped, scanner.string)
        }
        #expect(skipped == "{\"b\":[1,\"]}\",{}]}")
        #expect(key == "c")
    }

    @Test func `the JSON scanner's skipValue before a key skips the key and its value`() throws {
        let (first, second, token) = try scanningJSON("{ \"a\" : 1 , \"b\":[] }") { scanner in
            _ = try scanner.next()
            _ = try scanner.skipValue()
            let first = scanner.string
            _ = try scanner.skipValue()
            return (first, scanner.string, try scanner.next())
        }
        #expect(first == "\"a\" : 1")
        #expect(second == "\"b\":[]")
        #expect(token == .endObject)
    }

    @Test func `skipContainer skips to the end of the JSON container from any position`() throws {
        let text = "[{\"a\":[1,2],\"b\":3},4]"
        let count = jsonTokens(Array(text.utf8)).seen.prefix { $0.depth > 0 }.count
        for read in 1...count {
            let (depth, after) = try scanningJSON(text) { scanner in
                for _ in 0..<read { _ = try scanner.next() }
                let depth = scanner.depth
                _ = try scanner.skipContainer()
                return (depth, scanner.depth)
            }
            #expect(after == depth - 1)
        }
    }

    @Test func `the JSON scanner's skipValue throws where no value follows`() {
        for (text, read) in [("[]", 1), ("[1]", 2), ("{}", 1), ("1", 1), ("", 0)] {
            let code = scanningJSON(text) { scanner in
                for _ in 0..<read { _ = try? scanner.next() }
                do throws(JSONError) {
                    _ = try scanner.skipValue()
                    return nil as JSONError.Code?
                } catch {
                    return error.code
                }
            }
            #expect(code == (text.count > 1 ? .unexpectedByte : .unexpectedEnd), "\(text)")
        }
    }
}
