import FoundationEssentials
import RecordStack
import RecordStackTesting
import Testing

/// Format strings whose meaning NSPredicate documents, in SQL and in memory.
@Suite("Documented meanings of format strings") struct FormatMeaningTests {
    private static let tables = [
        FormatCase.comparisons, FormatCase.compounds, FormatCase.texts, FormatCase.lists,
        FormatCase.literals, FormatCase.substitutions, FormatCase.members, FormatCase.calculations,
    ]

    @Test func `every documented format string finds the documented objects`() async throws {
        let (stored, pending) = (try await FormatWorld.stored(), try FormatWorld.pending())
        let cases = Self.tables.flatMap(\.self)
        #expect(cases.count >= 150)
        for row in cases {
            do {
                try row.check(in: stored, "stored")
                try row.check(in: pending, "pending")
            } catch {
                Issue.record(error, "\(row.format)")
            }
        }
    }

    @Test func `no documented format string is tested twice`() {
        let formats = Self.tables.flatMap(\.self).map { "\($0.format) \($0.isOfGuilds)" }
        #expect(Set(formats).count == formats.count)
    }
}
