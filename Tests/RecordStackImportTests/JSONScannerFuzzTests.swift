import Foundation
import RecordStackImport
import Testing

/// Random texts. The seed is printed, and can be given again.
@Suite("Random JSON") struct JSONScannerFuzzTests {
    @Test func `the JSON scanner reads mutated documents as Foundation does`() throws {
        let seed = JSONFuzz.seed()
        print("JSONScanner fuzz: RECORDSTACK_SEED=\(seed)")
        var random = JSONFuzz.Random(state: seed)
        let seeds = JSONFuzz.documents()
        let full = ProcessInfo.processInfo.environment["RECORDSTACK_FULL"] != nil
        var accepted = 0
        let count = full ? 100_000 : 10_000
        for round in 0..<count {
            let bytes = JSONFuzz.mutated(seeds.randomElement(using: &random) ?? [], &random)
            accepted += try check(bytes, "seed \(seed), round \(round)") ? 1 : 0
        }
        // The mutations prove nothing unless many documents are accepted and many refused.
        #expect(accepted > count / 20 && accepted < count * 19 / 20, "\(accepted) accepted")
    }

    /// Checks a text, and returns true if the scanner accepted it.
    private func check(_ bytes: [UInt8], _ context: String) throws -> Bool {
        let shown = "\(context): \(String(decoding: bytes, as: UTF8.self))"
        let tree = try? JSONTreeReader.read(bytes).get()
        let expected = JSONOracle.read(bytes)
        try #require(tree == expected, "oracle, \(shown)")
        let value = FoundationJSON.serialization(bytes)
        let known = FoundationJSON.difference(bytes, tree)
        if let tree, let value {
            try #require(FoundationJSON.same(tree, value), "Foundation, \(shown)")
        } else if known == nil {
            try #require((tree == nil) == (value == nil), "Foundation, \(shown)")
        }
        try checkDecoder(bytes, shown)
        try checkSkipping(bytes, accepted: tree != nil, shown)
        return tree != nil
    }

    /// Compares the scanner with JSONDecoder, which reads the first value of a repeated key and
    /// ignores errors in the other values.
    private func checkDecoder(_ bytes: [UInt8], _ shown: String) throws {
        let decoded = DecodedJSON.read(bytes)
        let tree = try? JSONTreeReader.read(bytes, takesFirst: true).get()
        let isUnread =
            tree == nil && JSONOracle.read(bytes, [.trailingCommas, .unreadRepeats]) != nil
        if FoundationJSON.difference(bytes, tree) == nil && !isUnread {
            try #require((tree == nil) == (decoded == nil), "JSONDecoder accepts, \(shown)")
        }
        if let tree, let decoded {
            try #require(decoded.isSame(as: tree), "JSONDecoder, \(shown)")
        }
    }

    @Test(arguments: [
        #"{"a":1e4001,"a":2}"#, #"{"a":2,"a":1e4001}"#, #"{"a":1,"a":1e4001,"a":2}"#,
        #"{"a":1e-4001,"a":2}"#, "0e1", "[-0.0E-7, 0e0]", #"{"a":[1],"a":[1e999]}"#,
        #"{"a":{"b":1e999},"a":{}}"#,
    ])
    func `the JSON scanner reads repeated keys and extreme numbers`(text: String) throws {
        #expect(try check(Array(text.utf8), "repeated keys"))
    }

    @Test(arguments: [
        #"{"a":1,"a":2-}"#, #"{"a":1,"a":[1.]}"#, #"{"a":{},"a":{"b":01}}"#,
        #"{"a":1,"a":"\ud800"}"#,
        #"{"a":1,"a":"\x"}"#,
    ])
    func `the JSON scanner finds an error in the value of a repeated key`(text: String) throws {
        #expect(try !check(Array(text.utf8), "repeated keys"))
        #expect(DecodedJSON.read(Array(text.utf8)) != nil)
    }

    private func checkSkipping(_ bytes: [UInt8], accepted: Bool, _ shown: String) throws {
        let end = scanningJSON(bytes) { scanner in
            guard (try? scanner.skipValue()) == true else { return false }
            return (try? scanner.next()) == .endOfInput
        }
        try #require(end == accepted, "skipping, \(shown)")
    }

    @Test func `the JSON scanner reads random decimals as the nearest Double`() throws {
        let seed = JSONFuzz.seed()
        print("JSONScanner decimals: RECORDSTACK_SEED=\(seed)")
        var random = JSONFuzz.Random(state: seed)
        for _ in 0..<30_000 {
            let text = JSONFuzz.decimal(&random)
            let read = try scanningJSON(text) { scanner in
                _ = try scanner.next()
                return scanner.number.double
            }
            try #require(read.bitPattern == strtod(text, nil).bitPattern, "\(text), seed \(seed)")
        }
    }

    @Test func `the JSON scanner reads a random decimal as an integer only if whole`() throws {
        let seed = JSONFuzz.seed()
        print("JSONScanner integers: RECORDSTACK_SEED=\(seed)")
        var random = JSONFuzz.Random(state: seed)
        for _ in 0..<30_000 {
            let (text, plain) = JSONFuzz.shifted(&random)
            let (signed, unsigned) = try scanningJSON(text) { scanner in
                _ = try scanner.next()
                return (scanner.number.int64, scanner.number.uint64)
            }
            try #require(signed == plain.flatMap { Int64($0) }, "\(text), seed \(seed)")
            try #require(unsigned == plain.flatMap { UInt64($0) }, "\(text), seed \(seed)")
        }
    }
}
