import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// An entity with import hooks.
@Entity class Beast: ManagedObject {
    @Attribute(.unique) var tag: String
    @Attribute var name: String = ""
    @Attribute(.notImported) var log: String = ""
    @Relationship(inverse: \Beast.young) var dam: Beast?
    @Relationship(.notImported) var young: ToMany<Beast>
}

@Entity final class Hound: Beast {
    @Attribute var barks: Bool = false
}

@Entity final class Tabby: Beast {
    @Attribute var lives: Int = 9
}

extension Beast: Importable {
    static var importDiscriminator: ImportDiscriminator? {
        ImportDiscriminator("meta.kind", ["hound": Hound.self, "tabby": Tabby.self])
    }

    static func importIdentity(of row: ImportRow) -> ImportValue? {
        guard let herd = row["herd"]?.string, let place = row["place"]?.int else { return nil }
        return "\(herd)-\(place)"
    }

    static func shouldImport(_ row: ImportRow) -> Bool { row["deleted"] != true }

    func willImport(_ row: ImportRow) { log += "will(\(name))" }

    func didImport(_ row: ImportRow) { log += "did(\(name)) at \(row.number)|\(row.path) " }
}

/// An entity without import hooks.
@Entity final class Perch: ManagedObject {
    @Attribute(
        .unique, .importTransform { .string(($0.string ?? "").lowercased()) },
        .importTransform { $0.isNull ? $0 : $0 }) var code: String
    @Attribute(.importTransform { $0 == "N/A" ? .null : $0 }) var height: Double?
    @Attribute(.importTransform { .number($0.array?.count ?? -1) }) var count: Int = 0
    @Attribute(.importTransform { _ in throw Unreadable() }) var odd: String?
    @Relationship var perches: ToMany<Twig>
}

@Entity final class Twig: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var note: String = ""
    @Relationship(.notImported, inverse: \Perch.perches) var perch: Perch?
}

private struct Unreadable: Error, CustomStringConvertible {
    var description: String { "unreadable" }
}

@Suite("Import hooks") struct ImportHookTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Beast.self, Hound.self, Tabby.self, Perch.self, Twig.self)
        context = test.stack.newContext()
    }

    private func load<Entity: ManagedObject>(
        _ type: Entity.Type, _ text: String, hooks: ImportHooks = ImportHooks()
    ) throws -> ImportReport {
        try context.importJSON(Data(text.utf8), into: type, hooks: hooks)
    }

    @Test func `an import by discriminator does not retain its context`() throws {
        weak var gone: ManagedObjectContext?
        do {
            let other = test.stack.newContext()
            gone = other
            let text = #"[{"tag": "a", "name": "A", "meta": {"kind": "hound"}}]"#
            #expect(try Beast.importJSON(Data(text.utf8), in: other).inserted == 1)
        }
        #expect(gone == nil)
    }

    @Test func `an entity's import hooks get each object's row number and key path`() throws {
        let report = try load(
            Beast.self,
            #"""
            [{"tag": "a", "name": "A", "meta": {"kind": "hound"}},
             {"tag": "b", "name": "B", "meta": {"kind": "tabby"},
              "dam": {"tag": "a", "name": "AA", "meta": {"kind": "hound"}}}]
            """#)
        #expect(report.inserted == 2 && report.problems.isEmpty)
        let a = try #require(try Beast.findFirst(by: \.tag, "a", in: context))
        let b = try #require(try Beast.findFirst(by: \.tag, "b", in: context))
        #expect(a.log == "will()did(A) at 0| will(A)did(AA) at 1|dam ")
        #expect(b.log == "will()did(B) at 1| " && b.dam === a)
    }

    @Test func `a row that shouldImport declines costs no lookup and creates no object`() throws {
        let report = try test.expectStatements(0) {
            try load(Hound.self, #"[{"tag": "a", "deleted": true}, {"tag": "b", "deleted": true}]"#)
        }
        #expect(report.declined == 2 && report.rows == 2 && report.problems.isEmpty)
        #expect(try Beast.count(in: context) == 0)
        let nested = try load(Hound.self, #"{"tag": "c", "dam": {"tag": "d", "deleted": true}}"#)
        #expect(nested.inserted == 1)
        #expect(try Hound.findFirst(in: context)?.dam == nil)
        #expect(try Beast.count(in: context) == 1)
    }

    @Test func `the importIdentity hook can compute an identity from several values`() throws {
        let text = #"[{"herd": "x", "place": 1, "name": "N"}, {"herd": "x", "place": 1}]"#
        let report = try load(Tabby.self, text)
        #expect(report.inserted == 1 && report.updated + report.unchanged == 1)
        #expect(try Tabby.findFirst(in: context)?.tag == "x-1")
    }

    @Test func `an import's discriminator selects the entity of a row`() throws {
        let report = try load(
            Beast.self,
            #"""
            [{"tag": "a", "barks": true, "meta": {"kind": "hound"}},
             {"tag": "b", "lives": 7, "meta": {"kind": "tabby"}}, {"tag": "c"},
             {"tag": "d", "meta": {"kind": "newt"}}]
            """#)
        #expect(report.inserted == 3 && report.skipped == 1)
        #expect(try Hound.findFirst(in: context)?.barks == true)
        #expect(try Tabby.findFirst(in: context)?.lives == 7)
        #expect(
            report.problems.map(\.description) == [
                "Row 3: meta.kind is “newt”, none of “hound”, “tabby”. The row was left out."
            ])
        let wrong = try load(Hound.self, #"{"tag": "b", "meta": {"kind": "tabby"}}"#)
        #expect(wrong.skipped == 1)
    }

    @Test func `an import row that matches an object of another entity is skipped`() throws {
        _ = try load(Hound.self, #"{"tag": "a"}"#)
        let report = try load(Tabby.self, #"{"tag": "a", "name": "x"}"#)
        #expect(report.skipped == 1)
        #expect(report.problems[0].message.contains("is a Hound, not a Tabby"))
    }

    @Test func `hooks passed to an import run in addition to the entity's hooks`() throws {
        var hooks = ImportHooks()
        var heard: [String] = []
        hooks.shouldImport(Twig.self) { $0["id"] != 2 }
        hooks.willImport(Twig.self) { twig, row in heard.append("will \(twig.id) \(row.path)") }
        hooks.didImport(Twig.self) { twig, row in
            twig.note += "!"
            heard.append("did \(twig.id)")
        }
        hooks.transform(\Perch.count) { .number(($0.array?.count ?? 0) + 10) }
        let text = #"{"code": "P", "perches": [{"id": 1}, {"id": 2}, {"id": 3, "note": "n"}]}"#
        let report = try load(Perch.self, text, hooks: hooks)
        #expect(report.inserted == 1)
        #expect(heard == ["will 0 perches.0", "did 1", "will 0 perches.2", "did 3"])
        let perch = try #require(try Perch.findFirst(in: context))
        #expect(perch.perches.map(\.note).sorted() == ["!", "n!"])
    }

    @Test func `an object that only an import hook changes counts as updated`() throws {
        _ = try load(Twig.self, #"{"id": 1}"#)
        #expect(try load(Twig.self, #"{"id": 1}"#).unchanged == 1)
        var hooks = ImportHooks()
        hooks.didImport(Twig.self) { twig, _ in twig.note = "seen" }
        #expect(try load(Twig.self, #"{"id": 1}"#, hooks: hooks).updated == 1)
        #expect(try load(Twig.self, #"{"id": 1}"#, hooks: hooks).unchanged == 1)
    }

    @Test func `an error in an import hook ends the import`() throws {
        var hooks = ImportHooks()
        hooks.didImport(Twig.self) { twig, _ in if twig.id == 2 { throw Unreadable() } }
        #expect(throws: Unreadable.self) {
            _ = try load(Twig.self, #"[{"id": 1}, {"id": 2}, {"id": 3}]"#, hooks: hooks)
        }
        #expect(try Twig.count(in: context) == 2)
    }

    @Test func `import transforms see the original values of the source`() throws {
        let report = try load(
            Perch.self,
            #"[{"code": "AbC", "height": "N/A", "count": [1, {"x": [2]}]}, {"code": "ABC", "height": 2}]"#
        )
        #expect(report.inserted == 1 && report.updated == 1 && report.problems.isEmpty)
        let perch = try #require(try Perch.findFirst(in: context))
        #expect(perch.code == "abc" && perch.height == 2 && perch.count == 2)
    }

    @Test func `an error in an import transform is a problem of its row`() throws {
        let report = try load(Perch.self, #"{"code": "a", "odd": "x"}"#)
        #expect(report.inserted == 1)
        #expect(
            report.problems.map(\.description) == ["Row 0, odd: odd is “x” (unreadable), not text."]
        )
    }
}
