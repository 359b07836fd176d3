import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Aisle: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var name: String = ""
    @Relationship(inverse: \Aisle.children) var parent: Aisle?
    @Relationship var children: ToMany<Aisle>
}

@Entity final class Locker: ManagedObject {
    @Attribute(.unique) var badge: Int?
    @Attribute var name: String = ""
}

@Entity final class Ballot: ManagedObject {
    @Attribute(.unique) var code: String
}

extension Ballot: Importable {
    static func importIdentity(of row: ImportRow) throws -> ImportValue? {
        if row["code"] == "bad" { throw RecordStackError(.validation, "no ballot") }
        return nil
    }
}

/// The object that a row identifies, in unusual cases.
@Suite("Identity of rows in unusual cases") struct ImportIdentityTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(
            for: Aisle.self, Locker.self, Ballot.self, Beast.self, Hound.self, Tabby.self)
        context = test.stack.newContext()
    }

    private func load<Entity: ManagedObject>(
        _ text: String, deletingOthers scope: FetchRequest<Entity>? = nil,
        options: ImportOptions = .patch
    ) throws -> ImportReport {
        try Entity.importJSON(
            Data(text.utf8), in: context, deletingOthers: scope, options: options)
    }

    @Test func `deletingOthers keeps objects that occur only nested in import rows`() throws {
        for number in 1...4 { try Aisle.create(in: context, number: number) }
        try context.saveAndWait()
        let report = try load(
            #"[{"number": 1, "children": [{"number": 2, "children": [5]}, 3], "parent": {"number": 6}}]"#,
            deletingOthers: Aisle.all)
        #expect(report.problems.isEmpty && report.deleted == 1)
        let left = try Aisle.find(sortedBy: .ascending(\.number), in: context).map(\.number)
        #expect(left == [1, 2, 3, 5, 6])
    }

    @Test(arguments: [20, Int.max])
    func `an export of unlimited depth ends after 100 levels of nested objects`(depth: Int) throws {
        var aisle = try Aisle.create(in: context, number: 0)
        for number in 1...300 {
            let next = try Aisle.create(in: context, number: number)
            aisle.children.insert(next)
            aisle = next
        }
        try context.saveAndWait()
        var options = ExportOptions()
        options.depth = depth
        let first = try #require(try Aisle.findFirst(by: \.number, 0, in: context))
        let data = try first.exportJSON(options: options)
        let other = try TestStack(for: Aisle.self).stack.newContext()
        #expect(try Aisle.importJSON(data, in: other).problems.isEmpty)
        // The innermost object names its children by their keys.
        #expect(try Aisle.count(in: other) == min(depth, 100) + 2)
    }

    @Test func `deletingOthers keeps the object of a row with a wrong discriminator`() throws {
        for tag in ["d", "e"] { try Hound.create(in: context, tag: tag) }
        try context.saveAndWait()
        let report = try load(
            #"[{"tag": "d", "meta": {"kind": "newt"}}]"#, deletingOthers: Beast.all)
        #expect(report.skipped == 1 && report.problems.count == 1 && report.deleted == 1)
        #expect(try Beast.find(in: context).map(\.tag) == ["d"])
    }

    @Test func `importing a row of another entity into an object reports a problem`() throws {
        let beast = try Beast.create(in: context, tag: "a", name: "plain")
        let hound = try Hound.create(in: context, tag: "b")
        let text = Data(
            #"{"tag": "a", "name": "N", "barks": true, "meta": {"kind": "hound"}}"#.utf8)
        let refused = try beast.importJSON(text)
        #expect(refused.skipped == 1 && refused.problems.count == 1)
        #expect(refused.problems.first?.message.contains("is a Beast, not a Hound") == true)
        #expect(beast.name == "plain" && beast.tag == "a")
        let unknown = try beast.importJSON(Data(#"{"meta": {"kind": "newt"}}"#.utf8))
        #expect(unknown.skipped == 1 && unknown.problems.count == 1)
        try beast.delete()
        #expect(try hound.importJSON(text).updated == 1)
        #expect(hound.barks && hound.tag == "a" && hound.name == "N")
    }

    @Test func `an import skips a row whose optional identity does not convert`() throws {
        try Locker.create(in: context, badge: 7, name: "old")
        try context.saveAndWait()
        let text = #"[{"badge": "A7", "name": "x"}]"#
        for _ in 0..<2 {
            let report = try load(text, deletingOthers: Locker.all)
            #expect(report.skipped == 1 && report.inserted == 0 && report.deleted == 0)
            #expect(report.problems.contains { $0.path == "badge" && $0.isRowSkipped })
        }
        #expect(try Locker.find(in: context).map(\.name) == ["old"])
        let without: ImportReport = try load(
            #"[{"badge": null, "name": "y"}]"#, deletingOthers: Locker.where { $0.badge == 99 })
        #expect(without.inserted == 1)
    }

    @Test(arguments: [ImportFormat.json, .ndjson])
    func `an error in an import hook ends an import of JSON or NDJSON`(format: ImportFormat) throws
    {
        var options = ImportOptions()
        options.format = format
        let rows = [#"{"code": "a"}"#, #"{"code": "bad"}"#]
        let text =
            format == .json ? "[\(rows.joined(separator: ","))]" : rows.joined(separator: "\n")
        let context = context
        let error = #expect(throws: RecordStackError.self) {
            _ = try Ballot.importJSON(Data(text.utf8), in: context, options: options)
        }
        #expect(error?.code == .validation)
    }
}
