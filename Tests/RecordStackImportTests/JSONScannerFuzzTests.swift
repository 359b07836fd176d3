import Foundation
import RecordStackImport
import Testing

/// Random texts, from a seed that is printed and can be given again.
@Suite struct JSONScannerFuzzTests {
    @Test func `mutated documents are read as the oracle and Foundation read them`() throws {
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
        // Both sides have to be well in play, or the mutations say nothing.
        #expect(accepted > count / 20 && accepted < count * 19 / 20, "\(accepted) accepted")
    }

    /// Whether the text was accepted.
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
        try checkDecoder(bytes, tree, known, shown)
        try checkSkipping(bytes, accepted: tree != nil, shown)
        return tree != nil
    }

    private func checkDecoder(
        _ bytes: [UInt8], _ tree: JSONTree?, _ known: FoundationJSON.Difference?, _ shown: String
    ) throws {
        let decoded = DecodedJSON.read(bytes)
        if known == nil {
            try #require((tree == nil) == (decoded == nil), "JSONDecoder accepts, \(shown)")
        }
        if tree == nil { return }
        if let decoded {
            let first = try JSONTreeReader.read(bytes, takesFirst: true).get()
            try #require(decoded.isSame(as: first), "JSONDecoder, \(shown)")
        }
    }

    private func checkSkipping(_ bytes: [UInt8], accepted: Bool, _ shown: String) throws {
        let end = scanningJSON(bytes) { scanner in
            guard (try? scanner.skipValue()) == true else { return false }
            return (try? scanner.next()) == .endOfInput
        }
        try #require(end == accepted, "skipping, \(shown)")
    }

    @Test func `random decimals are the nearest Double`() throws {
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

    @Test func `random decimals are integers exactly where their digits say so`() throws {
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
