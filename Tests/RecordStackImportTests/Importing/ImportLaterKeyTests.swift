import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// An entity whose objects cannot be created from a key alone.
@Entity final class Bough: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String
    @Relationship(.imported(from: "parent_id"), inverse: \Bough.twigs) var parent: Bough?
    @Relationship(.importing(members: .replace)) var twigs: OrderedToMany<Bough>
    @Relationship(.importing(missing: .skip), inverse: \Bough.graftedOn) var grafts: ToMany<Bough>
    @Relationship(.notImported) var graftedOn: ToMany<Bough>
}

/// An entity whose objects can be created from a key alone, unless a row says that the object is of
/// another kind.
@Entity class Freighter: ManagedObject {
    @Attribute(.unique) var id: Int
    @Relationship(inverse: \Freighter.followers) var leader: Freighter?
    @Relationship(.importing(members: .replace)) var followers: OrderedToMany<Freighter>
}

@Entity final class Steamer: Freighter {
    @Attribute var boilers: Int = 1
}

extension Freighter: Importable {
    static var importDiscriminator: ImportDiscriminator? {
        ImportDiscriminator("kind", ["steamer": Steamer.self])
    }
}

/// Keys of objects that a later row brings.
@Suite("Keys of later rows") struct ImportLaterKeyTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Bough.self)
        context = test.stack.newContext()
    }

    private func load(_ text: String, _ batchSize: Int = 1_000) throws -> ImportReport {
        var options = ImportOptions()
        options.batchSize = batchSize
        return try Bough.importJSON(Data(text.utf8), in: context, options: options)
    }

    private func bough(_ id: Int) throws -> Bough {
        try #require(try Bough.findFirst(by: \.id, id, in: context))
    }

    @Test(arguments: [1, 2, 1_000])
    func `an import links parents to children in any order of their rows`(batchSize: Int) throws {
        let rows = (1...7).reversed().map {
            #"{"id": \#($0), "name": "n\#($0)", "parent_id": \#($0 == 1 ? "null" : "\($0 / 2)")}"#
        }
        let text = "[\(rows.joined(separator: ","))]"
        let report = try load(text, batchSize)
        #expect(report.inserted == 7 && report.problems.isEmpty)
        try context.saveAndWait()
        for id in 2...7 { #expect(try bough(id).parent?.id == id / 2) }
        let again = try load(text, batchSize)
        #expect(again.unchanged == 7 && !context.hasChanges)
    }

    @Test(arguments: [ImportCommit.everyBatch, .once])
    func `an import into a stack links parents to children in any row order`(
        commit: ImportCommit
    ) async throws {
        let rows = (1...50).reversed().map {
            #"{"id": \#($0), "name": "n", "parent_id": \#($0 / 2), "grafts": [\#($0 - 3), 99]}"#
        }
        var options = ImportOptions()
        options.batchSize = 7
        let report = try await test.stack.importJSON(
            .data(Data("[\(rows.joined(separator: ","))]".utf8)), into: Bough.self, commit: commit,
            options: options)
        #expect(report.inserted == 50)
        for id in 2...50 { #expect(try bough(id).parent?.id == id / 2) }
        for id in 4...50 { #expect(try bough(id).grafts.map(\.id) == [id - 3]) }
        // The parent of 1 is 0. Three rows have grafts that do not exist, and every row has the
        // graft 99.
        #expect(report.problems.count == 1 + 3 + 50)
        #expect(report.problems.map(\.row) == report.problems.map(\.row).sorted())
        #expect(report.problems.first?.path == "grafts.1")
    }

    @Test func `an import reports keys that match no object with their rows and paths`() throws {
        let report = try load(
            #"""
            [{"id": 1, "name": "a", "parent_id": 8, "grafts": [2, 9]}, {"id": 2, "name": "b"},
             {"id": 3, "name": "c", "twigs": [{"id": 4, "name": "d", "parent_id": 3}, 7]}]
            """#)
        #expect(report.problems.map(\.row) == [0, 0, 2])
        #expect(Set(report.problems.map(\.path)) == ["parent_id", "grafts.1", "twigs.1"])
        let text = report.problems.map(\.message).joined()
        #expect(text.contains("there is no Bough with the id 8, and one needs more than that"))
        #expect(text.contains("there is no Bough with the id 9."))
        #expect(try bough(1).grafts.map(\.id) == [2])
    }

    @Test func `imported members get their order even if their rows come later`() throws {
        let report = try load(
            #"""
            [{"id": 1, "name": "a", "twigs": [5, 2, 4, {"id": 3, "name": "c"}, 6]},
             {"id": 2, "name": "b"}, {"id": 6, "name": "f"}, {"id": 4, "name": "d"},
             {"id": 5, "name": "e"}]
            """#)
        #expect(report.problems.isEmpty)
        #expect(try bough(1).twigs.map(\.id) == [5, 2, 4, 3, 6])
        try context.saveAndWait()
        let fresh = test.stack.newContext()
        let first = try #require(try Bough.findFirst(by: \.id, 1, in: fresh))
        #expect(first.twigs.map(\.id) == [5, 2, 4, 3, 6])
    }

    @Test(arguments: [ImportCommit.everyBatch, .once])
    func `imported members get their order even if a later batch has their rows`(
        commit: ImportCommit
    )
        async throws
    {
        var options = ImportOptions()
        options.batchSize = 1
        let text = #"""
            [{"id": 3, "name": "c"}, {"id": 1, "name": "a", "twigs": [2, 3, 4]}, {"id": 2, "name": "b"},
             {"id": 4, "name": "d"}]
            """#
        let report = try await test.stack.importJSON(
            Data(text.utf8), into: Bough.self, commit: commit, options: options)
        #expect(report.problems.isEmpty)
        #expect(try bough(1).twigs.map(\.id) == [2, 3, 4])
    }

    @Test(arguments: [ImportCommit.everyBatch, .once])
    func `imported members get the order of their list, not of their rows`(
        commit: ImportCommit
    ) async throws {
        var options = ImportOptions()
        options.batchSize = 2
        let twigs = [7, 3, 9, 5, 2, 8, 4, 6]
        let rows = [#"{"id": 1, "name": "a", "twigs": \#(twigs)}"#, #"{"id": 5, "name": "n"}"#]
        let others = [8, 2, 9, 6, 4, 7, 3].map { #"{"id": \#($0), "name": "n"}"# }
        let report = try await test.stack.importJSON(
            Data("[\((rows + others).joined(separator: ","))]".utf8), into: Bough.self,
            commit: commit, options: options)
        #expect(report.problems.isEmpty)
        #expect(try bough(1).twigs.map(\.id) == twigs)
    }

    @Test func `a later import row of an object replaces a key that has no object yet`() throws {
        let report = try load(
            #"""
            [{"id": 1, "name": "a", "parent_id": 3, "twigs": [4]}, {"id": 2, "name": "b"},
             {"id": 1, "name": "a", "parent_id": 2, "twigs": []}, {"id": 3, "name": "c"},
             {"id": 4, "name": "d"}]
            """#)
        #expect(report.problems.isEmpty)
        #expect(try bough(1).parent?.id == 2)
        #expect(try bough(1).twigs.isEmpty)
    }

    @Test func `whenNew and ignore let a later import row keep a key without an object`() throws {
        var options = ImportOptions()
        (options.value, options.null) = (.whenNew, .ignore)
        let text = #"""
            [{"id": 1, "name": "a", "parent_id": 3, "grafts": [2]}, {"id": 1, "parent_id": null},
             {"id": 1}, {"id": 2, "name": "b"}, {"id": 1, "parent_id": 2, "grafts": [3]},
             {"id": 3, "name": "c"}]
            """#
        let report = try Bough.importJSON(Data(text.utf8), in: context, options: options)
        #expect(report.problems.isEmpty && report.inserted == 3)
        #expect(try bough(1).parent?.id == 3)
        #expect(try bough(1).grafts.map(\.id) == [2])
    }

    @Test func `an import row counts as updated if it only adds a key of a later row`() throws {
        #expect(try load(#"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#).inserted == 2)
        try context.saveAndWait()
        let report = try load(
            #"[{"id": 1, "name": "a", "parent_id": 3}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]"#
        )
        #expect(report.inserted == 1 && report.updated == 1 && report.unchanged == 1)
    }

    @Test func `importing into one object reports a key that matches no object`() throws {
        #expect(try load(#"[{"id": 1, "name": "a"}]"#).inserted == 1)
        let report = try bough(1).importJSON(Data(#"{"parent_id": 2}"#.utf8))
        #expect(report.problems.map(\.path) == ["parent_id"] && report.unchanged == 1)
    }

    @Test(arguments: [1, 1_000], [ImportCommit.everyBatch, .once])
    func `an import links a key to the subentity that a later row declares`(
        batchSize: Int, commit: ImportCommit
    ) async throws {
        let test = try TestStack(for: Freighter.self, Steamer.self)
        var options = ImportOptions()
        options.batchSize = batchSize
        let text = #"""
            [{"id": 1, "leader": 2, "followers": [5, 3, 4]}, {"id": 6, "leader": 5},
             {"id": 2, "kind": "steamer", "boilers": 3}, {"id": 3, "kind": "steamer"}, {"id": 4}]
            """#
        let report = try await test.stack.importJSON(
            Data(text.utf8), into: Freighter.self, commit: commit, options: options)
        #expect(report.problems.isEmpty && report.inserted == 5)
        let context = test.stack.newContext()
        let first = try #require(try Freighter.findFirst(by: \.id, 1, in: context))
        #expect((first.leader as? Steamer)?.boilers == 3)
        // No row describes 5, so it gets the relationship's entity, and both relationships share
        // it.
        #expect(first.followers.map(\.id) == [5, 3, 4])
        #expect(first.followers.map { $0 is Steamer } == [false, true, false])
        #expect(try Freighter.findFirst(by: \.id, 6, in: context)?.leader === first.followers[0])
        #expect(try Freighter.count(in: context) == 6)
    }

    @Test func `an import with missing fail skips a row whose key a later row creates`() throws {
        let context = try TestStack(for: Barrel.self).stack.newContext()
        let text = Data(#"[{"code": 1, "next": 2}, {"code": 2}]"#.utf8)
        let report = try Barrel.importJSON(text, in: context)
        #expect(report.inserted == 1 && report.skipped == 1)
        #expect(report.problems.map(\.path) == ["next"])
        #expect(try Barrel.importJSON(text, in: context).inserted == 1)
        #expect(try Barrel.findFirst(by: \.code, 1, in: context)?.next?.code == 2)
    }

    @Test func `an import skips a row whose required object only a later row creates`() throws {
        let context = try TestStack(for: Advance.self).stack.newContext()
        let text = Data(
            #"""
            [{"number": 1, "lender": "l", "borrower": "b"},
             {"number": 2, "lender": "l", "borrower": {"code": "b", "age": 3}}]
            """#.utf8)
        let report = try Advance.importJSON(text, in: context)
        #expect(report.inserted == 1 && report.skipped == 1)
        #expect(try Advance.find(in: context).map(\.number) == [2])
        #expect(try Advance.importJSON(text, in: context).inserted == 1)
    }
}
