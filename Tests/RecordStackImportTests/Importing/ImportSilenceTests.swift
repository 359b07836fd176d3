import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Tray: ManagedObject {
    @Attribute(.unique) var id: Int = 0
    @Attribute var name: String?
    @Attribute var made: Date = Date()
    @Attribute var token: UUID? = UUID()
}

@Entity final class Stamp: ManagedObject {
    @Attribute(.unique) var code: UUID = UUID()
    @Attribute var name: String?
}

/// A tree whose relationship is imported from both sides, and friends.
@Entity final class Bine: ManagedObject {
    @Attribute(.unique) var id: Int
    @Relationship(inverse: \Bine.twigs) var parent: Bine?
    @Relationship var twigs: ToMany<Bine>
    @Relationship(.symmetric) var friends: ToMany<Bine>
}

@Entity final class Gall: ManagedObject {
    @Attribute(.unique) var id: Int
    @Relationship(.required, inverse: \Leaf.galls) var leaf: Leaf?
}

@Entity final class Leaf: ManagedObject {
    @Attribute(.unique) var id: Int
    @Relationship var galls: OrderedToMany<Gall>
}

/// Imports of rows that do not mention some properties.
@Suite("Unmentioned properties") struct ImportSilenceTests {
    @discardableResult
    private func take<Entity: ManagedObject & ManagedEntity>(
        _ text: String, as type: Entity.Type, in context: ManagedObjectContext,
        _ options: ImportOptions = .patch
    ) throws -> ImportReport {
        try Entity.importJSON(Data(text.utf8), in: context, options: options)
    }

    @Test(arguments: [#"{"name": "b"}"#, #"{"id": null, "name": "b"}"#])
    func `an import skips a row whose identity has only a constant default`(
        row: String
    ) async throws {
        let stack = try TestStack(for: Tray.self).stack
        try await stack.saveWithBlock { context in
            try Tray.create(in: context).name = "nought"
        }
        let text = #"[{"id": 1, "name": "a"}, \#(row), \#(row)]"#
        let report = try await stack.importJSON(.data(Data(text.utf8)), into: Tray.self)
        #expect(report.inserted == 1)
        #expect(report.skipped == 2)
        #expect(report.problems.map(\.path) == ["id", "id"])
        let names = try await stack.read { context in
            try Tray.find(sortedBy: .ascending(\.id), in: context).map(\.name)
        }
        #expect(names == ["nought", "a"])
    }

    @Test func `an import row without an identity gets its generated default identity`() throws {
        let context = try TestStack(for: Stamp.self).stack.newContext()
        let report = try take(
            #"[{"name": "a"}, {"name": "b"}, {"code": null, "name": "c"}]"#, as: Stamp.self,
            in: context)
        #expect(report.inserted == 3)
        #expect(Set(try Stamp.find(in: context).map(\.code)).count == 3)
    }

    @Test func `a replacing import does not renew defaults such as the current date`() throws {
        let context = try TestStack(for: Tray.self).stack.newContext()
        let text = #"[{"id": 1}, {"id": 2, "made": null, "token": null}]"#
        try take(text, as: Tray.self, in: context, .replace)
        let trays = try Tray.find(sortedBy: .ascending(\.id), in: context)
        let before = trays.map { ($0.made, $0.token) }
        let report = try take(text, as: Tray.self, in: context, .replace)
        #expect(report.unchanged == 2)
        #expect(trays.map(\.made) == before.map(\.0))
        #expect(trays.map(\.token) == before.map(\.1))
        #expect(trays[1].token == nil)
    }

    @Test func `a replacing import keeps the generated identity of an object`() throws {
        let context = try TestStack(for: Stamp.self).stack.newContext()
        let stamp = try Stamp.create(in: context)
        let code = stamp.code
        for text in [#"{"name": "a"}"#, #"{"code": null, "name": "b"}"#] {
            try stamp.importJSON(Data(text.utf8), options: .replace)
            #expect(stamp.code == code)
        }
        #expect(stamp.name == "b")
    }

    @Test func `a replacing import keeps a related object that is part of the identity`() throws {
        let context = try TestStack(for: Squad.self, Jersey.self).stack.newContext()
        let jersey = try Jersey.create(in: context, number: 7)
        jersey.squad = try Squad.create(in: context, code: "s")
        try jersey.importJSON(Data(#"{"label": "captain"}"#.utf8), options: .replace)
        #expect(jersey.squad?.code == "s")
        #expect(jersey.label == "captain")
    }

    static let trees = [
        #"[{"id": 2, "parent": 1}, {"id": 1}]"#, #"[{"id": 1}, {"id": 2, "parent": 1}]"#,
        #"[{"id": 1, "twigs": [2]}, {"id": 2}]"#, #"[{"id": 2}, {"id": 1, "twigs": [2]}]"#,
        #"[{"id": 2, "friends": [1], "parent": {"id": 1}}, {"id": 1}]"#,
    ]

    @Test(arguments: trees)
    func `a replacing import keeps a relationship that the other side's row sets`(text: String)
        throws
    {
        let context = try TestStack(for: Bine.self).stack.newContext()
        for _ in 0..<3 {
            try take(text, as: Bine.self, in: context, .replace)
            let twigs = try Bine.find(sortedBy: .ascending(\.id), in: context)
            #expect(twigs.map { $0.parent?.id } == [nil, 1])
            #expect(twigs[0].friends.count == (text.contains("friends") ? 1 : 0))
        }
    }

    @Test func `a replacing import clears a relationship that neither side's row sets`() throws {
        let context = try TestStack(for: Bine.self).stack.newContext()
        try take(#"[{"id": 1, "twigs": [2, 3, 4]}]"#, as: Bine.self, in: context)
        try take(#"[{"id": 3, "parent": 1}, {"id": 1}]"#, as: Bine.self, in: context, .replace)
        let parents = try Bine.find(sortedBy: .ascending(\.id), in: context).map { $0.parent?.id }
        #expect(parents == [nil, nil, 1, nil])
        try take(#"[{"id": 3}, {"id": 1}]"#, as: Bine.self, in: context, .replace)
        #expect(try Bine.count(in: context) { $0.parent != nil } == 0)
    }

    @Test func `a replacing import keeps every member of an owner that it creates`() throws {
        let context = try TestStack(for: Leaf.self, Gall.self).stack.newContext()
        let galls = #"[{"id": 7, "leaf": 1}, {"id": 8, "leaf": {"id": 1}}]"#
        try take(galls, as: Gall.self, in: context, .replace)
        let leaf = try #require(try Leaf.findFirst(by: \.id, 1, in: context))
        #expect(leaf.galls.map(\.id) == [7, 8])
    }

    @Test func `an import accepts a byte order mark only at the start of its text`() throws {
        let context = try TestStack(for: Stamp.self).stack.newContext()
        var options = ImportOptions()
        options.format = .ndjson
        let text = "\u{FEFF}{\"name\": \"a\"}\n\u{FEFF}{\"name\": \"b\"}\n{\"name\": \"c\"}"
        let report = try take(text, as: Stamp.self, in: context, options)
        #expect(report.inserted == 2)
        #expect(report.problems.map(\.row) == [1])
        #expect(report.problems.first?.message.hasPrefix("Line 2 is not JSON") == true)
    }
}
