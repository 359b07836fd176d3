import RecordStackImport
import Testing

/// Texts that arrive in pieces.
@Suite("JSON in pieces") struct JSONScannerSplitTests {
    private static let documents: [String] = [
        "{\"id\":1,\"name\":\"\\u00e9\\ud83d\\ude00\",\"tags\":[\"é\",\"日\",\"😀\"],\"x\":-1.5e-3}",
        "\u{FEFF}[true, false ,null,\n 12345678901234567890, {\"\":{}} ]\n", "12", "true",
        "\"a\\n\"",
        "[[[[1],2],3],{\"a\":[{}]}]", " \n[\"a very long string, longer than eight bytes\"] ",
    ]

    @Test(arguments: documents)
    func `the JSON scanner reads a prefix and then asks for more input`(_ text: String) throws {
        let bytes = Array(text.utf8)
        let whole = jsonTokens(bytes).seen
        for count in 0..<bytes.count {
            var seen: [JSONSeen] = []
            try scanningJSON(Array(bytes.prefix(count)), isComplete: false) { scanner in
                while true {
                    let token = try scanner.next()
                    if token == .needsMoreInput { return }
                    seen.append(JSONSeen(token, scanner))
                }
            }
            #expect(seen == Array(whole.prefix(seen.count)), "\(count) bytes")
            #expect(seen.count < whole.count)
        }
    }

    @Test(arguments: documents)
    func `the JSON scanner gives the same tokens for text that comes in pieces`(_ text: String) {
        let bytes = Array(text.utf8)
        let whole = jsonTokens(bytes)
        for size in 1...17 { #expect(jsonTokens(bytes, inPieces: [size]) == whole) }
        for first in 0...bytes.count {
            #expect(jsonTokens(bytes, inPieces: [first, bytes.count]) == whole)
        }
    }

    @Test(arguments: JSONCases.invalid)
    func `the JSON scanner gives the same error for text that comes in pieces`(_ bytes: [UInt8]) {
        let whole = jsonTokens(bytes)
        for sizes in [[1], [2], [3, 1], [7]] {
            let pieces = jsonTokens(bytes, inPieces: sizes)
            #expect(pieces.error == whole.error)
            #expect(pieces.seen == whole.seen)
        }
    }

    @Test func `the JSON scanner reads several values in pieces as in the whole text`() {
        for text in ["1 2\n3", "{}{}\n[] \"a\" true\nfalse 1", "", " ", "truefalse", "1 2 x"] {
            let bytes = Array(text.utf8)
            let whole = jsonTokens(bytes, allowsMultipleValues: true)
            for size in 1...5 {
                let pieces = jsonTokens(bytes, inPieces: [size], allowsMultipleValues: true)
                #expect(pieces == whole, "\(text)")
            }
        }
    }

    @Test func `the JSON scanner can re-read a truncated record from its beginning`() throws {
        let records = (0..<50).map { "{\"n\":\($0),\"s\":\"x\\n\($0)\",\"a\":[\($0),[]]}" }
        let bytes = Array("{\"meta\":[1],\"all\":[\n\(records.joined(separator: ",\n"))]}".utf8)
        for size in [1, 7, 31, 200] {
            var feed = JSONPieces(bytes, [size])
            var scanner = JSONScanner(feed.bytes, isComplete: feed.isComplete)
            var sums: [Int64] = []
            var depth = 0
            while true {
                let mark = scanner.mark()
                let token = try scanner.next()
                depth = scanner.depth
                if token == .endOfInput { break }
                var sum: Int64? = 0
                if token == .beginObject, depth == 3 {
                    sum = try Self.sumOfRecord(&scanner)
                    if let sum { sums.append(sum) }
                }
                if token == .needsMoreInput || sum == nil {
                    scanner.restore(mark)
                    feed.advance(&scanner)
                }
            }
            #expect(sums == (0..<50).map { $0 * 2 })
        }
    }

    /// Returns the sum of the numbers in a record, or nil if the record is incomplete.
    private static func sumOfRecord(_ scanner: inout JSONScanner) throws(JSONError) -> Int64? {
        let outer = scanner.depth - 1
        var sum: Int64 = 0
        while scanner.depth > outer {
            switch try scanner.next() {
            case .number: sum += scanner.number.int64 ?? 0
            case .needsMoreInput: return nil
            default: break
            }
        }
        return sum
    }

    @Test func `the JSON scanner skips a value once the whole value has arrived`() throws {
        let text = "[{\"a\":[1,\"\\u0041é\",true]} ,2]"
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var feed = JSONPieces(bytes, [size])
            var scanner = JSONScanner(feed.bytes, isComplete: feed.isComplete)
            while try scanner.next() == .needsMoreInput { feed.advance(&scanner) }
            var skipped: [String] = []
            for _ in 0..<2 {
                while try !scanner.skipValue() { feed.advance(&scanner) }
                skipped.append(scanner.string)
            }
            while try !scanner.skipContainer() { feed.advance(&scanner) }
            #expect(skipped == ["{\"a\":[1,\"\\u0041é\",true]}", "2"])
            #expect(scanner.depth == 0)
            #expect(scanner.offset == bytes.count)
        }
    }
}
