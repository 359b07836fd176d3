import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Filters with lists of many values.
@Suite("Long lists in filters") struct LongListTests {
    private static let rung = FilterProxy<Rung>()

    private static func check(_ filter: Filter, _ expected: [Int]) throws {
        let ladder = try Ladder()
        for context in [ladder.stored, ladder.mixed] {
            #expect(try Ladder.numbers(filter, in: context).filter { $0 < 40 } == expected)
            #expect(
                try Ladder.numbers(!filter, in: context).filter { $0 < 40 }
                    == (0..<40).filter { !expected.contains($0) })
        }
    }

    private static let others: [String] = (1_000..<201_000).map { "rung \($0)" }

    @Test func `a list in a filter can hold 200,000 texts`() throws {
        let texts = ["rung 3", "z\u{0}z", "\"\\\u{1}\n🙂é"] + Self.others
        try Self.check(Self.rung.name.isIn(texts), [3])
        try Self.check(
            Self.rung.name.isIn(Self.others + ["rung 4"]) || Self.rung.name.isIn(texts), [3, 4])
    }

    @Test func `a list in a filter can hold a thousand numbers, decimals or blobs`() throws {
        let many = 1_000..<2_000
        try Self.check(
            Self.rung.share.isIn([1.5, -0.0, .infinity] + many.map { Double($0) + 0.1 }), [0, 3])
        try Self.check(Self.rung.number.isIn([3] + many), [3])
        try Self.check(Self.rung.price.isIn([3, 5] + many.map { Decimal($0) }), [3, 5])
        try Self.check(
            Self.rung.data.isIn([Data([3])] + many.map { Data([1, UInt8($0 % 256)]) }), [3])
    }

    @Test(arguments: [100, 128, 129, 1_000])
    func `every text in a filter's long list is matched exactly`(count: Int) async throws {
        let texts = [
            "", "a", "\u{0}", "a\u{0}", "\u{0}b", "\"", "\\", "\\u0000", "/", "\u{1}", "\u{7F}",
            "é",
            "e\u{301}", "\u{301}", "🙂", "\u{10FFFF}", "t", "h00", "b", "\r\n", "\u{2028}", "null",
            "1",
        ]
        let stack = try TestStack(for: Rung.self) { context in
            for (number, text) in texts.enumerated() {
                let rung = try context.create(Rung.self)
                (rung.name, rung.number, rung.share) = (text, number, 0)
                (rung.price, rung.data) = (0, Data())
            }
        }
        let context = stack.stack.newContext()
        let fill = (0..<count).map { "fill \($0)" }
        for (number, text) in texts.enumerated() {
            let filter = Self.rung.name.isIn(fill + [text])
            #expect(try Ladder.numbers(filter, in: context) == [number], "\(text.debugDescription)")
            let both = Self.rung.name.isIn(fill + [text, "\u{0}!"])
            #expect(try Ladder.numbers(both, in: context) == [number], "\(text.debugDescription)")
        }
    }

    @Test(arguments: [2, 100, 1_000, 20_000])
    func `a filter with a list of any length uses an index`(count: Int) throws {
        let ladder = try Ladder()
        for extra in ["", "\u{0}"] {
            let request = FetchRequest<Rung>(
                filter: Self.rung.name.isIn(Self.others.prefix(count) + [extra]))
            let explanation = try ladder.stored.explain(request)
            #expect(!explanation.indexes.isEmpty, "\(explanation.plan)")
        }
    }

    @Test func `a filter's list that ignores case or diacritics can hold 8,000 texts`() throws {
        let names = (0..<8_000).map { "'RÜNG \($0 * 2)'" }.joined(separator: ", ")
        let format = "name IN[cd] {\(names)}"
        let even = Array(stride(from: 0, to: 40, by: 2))
        let filter = try SmallStack.run { try Filter(format: format, for: Rung.self) }
        try Self.check(filter, even)
        try Self.check(
            Filter(
                format: "name IN[c] %@", (0..<8_000).map { "RUNG \($0 * 2)" }, for: Rung.self), even
        )
        try FormatRoundTripTests.check(filter, Rung.self)
        #expect(try filter.formatString(for: Rung.self).hasPrefix("name IN[cd] {\"RÜNG 0\", "))
    }

    @Test func `a format string can hold a list of 100,000 values`() throws {
        let filter = try Filter(
            format: "number IN %@", (0..<100_000).map { $0 * 2 + 1 }, for: Rung.self)
        try Self.check(filter, Array(stride(from: 1, to: 40, by: 2)))
        let list = (0..<16_000).map { "\($0 * 3)" }.joined(separator: ",")
        try Self.check(
            Filter(format: "number IN {\(list)}", for: Rung.self),
            Array(stride(from: 0, to: 40, by: 3)))
    }

    /// A comparison of each object with each value would take seconds.
    @Test func `a filter with a list of 100,000 values evaluates 300 objects quickly`() throws {
        let context = try TestStack(for: Rung.self).stack.newContext()
        for number in 0..<300 { try context.create(Rung.self).number = number }
        let filter = Self.rung.number.isIn((0..<100_000).map { -$0 })
        #expect(try Ladder.numbers(filter, in: context) == [0])
    }

    @Test func `a filter path through 5,000 to-many relationships throws misuse`() throws {
        let path = String(repeating: "lower.", count: 5_000)
        for format in ["ANY \(path)number > 3", "3 IN \(path)number", "\(path)number CONTAINS 3"] {
            let error = try #require(throws: RecordStackError.self) {
                try SmallStack.run { try Filter(format: format, for: Rung.self) }
            }
            #expect(error.code == .misuse && error.message.contains("relationships"))
        }
    }
}
