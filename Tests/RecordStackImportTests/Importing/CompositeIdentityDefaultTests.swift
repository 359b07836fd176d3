import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// An entity with an identity of three attributes, two of which have a default.
@Entity(.unique(\.year, \.league, \.round)) final class Encounter: ManagedObject {
    @Attribute var year: Int
    @Attribute var league: String = "first"
    @Attribute(.importing(null: .ignore)) var round: Int? = 1
    @Attribute var score: String?
}

/// An entity with an identity of a relationship and a number with a default.
@Entity(.unique(\.row, \.seat), identity: \.row, \.seat) final class Stall: ManagedObject {
    @Attribute var seat: Int = 1
    @Attribute var guest: String?
    @Relationship(.required, inverse: \StallRow.stalls) var row: StallRow?
}

@Entity final class StallRow: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var stalls: ToMany<Stall>
}

@Suite("Defaults as parts of an identity")
struct CompositeIdentityDefaultTests {
    private let context: ManagedObjectContext

    init() throws {
        context = try TestStack(for: Encounter.self, Stall.self, StallRow.self).stack.newContext()
    }

    /// Rows that all name the same object.
    static let rows = [
        #"{"year": 1, "league": "first", "round": 1"#, #"{"year": 1, "league": "first""#,
        #"{"year": 1, "round": 1"#, #"{"year": 1"#, #"{"year": "1", "league": null"#,
        #"{"year": 1, "round": null"#,
    ]

    @Test(arguments: rows, rows)
    func `an import reads a missing part of a composite identity as its default`(
        first: String, second: String
    ) throws {
        let text = #"[\#(first), "score": "a"}, \#(second), "score": "b"}]"#
        let report = try Encounter.importJSON(Data(text.utf8), in: context)
        #expect(report.inserted == 1 && report.updated == 1 && report.problems.isEmpty)
        let found = try Encounter.find(in: context)
        #expect(found.map(\.score) == ["b"] && found.map(\.league) == ["first"])
        #expect(found.map(\.round) == [1])
        try context.saveAndWait()
        #expect(try Encounter.importJSON(Data(text.utf8), in: context).inserted == 0)
    }

    @Test func `an import identity can combine a relationship and a default value`() throws {
        let text = #"[{"row": "a", "guest": "x"}, {"row": "a", "seat": 2}, {"row": "b"}]"#
        #expect(try Stall.importJSON(Data(text.utf8), in: context).inserted == 3)
        try context.saveAndWait()
        #expect(try Stall.importJSON(Data(text.utf8), in: context).unchanged == 3)
        let nested = #"{"name": "a", "stalls": [{"guest": "x"}, {"seat": 2}]}"#
        #expect(try StallRow.importJSON(Data(nested.utf8), in: context).unchanged == 1)
        #expect(try Stall.count(in: context) == 3)
    }

    @Test func `an import skips a row without the identity part that has no default`() throws {
        let report = try Encounter.importJSON(Data(#"{"score": "a"}"#.utf8), in: context)
        #expect(report.skipped == 1 && report.problems.map(\.path) == ["year"])
        let text = try Stall.importJSON(Data(#"{"guest": "a"}"#.utf8), in: context)
        #expect(text.skipped == 1)
    }
}
