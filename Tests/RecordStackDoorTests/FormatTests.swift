import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Filters of any depth and length, written or built, which must not crash a program.
@Suite("Deep filters") struct FormatTests {
    private static func many(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    private static let hostile = [
        "whole == 1" + many(" == 1", 3_000), "whole == 1" + many(" != 1 == 1", 100_000),
        "whole" + many(" IN {1}", 3_000), "text" + many(" CONTAINS 'a'", 3_000),
        "whole" + many(" BETWEEN {1, 2}", 3_000), "NOT " + many("(whole == 1) == ", 3_000) + "1",
        many("NOT ", 100_000) + "whole == 1", many("!", 100_000) + "whole == 1",
        many("(", 100_000) + "1", many("-", 100_000) + "1 == 1", many("{", 100_000),
        many("ANY ", 100_000), many("abs(", 100_000), many("SUBQUERY(crates, $c, ", 100_000),
        "whole == " + many("1 + ", 100_000) + "1", "whole == " + many("1 + 1 * ", 100_000) + "1",
        many("rack.", 200_000) + "name == 'a'", many("a", 1_000_000), many("'", 100_001),
        many("%@", 100_000),
        "text MATCHES '" + many("(", 10_000) + "'", "whole == 1" + many(" AND whole == 1", 100_000),
        many("whole == 1 OR (whole == 1 AND ", 1_000) + "1", "CAST(" + many("CAST(", 100_000),
        many("rack.crates.", 2_000) + "whole == 1",
        "ANY rack.crates" + many(".rack.crates", 2_000) + ".whole == 1",
        many("#", 100_000), many("$a.", 100_000), many("@", 100_000), many("[", 100_000),
        many("[SIZE]", 100_000), "crates" + many("[SIZE]", 100_000),
    ]

    @Test(arguments: hostile.indices)
    func `a format string that is nested too deeply throws instead of crashing`(index: Int) throws {
        let format = Self.hostile[index]
        let error = onSmallStack { () -> RecordStackError? in
            do {
                _ = try Filter(format: format, for: Crate.self)
                return nil
            } catch {
                return error as? RecordStackError
            }
        }
        #expect(error?.code == .misuse, "\(format.prefix(60))")
        #expect((error?.message.utf8.count ?? 0) < 2_000)
    }

    @Test func `the format string error for comparing a comparison suggests AND`() throws {
        let error = try #require(throws: RecordStackError.self) {
            try Filter(format: "whole == 1 == 2", for: Crate.self)
        }
        #expect(error.message.contains("column 12: A comparison cannot be compared again"))
        #expect(error.message.contains("AND"))
    }

    @Test func `a garbage format string works or throws misuse with a short message`() throws {
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        let pieces = [
            "whole", "text", "1", "'a'", " == ", " != ", " < ", " AND ", " OR ", "NOT ", "(", ")",
            "{", "}",
            ", ", " IN ", " BETWEEN ", " CONTAINS ", " MATCHES ", " + ", " * ", "-", "rack.",
            "rack.crates",
            ".@count", ".@sum.whole", "ANY ", "ALL ", "NONE ", "SUBQUERY(rack.crates, $c, $c.whole",
            "abs(",
            "NULL", "TRUE", "'('", "'(a)\\\\1'", "'[a-'", "[c]", "%@", "$x",
            "CAST('1', 'NSNumber')",
            "now()", "length:(", "\u{0}", "é", "🙂", "\u{301}", "9223372036854775808", "1e999",
        ]
        var read = 0
        for _ in 0..<Seeded.rounds(5_000, full: 500_000) {
            var format = ""
            for _ in 0..<random.below(20) {
                let piece = pieces[random.below(pieces.count)]
                format += random.chance(3) ? Self.many(piece, random.below(400)) : piece
            }
            do {
                let filter = try Filter(format: format, 1, for: Crate.self)
                #expect(!filter.description.isEmpty)
                read += 1
            } catch let error as RecordStackError {
                #expect(
                    error.code == .misuse && error.message.utf8.count < 4_000,
                    "\(format.prefix(200))")
            }
        }
        #expect(read >= 0, "seed \(random.seed)")
    }

    /// Extends a filter, or a value in it, by one step.
    private static func grow(
        _ step: Int, _ filter: inout Filter, _ value: inout FilterExpression<Int>, _ number: Int
    ) {
        let crate = FilterProxy<Crate>()
        let (old, part) = (filter, value)
        let other: Filter = crate.whole > number
        switch step {
        case 0: filter = old && other
        case 1: filter = old || other
        case 2: filter = other || old
        case 3: filter = !old
        case 4: filter = !(old && other)
        case 5: filter = !(old && other) || crate.flag
        case 6: value = part + 1
        case 7: value = part * part + part
        case 8: value = part.magnitude
        case 9: value = -part
        case 10: filter = crate.rack.crates.any { _ in old }
        case 11: value = crate.rack.crates.sum { _ in part }
        default: value = crate.rack.crates.where { _ in old }.count
        }
    }

    @Test(arguments: 0..<13)
    func `a filter with 2,000 nested operators works or throws misuse`(index: Int) async throws {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self)
        try await test.stack.saveWithBlock { _ = try Crate.create(in: $0) }
        let stack = test.stack
        let code = onSmallStack { () -> RecordStackError.Code? in
            let crate = FilterProxy<Crate>()
            var (filter, value) = (crate.whole == 0, crate.whole as FilterExpression<Int>)
            for number in 0..<2_000 { Self.grow(index, &filter, &value, number) }
            let both = filter && value > 0
            guard both == both, Set([both]).count == 1, !both.description.isEmpty else {
                return .store
            }
            do {
                _ = try stack.newContext().count(Crate.where(both))
                return nil
            } catch {
                return (error as? RecordStackError)?.code ?? .store
            }
        }
        #expect(code == nil || code == .misuse, "\(String(describing: code))")
    }
}
