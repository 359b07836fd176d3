import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class FeedItem: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var source: String = "feed"
    @Relationship(deleteRule: .cascade, inverse: \FeedSeal.ticket) var seals: ToMany<FeedSeal>
}

@Entity final class FeedSeal: ManagedObject {
    @Attribute var text: String
    @Relationship(.notImported) var ticket: FeedItem?
}

/// Deletion of objects that the source no longer contains.
@Suite("Deleting absent objects") struct ImportDeletionTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: FeedItem.self, FeedSeal.self)
        context = test.stack.newContext()
        for code in ["a", "b", "c", "d"] {
            let ticket = try FeedItem.create(in: context, code: code)
            ticket.seals.insert(try FeedSeal.create(in: context, text: code))
        }
        try FeedItem.create(in: context, code: "own", source: "own")
        try context.saveAndWait()
    }

    private static func text(_ codes: String...) -> Data {
        Data("[\(codes.map { #"{"code": "\#($0)"}"# }.joined(separator: ","))]".utf8)
    }

    private func codes(_ context: ManagedObjectContext) throws -> String {
        try FeedItem.find(sortedBy: .ascending(\.code), in: context).map(\.code).joined()
    }

    @Test func `an import with deletingOthers deletes unlisted objects with cascades`() throws {
        let report = try FeedItem.importJSON(
            Self.text("b", "e"), in: context, deletingOthers: FeedItem.where { $0.source == "feed" }
        )
        #expect(report.inserted == 1 && report.unchanged == 1 && report.deleted == 3)
        #expect(try codes(context) == "beown")
        #expect(try FeedSeal.count(in: context) == 1)
        try context.saveAndWait()
        #expect(try codes(test.stack.newContext()) == "beown")
    }

    @Test func `an import deletes an unlisted unsaved object only with deletingOthers`() throws {
        try FeedItem.create(in: context, code: "f")
        #expect(try FeedItem.importJSON(Self.text("a"), in: context).deleted == 0)
        let report = try FeedItem.importJSON(
            Self.text("a"), in: context, deletingOthers: FeedItem.all)
        #expect(report.deleted == 5)
        #expect(try codes(context) == "a")
    }

    @Test func `deletingOthers keeps the object of an import row with a wrong value`() throws {
        let text = Data(#"[{"code": "a", "source": []}, {"code": "b"}]"#.utf8)
        let report = try FeedItem.importJSON(text, in: context, deletingOthers: FeedItem.all)
        #expect(report.skipped == 1 && report.deleted == 3)
        #expect(try codes(context) == "ab")
    }

    @Test func `deletingOthers deletes nothing if an imported identity is unreadable`() throws {
        let text = Data(#"[{"code": "a"}, {"code": []}, {"code": "b"}]"#.utf8)
        let report = try FeedItem.importJSON(text, in: context, deletingOthers: FeedItem.all)
        #expect(report.deleted == 0 && report.skipped == 1)
        #expect(report.problems.last?.row == 1)
        #expect(report.problems.last?.message.contains("nothing was deleted") == true)
        #expect(try codes(context) == "abcdown")
    }

    @Test func `deletingOthers deletes the object of a row that shouldImport declines`() throws {
        var hooks = ImportHooks()
        hooks.shouldImport(FeedItem.self) { $0["code"] != "b" }
        let report = try FeedItem.importJSON(
            Self.text("a", "b"), in: context, deletingOthers: FeedItem.all, hooks: hooks)
        #expect(report.declined == 1 && report.deleted == 4)
        #expect(try codes(context) == "a")
    }

    @Test func `a dry run counts the objects that deletingOthers would delete`() throws {
        var options = ImportOptions()
        options.isDryRun = true
        let report = try FeedItem.importJSON(
            Self.text("a"), in: context, deletingOthers: FeedItem.all, options: options)
        #expect(report.deleted == 4)
        #expect(try codes(context) == "abcdown")
    }

    @Test(arguments: [ImportCommit.everyBatch, .once])
    func `an import into a stack deletes absent objects after all batches`(
        commit: ImportCommit
    ) async throws {
        var options = ImportOptions()
        options.batchSize = 1
        let report = try await test.stack.importJSON(
            Self.text("a", "c", "x"), into: FeedItem.self,
            deletingOthers: FeedItem.where { $0.source == "feed" }, commit: commit, options: options
        )
        #expect(report.inserted == 1 && report.unchanged == 2 && report.deleted == 2)
        #expect(try codes(test.stack.newContext()) == "acownx")
        let waited = try Self.waited(test.stack, commit)
        #expect(waited.deleted == 4)
        #expect(try codes(test.stack.newContext()) == "")
    }

    private static func waited(
        _ stack: ContextStack, _ commit: ImportCommit
    ) throws -> ImportReport {
        try stack.importJSONAndWait(
            .values([]), into: FeedItem.self, deletingOthers: FeedItem.all, commit: commit)
    }

    @Test func `deletingOthers throws misuse for an entity without an import identity`() throws {
        let error = #expect(throws: RecordStackError.self) {
            _ = try FeedSeal.importJSON(Data("[]".utf8), in: context, deletingOthers: FeedSeal.all)
        }
        #expect(error?.code == .misuse)
    }

    @Test func `importing truncated JSON into a context deletes nothing`() throws {
        let error = #expect(throws: RecordStackError.self) {
            _ = try FeedItem.importJSON(
                Data(#"[{"code": "b"}, {"code": "e"},"#.utf8), in: context,
                deletingOthers: FeedItem.all)
        }
        #expect(error?.code == .importFailed && !context.hasChanges)
        #expect(try codes(context) == "abcdown")
    }

    @Test func `importing NDJSON with deletingOthers deletes nothing if a line is cut`() throws {
        var options = ImportOptions()
        options.format = .ndjson
        func load(_ text: String) throws -> ImportReport {
            try FeedItem.importJSON(
                Data(text.utf8), in: context, deletingOthers: FeedItem.all, options: options)
        }
        let within = try load(#"{"code": "a"}"# + "\n" + #"{"code": "b""#)
        #expect(within.deleted == 0 && within.skipped == 1)
        #expect(within.problems.last?.message.contains("nothing was deleted") == true)
        #expect(try load(#"{"code": "a"}"# + "\n").deleted == 4)
    }

    @Test(arguments: [ImportCommit.everyBatch, .once])
    func `importing truncated JSON into a stack deletes nothing`(commit: ImportCommit) async throws
    {
        var options = ImportOptions()
        options.batchSize = 1
        let error = await #expect(throws: RecordStackError.self) {
            try await test.stack.importJSON(
                Data(#"[{"code": "b"}, {"code": "e"},"#.utf8), into: FeedItem.self,
                deletingOthers: FeedItem.all, commit: commit, options: options)
        }
        #expect(error?.code == .importFailed)
        let left = try codes(test.stack.newContext())
        #expect(left.hasPrefix("abcd") && left.hasSuffix("own"))
    }
}
