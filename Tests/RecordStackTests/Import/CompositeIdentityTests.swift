import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Known by three attributes.
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

/// Known by what it leads to and a number.
@Entity(.unique(\.playlist, \.position), identity: \.playlist, \.position)
final class PlaylistEntry: ManagedObject {
    @Attribute var position: Int
    @Attribute var title: String = ""
    @Relationship(.required, inverse: \Playlist.entries) var playlist: Playlist?
}

@Suite struct CompositeIdentityTests {
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

    @Test func `several attributes say together which object a row is`() async throws {
        let rows = (0..<60).map {
            #"{"year": \#(2_000 + $0 % 3), "league": "L\#($0 % 5)", "number": "\#($0 / 15)", "score": "a"}"#
        }
        let text = "[\(rows.joined(separator: ","))]"
        #expect(try load(Fixture.self, text).inserted == 60)
        try await context.save()
        let fresh = test.stack.newContext()
        let before = test.stack.storeStatistics.statements
        let report = try fresh.importJSON(Data(text.utf8), into: Fixture.self)
        #expect(report.unchanged == 60)
        #expect(test.stack.storeStatistics.statements - before == 1)
        let other = #"{"year": 2000, "league": "L0", "number": null, "score": "b"}"#
        #expect(try load(Fixture.self, other).skipped == 1)
    }

    @Test func `a to-one relationship is part of what a row is known by`() async throws {
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

    @Test func `nested rows are known by what they stand in, if they say so`() async throws {
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
}
