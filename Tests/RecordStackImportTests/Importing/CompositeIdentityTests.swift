import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// An entity with an identity of three attributes.
@Entity(.unique(\.year, \.league, \.number)) final class Fixture: ManagedObject {
    @Attribute var year: Int
    @Attribute var league: String
    @Attribute var number: Int
    @Attribute var score: String?
}

@Entity final class Playlist: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var entries: ToMany<PlaylistEntry>
}

/// An entity with an identity of a relationship and a number.
@Entity(.unique(\.playlist, \.position), identity: \.playlist, \.position)
final class PlaylistEntry: ManagedObject {
    @Attribute var position: Int
    @Attribute var title: String = ""
    @Relationship(.required, inverse: \Playlist.entries) var playlist: Playlist?
}

/// An entity whose identity is not unique.
@Entity(identity: \.left, \.right) final class Doublet: ManagedObject {
    @Attribute var left: Int = 0
    @Attribute var right: Int = 0
}

@Suite("Composite identities") struct CompositeIdentityTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Fixture.self, Playlist.self, PlaylistEntry.self)
        context = test.stack.newContext()
    }

    private func load<Entity: ManagedObject>(
        _ type: Entity.Type, _ text: String
    ) throws -> ImportReport {
        try context.importJSON(Data(text.utf8), into: type)
    }

    @Test func `an import matches a row by several attributes together`() async throws {
        let rows = (0..<60).map {
            #"{"year": \#(2_000 + $0 % 3), "league": "L\#($0 % 5)", "number": "\#($0 / 15)", "score": "a"}"#
        }
        let text = "[\(rows.joined(separator: ","))]"
        #expect(try load(Fixture.self, text).inserted == 60)
        try await context.save()
        let fresh = test.stack.newContext()
        let report = try test.expectStatements(1) {
            try fresh.importJSON(Data(text.utf8), into: Fixture.self)
        }
        #expect(report.unchanged == 60)
        let other = #"{"year": 2000, "league": "L0", "number": null, "score": "b"}"#
        #expect(try load(Fixture.self, other).skipped == 1)
    }

    @Test func `an import identity can contain a to-one relationship`() async throws {
        let text = #"""
            [{"playlist": "a", "position": 1, "title": "x"}, {"playlist": "b", "position": 1, "title": "y"},
             {"playlist": {"name": "a"}, "position": 2}, {"playlist": "a", "position": 1, "title": "z"}]
            """#
        let report = try load(PlaylistEntry.self, text)
        #expect(report.inserted == 3 && report.updated == 1)
        try await context.save()
        let fresh = test.stack.newContext()
        let again = try fresh.importJSON(Data(text.utf8), into: PlaylistEntry.self)
        #expect(again.inserted == 0 && again.updated == 2 && again.unchanged == 2)
        #expect(try Playlist.count(in: fresh) == 2)
        try await fresh.save()
        #expect(try PlaylistEntry.count(in: fresh) == 3)
    }

    @Test func `a nested import row can name its parent as part of its identity`() async throws {
        let text = #"""
            {"name": "a", "entries": [{"playlist": "a", "position": 1, "title": "x"},
             {"playlist": "a", "position": 2, "title": "y"}]}
            """#
        #expect(try load(Playlist.self, text).inserted == 1)
        try await context.save()
        let fresh = test.stack.newContext()
        #expect(try fresh.importJSON(Data(text.utf8), into: Playlist.self).unchanged == 1)
        #expect(try PlaylistEntry.count(in: fresh) == 2)
    }

    /// The stores create the related objects in different orders, so the rows have different keys.
    @Test func `an export sorts objects by their whole identity, alike in every store`()
        async throws
    {
        func fill(_ context: ManagedObjectContext, _ names: [String], _ years: [Int]) throws {
            for name in names {
                let playlist = try Playlist.create(in: context, name: name)
                for position in [3, 1, 2] where name != "c" || position == 2 {
                    try PlaylistEntry.create(
                        in: context, position: position, playlist: playlist)
                }
            }
            for year in years {
                for league in ["b", "a"] {
                    try Fixture.create(
                        in: context, year: year, league: league, number: 3 - year % 2)
                }
            }
        }
        let other = try TestStack(for: Fixture.self, Playlist.self, PlaylistEntry.self)
        let contexts = [context, other.stack.newContext()]
        try fill(contexts[0], ["b", "a", "c"], [2_001, 2_000])
        try fill(contexts[1], ["c", "a", "b"], [2_000, 2_001])
        for context in contexts { try await context.save() }
        var options = ExportOptions()
        options.depth = 1
        for context in contexts {
            let entries = try PlaylistEntry.exportJSON(in: context)
            let rows = try #require(
                try JSONSerialization.jsonObject(with: entries) as? [[String: Any]])
            #expect(
                rows.map { "\($0["playlist"] ?? "-")\($0["position"] ?? "-")" } == [
                    "a1", "a2", "a3", "b1", "b2", "b3", "c2",
                ])
        }
        func texts(_ context: ManagedObjectContext) throws -> [Data] {
            [
                try PlaylistEntry.exportJSON(in: context, options: options),
                try Playlist.exportJSON(in: context, options: options),
                try Fixture.exportJSON(in: context),
            ]
        }
        #expect(try texts(contexts[0]) == texts(contexts[1]))
        let limited = PlaylistEntry.all.limited(to: 2).offset(by: 3)
        var text = Data()
        #expect(try contexts[1].exportJSON(limited) { text += $0 } == 2)
        #expect(String(decoding: text, as: UTF8.self).contains(#""position":1"#))
    }

    @Test func `an import throws misuse for an identity that is not declared unique`() throws {
        let context = try TestStack(for: Doublet.self).stack.newContext()
        let error = #expect(throws: RecordStackError.self) {
            _ = try Doublet.importJSON(Data("[]".utf8), in: context)
        }
        #expect(error?.code == .misuse && error?.entity == "Doublet")
        #expect(error?.message.contains(#"@Entity(.unique(\.left, \.right), …)"#) == true)
    }
}
