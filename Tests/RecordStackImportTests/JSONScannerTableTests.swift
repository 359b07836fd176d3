import RecordStackImport
import Testing

/// A table of valid and invalid texts, on which the scanner is compared with three parsers.
@Suite("Valid and invalid JSON") struct JSONScannerTableTests {
    @Test(arguments: JSONCases.valid)
    func `the JSON scanner reads valid JSON as Foundation does`(_ bytes: [UInt8]) throws {
        let tree = try JSONTreeReader.read(bytes).get()
        #expect(JSONOracle.read(bytes) == tree)
        let known = FoundationJSON.difference(bytes, tree)
        #expect(FoundationJSON.decoderAccepts(bytes) || known == .vanishingNumber)
        let value = try #require(FoundationJSON.serialization(bytes))
        #expect(FoundationJSON.same(tree, value))
    }

    @Test(arguments: JSONCases.invalid)
    func `the JSON scanner refuses invalid JSON`(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONTreeReader.read(bytes).get() }
        #expect(JSONOracle.read(bytes) == nil)
    }

    @Test(arguments: JSONCases.invalid)
    func `Foundation accepts invalid JSON only in the cases that the tests list`(_ bytes: [UInt8]) {
        let known = FoundationJSON.difference(bytes, nil)
        let accepts = FoundationJSON.serialization(bytes) != nil
        #expect(!accepts || known != nil, "JSONSerialization")
        #expect(!FoundationJSON.decoderAccepts(bytes) || known != nil, "JSONDecoder")
    }

    @Test func `Foundation still breaks the JSON standard where the scanner keeps it`() {
        for text in ["[1,]", "{\"a\":1,}", "1\u{0}", "[\u{0}]\u{0}"] {
            #expect(FoundationJSON.serialization(Array(text.utf8)) != nil, "\(text)")
            #expect(throws: JSONError.self) { try JSONTreeReader.read(Array(text.utf8)).get() }
        }
        for text in ["1e400", "-1e400", "1e99999999999999999999", "[1.8e308]"] {
            #expect(FoundationJSON.serialization(Array(text.utf8)) == nil, "\(text)")
            #expect(!FoundationJSON.decoderAccepts(Array(text.utf8)), "\(text)")
            #expect((try? JSONTreeReader.read(Array(text.utf8)).get()) != nil, "\(text)")
        }
        #expect(!FoundationJSON.decoderAccepts(Array("1e-400".utf8)))
        #expect(FoundationJSON.serialization(Array("\"\u{FEFF}a\"".utf8)) as? String == "a")
    }

    @Test func `the table of JSON test cases has at least 300 different cases`() {
        #expect(JSONCases.valid.count >= 100)
        #expect(JSONCases.invalid.count >= 150)
        #expect(Set(JSONCases.valid + JSONCases.invalid).count >= 300)
    }

    @Test(arguments: JSONCases.valid)
    func `skipping a valid JSON value covers the same text as reading it`(_ bytes: [UInt8]) throws {
        let (skipped, last) = try scanningJSON(bytes) { scanner in
            let isWhole = try scanner.skipValue()
            return (isWhole ? Array(scanner.text) : [], try scanner.next())
        }
        #expect(last == .endOfInput)
        #expect(try JSONTreeReader.read(skipped).get() == JSONTreeReader.read(bytes).get())
    }

    @Test(arguments: JSONCases.invalid)
    func `skipping invalid JSON throws the same error as reading it`(_ bytes: [UInt8]) {
        let expected = jsonTokens(bytes).error
        let error: JSONError? = scanningJSON(bytes) { scanner in
            do throws(JSONError) {
                _ = try scanner.skipValue()
                _ = try scanner.next()
                return nil
            } catch {
                return error
            }
        }
        #expect(error?.code == expected?.code)
        #expect(error?.position == expected?.position)
    }
}
