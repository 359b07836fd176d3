import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Entities in a file and in memory, in the same contexts.
@Suite("File and memory in one stack") struct TwoStoreTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private var stack: ContextStack { test.stack }

    init() throws {
        test = try TestStack(for: StoredBook.self, inMemory: DraftedBook.self, at: .temporaryFile)
        context = test.stack.newContext()
    }

    private func tables() throws -> Set<String> {
        let rows = try ForeignProgram(path: #require(test.path)).rows(
            "SELECT name FROM sqlite_master WHERE type = 'table'")
        return Set(rows.compactMap(\.first))
    }

    @discardableResult
    private func create(_ title: String, words: Int = 0) throws -> DraftedBook {
        let draft = try DraftedBook.create(in: context, title: title)
        draft.words = words
        return draft
    }

    @Test
    func `one save writes both stores and keeps memory entities out of the file`() async throws {
        try StoredBook.create(in: context, title: "A")
        let draft = try create("B")
        try DraftedNote.create(in: context).draft = draft
        try DraftedTag.create(in: context).drafts.insert(draft)
        let outcome = try await context.save()
        guard case .saved(let summary) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(summary.inserted == 4)
        #expect(try tables() == ["StoredBook", "_recordstack"])
        let other = stack.newContext()
        #expect(try StoredBook.find(in: other).map(\.title) == ["A"])
        let found = try #require(try DraftedBook.findFirst(in: other))
        #expect(found.title == "B" && found.notes.count == 1 && found.tags.count == 1)
        #expect(try await stack.integrityCheck().isEmpty)
    }

    @Test func `an in-memory object's ID finds nothing after its stack is closed`() async throws {
        try StoredBook.create(in: context, title: "A")
        let (draft, path) = (try create("B"), try #require(test.path))
        try await context.save()
        let (book, uri) = (
            try #require(try StoredBook.findFirst(in: context)).objectID, draft.objectID.description
        )
        try stack.close()
        let again = try ContextStack(
            for: StoredBook.self, inMemory: DraftedBook.self, at: .file(path))
        let later = again.newContext()
        #expect(try DraftedBook.count(in: later) == 0)
        try DraftedBook.create(in: later, title: "C")
        try await later.save()
        let old = try #require(ManagedObjectID(uri))
        #expect(old.storeUUID != book.storeUUID)
        #expect(throws: RecordStackError.self) { _ = try DraftedBook.existing(old, in: later) }
        #expect(try StoredBook.existing(book, in: later).title == "A")
        try again.close()
    }

    @Test func `a save tries its in-memory part first and commits it after the file`() async throws
    {
        try StoredBook.create(in: context, title: "A")
        try create("B")
        test.recorder.reset()
        try await context.save()
        let steps = test.recorder.statements.compactMap { sql in
            ["BEGIN", "ROLLBACK", "COMMIT"].first { sql.hasPrefix($0) }
                ?? ["StoredBook", "DraftedBook"].first { sql.contains("INTO \"\($0)\"") }
        }
        #expect(
            steps == [
                "BEGIN", "DraftedBook", "ROLLBACK", "BEGIN", "StoredBook", "COMMIT", "BEGIN",
                "DraftedBook", "COMMIT",
            ])
    }

    @Test func `a failure in one store keeps a save from writing to either store`() async throws {
        try StoredBook.create(in: context, title: "A")
        try create("B")
        try await context.save()
        for (title, draftTitle) in [("A", "C"), ("C", "B")] {
            let book = try StoredBook.create(in: context, title: title)
            let draft = try create(draftTitle)
            let error = await #expect(throws: RecordStackError.self) { try await context.save() }
            #expect(error?.code == .constraint)
            #expect(error?.entity == (title == "A" ? "StoredBook" : "DraftedBook"))
            let other = stack.newContext()
            #expect(try StoredBook.count(in: other) == 1 && DraftedBook.count(in: other) == 1)
            (book.title, draft.title) = ("fits \(title)", "fits \(draftTitle)")
            try await context.save()
            try book.delete()
            try draft.delete()
            try await context.save()
        }
    }

    @Test func `a save to file and memory clears references to deleted in-memory rows`() throws {
        let draft = try create("B")
        try context.saveAndWait()
        let other = stack.newContext()
        let note = try DraftedNote.create(in: context)
        note.draft = draft
        try StoredBook.create(in: context, title: "A")
        try DraftedBook.findFirst(in: other)?.delete()
        try other.saveAndWait()
        try context.saveAndWait()
        #expect(note.draft == nil)
        #expect(try StoredBook.count(in: stack.newContext()) == 1)
    }

    @Test(arguments: [false, true]) func `a conflict in one store fails the save of both stores`(
        isInMemory: Bool
    ) async throws {
        let (book, draft) = (try StoredBook.create(in: context, title: "A"), try create("B"))
        try await context.save()
        let other = stack.newContext()
        let theirs = (
            try #require(try StoredBook.findFirst(in: other)),
            try #require(try DraftedBook.findFirst(in: other))
        )
        (book.pages, draft.words) = (1, 1)
        if isInMemory { theirs.1.words = 2 } else { theirs.0.pages = 2 }
        try await other.save()
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict)
        let seen = stack.newContext()
        #expect(try StoredBook.findFirst(in: seen)?.pages == (isInMemory ? 0 : 2))
        #expect(try DraftedBook.findFirst(in: seen)?.words == (isInMemory ? 2 : 0))
        try await context.save(mergePolicy: .objectTrump)
        #expect(try StoredBook.findFirst(in: stack.newContext())?.pages == 1)
        #expect(try DraftedBook.findFirst(in: stack.newContext())?.words == 1)
    }

    @Test func `every read and write call works on entities in memory`() async throws {
        for number in 0..<25 { try create("d\(number)", words: number) }
        let note = try DraftedNote.create(in: context)
        note.draft = try DraftedBook.findFirst(by: \.title, "d3", in: context)
        #expect(try DraftedBook.count(in: context) { $0.words >= 20 } == 5)
        try await context.save()
        #expect(try DraftedBook.count(in: context) { $0.notes.count > 0 } == 1)
        #expect(try DraftedBook.sum(of: \.words, in: context) == 300)
        #expect(try DraftedBook.page(3, size: 10, in: context).items.count == 5)
        let page = try DraftedBook.page(after: nil, size: 20, in: context)
        #expect(try DraftedBook.page(after: page.next, size: 20, in: context).items.count == 5)
        #expect(try await stack.update(DraftedBook.all) { $0.words.set(to: 1) } == 25)
        #expect(try DraftedBook.sum(of: \.words, in: context) == 25)
        try note.draft?.delete()
        try await context.save()
        #expect(try DraftedNote.count(in: context) == 0)
        #expect(try await stack.delete(DraftedBook.all) == 24)
        let text = #"[{"title": "x", "words": 3}, {"title": "y"}]"#
        try DraftedBook.importJSON(Data(text.utf8), in: context)
        #expect(try DraftedBook.count(in: context) == 2)
        #expect(stack.storeStatistics.rowsWritten > 50)
    }

    @Test func `a read-only stack still saves its entities in memory`() async throws {
        try StoredBook.create(in: context, title: "A")
        try await context.save()
        let path = try #require(test.path)
        try stack.close()
        let reading = try ContextStack(
            for: StoredBook.self, inMemory: DraftedBook.self, at: .file(path),
            options: StoreOptions(isReadOnly: true))
        let context = reading.newContext()
        let draft = try DraftedBook.create(in: context, title: "B")
        try await context.save()
        draft.words = 7
        let book = try #require(try StoredBook.findFirst(in: context))
        book.pages = 7
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .readOnly)
        #expect(try DraftedBook.findFirst(in: reading.newContext())?.words == 0)
        try reading.close()
    }

    @Test func `stacks on one file share the file but not the entities in memory`() async throws {
        let path = try #require(test.path)
        let other = try ContextStack(
            for: StoredBook.self, inMemory: DraftedBook.self, at: .file(path))
        try StoredBook.create(in: context, title: "A")
        try create("B")
        try await context.save()
        #expect(try StoredBook.count(in: other.newContext()) == 1)
        #expect(try DraftedBook.count(in: other.newContext()) == 0)
        try other.close()
    }

    @Test func `a stack entirely in memory saves all entities in one transaction`() async throws {
        let test = try TestStack(for: StoredBook.self, inMemory: DraftedBook.self)
        let context = test.stack.newContext()
        try StoredBook.create(in: context, title: "A")
        try DraftedBook.create(in: context, title: "B")
        test.recorder.reset()
        try await context.save()
        #expect(test.recorder.statements.count { $0.hasPrefix("COMMIT") } == 1)
    }
}
