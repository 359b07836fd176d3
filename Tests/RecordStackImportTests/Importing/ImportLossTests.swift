import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Imports of sources that are unreadable in part, which must not lose stored data.
@Suite("Data loss in imports") struct ImportLossTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(
            for: Cellar.self, Cooper.self, Brand.self, Stave.self, Chalk.self, Barrel.self)
        context = test.stack.newContext()
        for code in 1...2 {
            let barrel = try Barrel.create(in: context, code: code)
            for id in [code * 10 + 1, code * 10 + 2] {
                barrel.staves.append(try Stave.create(in: context, id: id, amount: 7))
            }
        }
        try context.saveAndWait()
    }

    private func load(_ text: String, options: ImportOptions = .patch) throws -> ImportReport {
        try Barrel.importJSON(Data(text.utf8), in: context, options: options)
    }

    private func staves(_ code: Int) throws -> [Int] {
        try #require(try Barrel.findFirst(by: \.code, code, in: context)).staves.map(\.id)
    }

    /// JSON in place of the staves 11 and 12, and the staves that remain. The policy is replace and
    /// delete.
    static let members: [(json: String, left: [Int], problems: Int)] = [
        (#"[{"id": 11}, {"id": 12, "amount": "x"}]"#, [11, 12], 1),
        (#""n/a""#, [11, 12], 1), ("[null]", [11, 12], 1), ("[[11]]", [11, 12], 1),
        (#"[{"amount": 3}]"#, [11, 12], 1), (#"[{"id": 12}, {"amount": 3}]"#, [11, 12], 1),
        (#"[12, {"id": 11, "amount": "x"}, 13]"#, [12, 11, 13], 1),
        (#"[{"id": 11}, {"id": 99, "amount": "x"}]"#, [11], 1),
        ("[12]", [12], 0), ("[]", [], 0),
    ]

    @Test(arguments: members)
    func `an import keeps a stored member whose entry in the list is unreadable`(
        row: (json: String, left: [Int], problems: Int)
    ) throws {
        let report = try load(#"{"code": 1, "staves": \#(row.json)}"#)
        #expect(report.problems.count == row.problems)
        #expect(try staves(1) == row.left)
        try context.saveAndWait()
        let fresh = test.stack.newContext()
        let left = try Stave.find(sortedBy: .ascending(\.id), in: fresh)
        #expect(left.map(\.id) == row.left.sorted() + [21, 22])
        #expect(left.allSatisfy { $0.amount == ($0.id == 13 ? 1 : 7) })
    }

    static let moves: [String] = [
        #"[{"code": 1, "staves": [12]}, {"code": 2, "staves": [21, 22, 11]}]"#,
        #"[{"code": 2, "staves": [21, 22, 11]}, {"code": 1, "staves": [12]}]"#,
        #"[{"code": 1, "staves": [12]}, {"code": 2, "staves": [21, 22, {"id": 11}]}]"#,
    ]

    @Test(arguments: moves, [1, 100])
    func `an imported member that moves to another object keeps its values`(
        text: String, batchSize: Int
    ) throws {
        let id = try #require(try Stave.findFirst(by: \.id, 11, in: context)).objectID
        var options = ImportOptions()
        options.batchSize = batchSize
        let report = try load(text, options: options)
        #expect(report.problems.isEmpty)
        #expect(try staves(1) == [12] && staves(2) == [21, 22, 11])
        let moved = try Stave.existing(id, in: context)
        #expect(moved.amount == 7 && moved.barrel?.code == 2)
        try context.saveAndWait()
        #expect(try Stave.count(in: test.stack.newContext()) == 4)
    }

    @Test(arguments: [ImportCommit.everyBatch, .once])
    func `an import into a stack deletes only members that no row lists any more`(
        commit: ImportCommit
    ) async throws {
        let text = #"[{"code": 1, "staves": []}, {"code": 2, "staves": [21, 22, 11]}]"#
        try await test.stack.importJSON(Data(text.utf8), into: Barrel.self, commit: commit)
        let fresh = test.stack.newContext()
        let left = try Stave.find(sortedBy: .ascending(\.id), in: fresh)
        #expect(left.map(\.id) == [11, 21, 22] && left.allSatisfy { $0.amount == 7 })
        #expect(left.map { $0.barrel?.code } == [2, 2, 2])
    }

    @Test func `importing JSON that is no object into an object leaves it unchanged`() throws {
        let barrel = try #require(try Barrel.findFirst(by: \.code, 1, in: context))
        barrel.label = "mine"
        for text in ["[]", #"[{"code": 1}]"#, "1", "null"] {
            for options in [ImportOptions.patch, .replace] {
                let report = try barrel.importJSON(Data(text.utf8), options: options)
                #expect(report.skipped == 1 && report.unchanged == 0 && report.updated == 0)
                #expect(report.problems.count == 1 && report.problems[0].isRowSkipped)
            }
        }
        #expect(barrel.label == "mine" && barrel.staves.count == 2)
    }

    @Test(arguments: [#""staves": null"#, #""cellar": null"#, #""brands": null"#])
    func `an ignored null in an import has the same effect as an absent key`(property: String)
        throws
    {
        for absent in [ImportAbsentPolicy.leave, .clear] {
            func load(_ rest: String, into code: Int) throws -> Barrel {
                let json =
                    #"{"code": \#(code), "cellar": 1, "brands": ["b"], "staves": [\#(code)]}"#
                _ = try self.load(json)
                var options = ImportOptions()
                options.null = .ignore
                options.absent = absent
                _ = try self.load(#"{"code": \#(code)\#(rest)}"#, options: options)
                return try #require(try Barrel.findFirst(by: \.code, code, in: context))
            }
            let place = absent == .leave ? 3 : 5
            let null = try load(", \(property)", into: place)
            let nothing = try load("", into: place + 1)
            #expect((null.cellar == nil) == (nothing.cellar == nil))
            #expect(null.staves.count == nothing.staves.count)
            #expect(null.brands.count == nothing.brands.count)
            #expect((nothing.cellar == nil) == (absent == .clear))
        }
    }

    @Test(arguments: [ImportCommit.everyBatch, .once])
    func `commit once keeps members that a later import batch gives a new owner`(
        commit: ImportCommit
    ) async throws {
        let text = #"[{"code": 1, "staves": []}, {"code": 2, "staves": [21, 22, 11]}]"#
        var options = ImportOptions()
        options.batchSize = 1
        try await test.stack.importJSON(
            Data(text.utf8), into: Barrel.self, commit: commit, options: options)
        let fresh = test.stack.newContext()
        let staves = try Stave.find(sortedBy: .ascending(\.id), in: fresh)
        #expect(staves.map(\.id) == [11, 21, 22])
        #expect(staves.map { $0.barrel?.code } == [2, 2, 2])
        // If the first batch deletes the member, the second batch creates it again with the default
        // amount.
        #expect(staves.map(\.amount) == [commit == .everyBatch ? 1 : 7, 7, 7])
    }
}
