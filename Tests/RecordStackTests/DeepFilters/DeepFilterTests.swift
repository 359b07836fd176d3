import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Filters that are long or deep, on threads with small stacks.
@Suite("Deep filters") struct DeepFilterTests {
    private static let rung = FilterProxy<Rung>()
    private static let isSanitized =
        ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] != nil

    /// Checks a filter in SQL and beside edits, prints it, and reads the text back if it is not too
    /// long.
    /// - Parameter expected: the numbers of the stored rungs that the filter finds.
    private static func check(
        _ expected: [Int], isRead: Bool = true, _ make: @escaping @Sendable () throws -> Filter
    ) throws {
        let found = try SmallStack.run {
            let filter = try make()
            let ladder = try Ladder()
            let text = try filter.formatString(for: Rung.self)
            if isRead { try FormatRoundTripTests.check(filter, Rung.self) }
            _ = try ladder.stored.count(FetchRequest<Rung>(filter: filter))
            #expect(!text.isEmpty)
            return [
                try Ladder.numbers(filter, in: ladder.stored),
                try Ladder.numbers(filter, in: ladder.mixed).filter { $0 < Ladder.count },
            ]
        }
        #expect(found == [expected, expected])
    }

    // MARK: Chains

    @Test(arguments: [false, true])
    func `a filter can chain 100,000 terms with && or ||`(leansRight: Bool) throws {
        let count = Self.isSanitized ? 5_000 : 100_000
        try Self.check([1, 2, 3], isRead: false) {
            let terms = [3, 2, 1] + (1_000..<(997 + count)).map { $0 }
            return terms.reduce(Self.rung.number == -1) {
                leansRight ? Self.rung.number == $1 || $0 : $0 || Self.rung.number == $1
            }
        }
        try Self.check(Array(0..<40), isRead: false) {
            (0..<count).reduce(Self.rung.number < 40) { $0 && Self.rung.number != -1 - $1 }
        }
    }

    @Test func `filters of the same terms are equal however they were built`() throws {
        let terms = (0..<100).map { Self.rung.number == $0 }
        let left = terms.dropFirst().reduce(terms[0]) { $0 || $1 }
        let right = terms.reversed().dropFirst().reduce(terms[99]) { $1 || $0 }
        #expect(left == right && left.hashValue == right.hashValue)
        #expect(left != terms.dropFirst().reduce(terms[0]) { $1 || $0 })
        try FormatRoundTripTests.check(left, Rung.self)
    }

    @Test func `a filter of 1,500 different terms in a chain is not too deep`() throws {
        try Self.check([39], isRead: false) {
            (0..<1_500).reduce(Self.rung.number > 38) {
                $0 && (Self.rung.number > -$1 || Self.rung.share > Double($1))
            } && Self.rung.number < 40
        }
    }

    // MARK: Levels

    @Test func `negating a filter many times gives the filter or its opposite`() throws {
        try Self.check([7]) { (0..<100_000).reduce(Self.rung.number == 7) { filter, _ in !filter } }
        try Self.check(Array(0..<7)) {
            (0..<7_001).reduce(Self.rung.number > 6) { filter, _ in !filter }
        }
    }

    private static func mixed(_ levels: Int) -> Filter {
        (2..<levels).reduce(rung.number == 3) { filter, level in
            level.isMultiple(of: 2)
                ? filter && rung.number != -level : filter || rung.number == -level
        }
    }

    @Test(arguments: [10, 50, 98, 101])
    func `filter conditions that alternate && and || can nest up to the limit`(
        levels: Int
    ) throws {
        try Self.check([3], isRead: levels < 90) { Self.mixed(levels) }
        try Self.check(Array(0..<40).filter { $0 != 3 }, isRead: levels < 90) {
            !Self.mixed(levels - 1)
        }
    }

    @Test(arguments: [102, 103, 1_000, 100_000])
    func `filter conditions or sums nested beyond the limit throw misuse`(
        levels: Int
    ) throws {
        let error = try #require(throws: RecordStackError.self) {
            try Self.check([]) { Self.mixed(levels) }
        }
        #expect(error.code == .misuse && error.message.contains("100 conditions"))
        let sum = (0..<levels).reduce(Self.rung.number) { sum, _ in sum + 1 }
        let other = try #require(throws: RecordStackError.self) { try Self.check([]) { sum == 3 } }
        #expect(other.code == .misuse && other.message.contains("100 conditions"))
    }

    @Test(arguments: [30, 60, 97])
    func `a filter can compare a sum of nearly 100 terms`(count: Int) throws {
        try Self.check([3], isRead: count <= 60) {
            (0..<count).reduce(Self.rung.number) { sum, _ in sum + 1 } == 3 + count
        }
    }

    @Test func `a filter computes nested sums and products with Swift's precedence`() throws {
        try Self.check([2, 3]) {
            (Self.rung.number - (Self.rung.number - 5)) * (Self.rung.number + 1) / 2 - 1
                == Self.rung.number * 2 + (Self.rung.number - 0)
        }
    }

    @Test func `a filter with a sum of 2^90 terms throws misuse`() throws {
        let sum = (0..<90).reduce(Self.rung.number) { sum, _ in sum + sum }
        let error = try #require(throws: RecordStackError.self) { try Self.check([]) { sum == 3 } }
        #expect(error.code == .misuse && error.message.contains("parts"))
    }

    @Test func `filter functions nested beyond SQLite's limit throw misuse`() throws {
        try Self.check([3]) {
            (0..<20).reduce(Self.rung.number) { value, _ in value.magnitude } == 3
        }
        let error = try #require(throws: RecordStackError.self) {
            try Self.check([]) {
                (0..<60).reduce(Self.rung.number) { value, _ in value.magnitude } == 3
            }
        }
        #expect(error.code == .misuse && error.message.contains("functions about 30"))
    }
}
