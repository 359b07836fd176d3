import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Nested objects, keys of objects, and changes of members.
@Suite("Imported relationships") struct ImportRelationshipTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(
            for: Barrel.self, Cellar.self, Cooper.self, Brand.self, Stave.self, Chalk.self)
        context = test.stack.newContext()
    }

    @discardableResult
    private func load(_ text: String) throws -> ImportReport {
        try Barrel.importJSON(Data(text.utf8), in: context)
    }

    private func barrel(_ code: Int = 1) throws -> Barrel {
        try #require(try Barrel.findFirst(by: \.code, code, in: context))
    }

    @Test func `an import finds a nested object by its identity, or creates it`() async throws {
        try Cellar.create(in: context, number: 1, name: "old")
        let report = try load(
            """
            [{"code": 1, "cellar": {"number": 1, "title": "new"}},
             {"code": 2, "cellar": {"number": "1"}},
             {"code": 3, "cellar": {"number": 2, "name": "two"}}]
            """)
        #expect(report.inserted == 3 && report.problems.isEmpty)
        let cellars = try Cellar.find(sortedBy: .ascending(\.number), in: context)
        #expect(cellars.map(\.name) == ["new", "two"])
        #expect(try Barrel.find(in: context).map(\.cellar?.number) == [1, 1, 2])
        #expect(cellars[0].barrels.count == 2)
        try await context.save()
    }

    @Test func `an import finds or creates a related object for a bare identity value`() throws {
        try Cellar.create(in: context, number: 7, name: "seven")
        let report = try load(
            #"[{"code": 1, "cellar_number": "7"}, {"code": 2, "cellar": 8}, {"code": 3, "cellar_number": 8}]"#
        )
        #expect(report.problems.isEmpty)
        #expect(try Barrel.find(in: context).map(\.cellar?.name) == ["seven", "none", "none"])
        #expect(try Cellar.find(in: context).map(\.number) == [7, 8])
    }

    @Test func `importing a link by key writes nothing to the linked object`() async throws {
        let cellar = try Cellar.create(in: context, number: 7)
        try await context.save()
        try load(#"{"code": 1, "cellar": 7}"#)
        #expect(!cellar.hasChanges && cellar.barrels.count == 1)
    }

    @Test func `an import of null clears a to-one unless another JSON key has a value`() throws {
        try load(#"{"code": 1, "cellar": null, "cellar_number": 3}"#)
        #expect(try barrel().cellar?.number == 3)
        #expect(try load(#"{"code": 1}"#).unchanged == 1)
        #expect(try barrel().cellar?.number == 3)
        #expect(try load(#"{"code": 1, "cellar": null}"#).updated == 1)
        #expect(try barrel().cellar == nil)
    }

    @Test func `the import policy for missing objects decides if a row is skipped`() throws {
        let report = try load(
            #"[{"code": 1, "cooper": "ann"}, {"code": 2, "next": 9}, {"code": 3, "next": 1}]"#)
        #expect(report.inserted == 2 && report.skipped == 1)
        #expect(report.problems.map(\.path) == ["cooper", "next"])
        #expect(report.problems.map(\.isRowSkipped) == [false, true])
        #expect(report.problems[0].message.contains("no Cooper with the email"))
        #expect(try barrel(3).next?.code == 1)
    }

    @Test func `an import reports the path of a nested object that it cannot create`() throws {
        let report = try load(
            """
            [{"code": 1, "cooper": {"email": "a"}, "staves": [{"id": 1}, {"amount": 2}, {"id": 3, "amount": "x"}]}]
            """)
        #expect(report.inserted == 1)
        #expect(report.problems.map(\.path) == ["staves.1.id", "staves.2.amount", "cooper.name"])
        #expect(report.problems.allSatisfy { !$0.isRowSkipped && $0.message.contains("left out") })
        #expect(try barrel().staves.map(\.id) == [1] && barrel().cooper == nil)
    }

    @Test func `the import members policy add keeps the existing members`() throws {
        try load(#"{"code": 1, "chalks": [{"text": "a"}, {"text": "b"}]}"#)
        try load(#"{"code": 1, "chalks": {"text": "c"}}"#)
        try load(#"{"code": 1, "chalks": []}"#)
        #expect(try Set(barrel().chalks.map(\.text)) == ["a", "b", "c"])
        try load(#"{"code": 1, "chalks": null}"#)
        #expect(try barrel().chalks.isEmpty)
    }

    @Test func `the import members policy replace removes absent members`() async throws {
        try load(#"{"code": 1, "brands": ["a", {"word": "b"}, "a"]}"#)
        #expect(try Set(barrel().brands.map(\.word)) == ["a", "b"])
        try await context.save()
        #expect(try load(#"{"code": 1, "brands": ["b", "a"]}"#).unchanged == 1)
        #expect(!context.hasChanges)
        #expect(try load(#"{"code": 1, "brands": ["b", "c"]}"#).updated == 1)
        #expect(try Set(barrel().brands.map(\.word)) == ["b", "c"])
        #expect(try Brand.count(in: context) == 3)
        try load(#"{"code": 1, "brands": []}"#)
        #expect(try barrel().brands.isEmpty)
    }

    @Test func `the import policy replaceAndDelete orders members and deletes others`() async throws
    {
        try load(#"{"code": 1, "staves": [{"id": 1}, {"id": 2, "amount": 5}, {"id": 3}]}"#)
        try await context.save()
        #expect(try barrel().staves.map(\.id) == [1, 2, 3])
        #expect(try load(#"{"code": 1, "staves": [1, 2, 3]}"#).unchanged == 1)
        #expect(try load(#"{"code": 1, "staves": [{"id": 3}, 4, {"id": 2}]}"#).updated == 1)
        #expect(try barrel().staves.map(\.id) == [3, 4, 2])
        #expect(try barrel().staves.map(\.amount) == [1, 1, 5])
        try await context.save()
        #expect(try Stave.count(in: test.stack.newContext()) == 3)
    }

    @Test func `an import reports a value that cannot identify a related object`() throws {
        let report = try load(
            #"[{"code": 1, "cellar": "x", "brands": [null, [], "a"], "chalks": ["x"]}, {"code": 2, "cellar": []}]"#
        )
        #expect(report.inserted == 2)
        #expect(
            report.problems.map(\.path) == ["cellar", "brands.0", "brands.1", "chalks.0", "cellar"])
        #expect(try barrel().brands.map(\.word) == ["a"])
    }

    @Test func `an import follows the declared policies of attributes`() throws {
        try load(
            """
            {"code": 1, "label": "L", "hint": "H", "source": "S", "state": "shut", "weight": 1.5, "secret": "x",
             "app.version": "2"}
            """)
        let barrel = try barrel()
        #expect(barrel.label == "L" && barrel.version == "2" && barrel.secret == nil)
        try load(#"{"code": 1, "label": null, "hint": "other", "source": "other"}"#)
        #expect(barrel.label == "L" && barrel.hint == "H" && barrel.source == "S")
        #expect(barrel.state == "open" && barrel.weight == nil)
        barrel.state = "shut"
        try load(#"{"code": 1, "state": null, "weight": 2}"#)
        #expect(barrel.state == "open" && barrel.weight == 2)
    }

    @Test func `imported rows that contain each other give one object each`() async throws {
        let report = try load(
            """
            {"code": 1, "cellar": {"number": 1, "barrels": [{"code": 1, "hint": "own"}, 2, {"code": 3}]}, "next": 1}
            """)
        #expect(report.problems.isEmpty)
        #expect(try Barrel.find(in: context).map(\.code) == [1, 2, 3])
        #expect(try barrel().hint == "own" && barrel().next?.code == 1)
        #expect(try Cellar.findFirst(in: context)?.barrels.count == 3)
        try await context.save()
    }

    @Test func `importing an unchanged payload reads each entity and join table once`() async throws
    {
        let rows = (0..<50).map {
            """
            {"code": \($0), "cellar": \($0 % 5), "brands": ["a\($0 % 7)", "b"], "staves": [{"id": \($0)}]}
            """
        }
        let text = "[\(rows.joined(separator: ","))]"
        try load(text)
        try await context.save()
        let fresh = test.stack.newContext()
        let before = test.stack.storeStatistics
        let report = try Barrel.importJSON(Data(text.utf8), in: fresh)
        let after = test.stack.storeStatistics
        #expect(report.unchanged == 50 && !fresh.hasChanges)
        // Barrels, cellars, brands and staves, the join rows of barrels and brands, and the order
        // of the staves.
        #expect(after.statements - before.statements <= 6)
    }

    @Test func `an import row that occurs twice gives its object each member once`() async throws {
        try load(#"{"code": 1, "brands": ["a", "b"], "staves": [1, 2]}"#)
        try await context.save()
        let fresh = test.stack.newContext()
        let row = #"{"code": 1, "brands": ["b", "c"], "staves": [2, 1]}"#
        let report = try Barrel.importJSON(Data("[\(row), \(row)]".utf8), in: fresh)
        #expect(report.updated == 1 && report.unchanged == 1)
        let barrel = try #require(try Barrel.findFirst(in: fresh))
        #expect(barrel.brands.map(\.word).sorted() == ["b", "c"])
        #expect(barrel.staves.map(\.id) == [2, 1])
        try await fresh.save()
    }

    @Test func `the import policy whenNil adds members only to an empty to-many`() throws {
        var options = ImportOptions()
        options.value = .whenNil
        for (word, expected) in [("a", ["a"]), ("b", ["a"])] {
            let text = #"{"code": 1, "brands": ["\#(word)"]}"#
            try Barrel.importJSON(Data(text.utf8), in: context, options: options)
            #expect(try barrel().brands.map(\.word) == expected)
        }
    }

    @Test func `a replaceAndDelete import re-creates members that have no identity`() throws {
        let text = Data(#"{"code": 1, "chalks": [{"text": "a"}, {"text": "b"}]}"#.utf8)
        var options = ImportOptions()
        options.members = .replaceAndDelete
        var before: Set<ManagedObjectID> = []
        for _ in 0..<2 {
            try Barrel.importJSON(text, in: context, options: options)
            try context.saveAndWait()
            let chalks = try Chalk.find(in: context)
            #expect(chalks.map(\.text).sorted() == ["a", "b"])
            let ids = Set(chalks.map(\.objectID))
            #expect(before.isDisjoint(with: ids))
            before = ids
        }
        try Barrel.importJSON(text, in: context)
        #expect(try Chalk.count(in: context) == 4)
    }
}
