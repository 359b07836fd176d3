import RecordStack
import RecordStackModel
import Synchronization
import TestSupport
import Testing

@Suite("Incarnation numbers of re-inserted rows") struct IncarnationTests {
    private final class Store {
        let path: String
        let stack: ContextStack
        let program: ForeignProgram
        private let folder: TemporaryFolder

        init(_ names: [String]) throws {
            folder = try TemporaryFolder("incarnations")
            path = folder.file("store.sqlite")
            stack = try ContextStack(entities: ReinsertedFile.entities, at: .file(path))
            try stack.saveWithBlockAndWait { context in
                for name in names { try Keepsake.create(in: context, name: name) }
            }
            program = try ForeignProgram(path: path)
        }

        func open(
            statement: @escaping @Sendable (String) -> Void = { _ in }
        ) throws -> ContextStack {
            var options = StoreOptions()
            options.observer = { if case .statement(_, let sql) = $0 { statement(sql) } }
            return try ContextStack(
                entities: ReinsertedFile.entities, at: .file(path), options: options)
        }

        /// Returns the incarnation and the number of each row, sorted by name.
        func versions() throws -> [[String]] {
            try program.rows(
                "SELECT _version >> 24, _version & 0xFFFFFF FROM Keepsake ORDER BY name")
        }
    }

    @Test func `a re-insertion puts the next re-insertion number into its row version`() throws {
        let store = try Store(["a", "b", "c"])
        try ReinsertedFile.reinsert("b", store.stack)
        #expect(try store.versions() == [["0", "1"], ["1", "1"], ["0", "1"]])
        try ReinsertedFile.reinsert("c", store.stack)
        try ReinsertedFile.reinsert("b", store.stack)
        #expect(try store.versions() == [["0", "1"], ["3", "1"], ["2", "1"]])
        try store.stack.saveWithBlockAndWait { context in
            for keepsake in try Keepsake.find(in: context) { keepsake.worth = 9 }
        }
        #expect(try store.versions() == [["0", "2"], ["3", "2"], ["2", "2"]])
    }

    @Test func `two stacks on one file never number two re-insertions alike`() throws {
        let names = (0..<6).map { "row \($0)" }
        let store = try Store(names)
        let stacks = [store.stack, try store.open()]
        for round in 0..<2 {
            for (place, name) in names.enumerated() {
                try ReinsertedFile.reinsert(name, stacks[(place + round) % 2])
            }
        }
        let incarnations = try store.versions().map { $0[0] }
        #expect(Set(incarnations) == Set((7...12).map(String.init)))
    }

    @Test func `two rows that one save re-inserts can both be saved again`() throws {
        let store = try Store(["a", "b"])
        let (context, other) = (store.stack.newContext(), store.stack.newContext())
        let held = try Keepsake.find(sortedBy: .ascending(\.name), in: other)
        for keepsake in held { keepsake.note = "held" }
        for keepsake in try Keepsake.find(in: context) { keepsake.worth += 1 }
        try store.stack.saveWithBlockAndWait { try Keepsake.delete(in: $0) { $0.worth == 0 } }
        try context.saveAndWait(mergePolicy: .objectTrump)
        #expect(try store.versions() == [["1", "1"], ["1", "1"]])
        // The edits of the deleted rows are saved over the re-inserted rows.
        try other.saveAndWait()
        #expect(held.map(\.worth) == [1, 1])
        #expect(try store.versions() == [["1", "2"], ["1", "2"]])
    }

    /// A row keeps its incarnation, however many other rows are re-inserted after it.
    @Test func `a row can be re-inserted and edited after 40,000 other re-insertions`() throws {
        let store = try Store(["a"])
        try ReinsertedFile.reinsert("a", store.stack)
        try store.program.run("UPDATE _recordstack SET value = 40000 WHERE name = 'incarnation'")
        let context = store.stack.newContext()
        let held = try #require(try Keepsake.findFirst(in: context))
        held.note = "held"
        try store.stack.saveWithBlockAndWait { try Keepsake.findFirst(in: $0)?.delete() }
        #expect(try Keepsake.count(in: context) == 0)
        try context.saveAndWait(mergePolicy: .objectTrump)
        #expect(!context.hasChanges && held.objectState == .persistent)
        #expect(try Keepsake.findFirst(in: context) === held)
        held.note = "held on"
        try context.saveAndWait()
        #expect(try Keepsake.findFirst(in: store.open().newContext())?.note == "held on")
    }

    @Test
    func `a re-insertion raises a row version whose update count has overflowed`() throws {
        let store = try Store(["a"])
        try store.program.run("UPDATE Keepsake SET _version = (7 << 24) - 1")
        try store.stack.saveWithBlockAndWait { try Keepsake.findFirst(in: $0)?.worth = 9 }
        #expect(try store.versions() == [["7", "0"]])
        try ReinsertedFile.reinsert("a", store.stack)
        #expect(try store.versions() == [["8", "1"]])
    }

    @Test func `a save skips a re-insertion number that another stack takes meanwhile`() throws {
        let store = try Store(["a", "b"])
        let stack = store.stack
        let begun = Mutex<Int?>(nil)
        // Runs between the transaction that counts the incarnation and the transaction of the save.
        let other = try store.open { sql in
            guard sql == "BEGIN IMMEDIATE" else { return }
            let isSave = begun.withLock { count in
                count = count.map { $0 + 1 }
                return count == 2
            }
            if !isSave { return }
            #expect(throws: Never.self) { try ReinsertedFile.reinsert("a", stack) }
        }
        let context = other.newContext()
        try Keepsake.findFirst(by: \.name, "b", in: context)?.worth += 1
        try other.saveWithBlockAndWait { try Keepsake.findFirst(by: \.name, "b", in: $0)?.delete() }
        #expect(try Keepsake.count(in: context) == 1)
        begun.withLock { $0 = 0 }
        try context.saveAndWait(mergePolicy: .objectTrump)
        #expect(try store.versions() == [["2", "1"], ["3", "1"]])
        #expect(try !context.hasChanges && Keepsake.count(in: context) == 2)
    }

    @Test func `re-inserting a row throws corrupt if all re-insertion numbers are used`() throws {
        let store = try Store(["a"])
        let last = RowVersion.lastIncarnation
        try store.program.run(
            "UPDATE _recordstack SET value = \(last - 1) WHERE name = 'incarnation'")
        try ReinsertedFile.reinsert("a", store.stack)
        #expect(try store.versions() == [["\(last)", "1"]])
        try store.stack.saveWithBlockAndWait { try Keepsake.findFirst(in: $0)?.worth = 9 }
        #expect(try store.versions() == [["\(last)", "2"]])
        let error = #expect(throws: RecordStackError.self) {
            try ReinsertedFile.reinsert("a", store.stack)
        }
        #expect(error?.code == .corrupt && error?.message.contains("as many as it can") == true)
    }

    @Test func `re-inserting a row throws corrupt if the re-insertion counter is gone`() throws {
        let store = try Store(["a"])
        try store.program.run("DELETE FROM _recordstack WHERE name = 'incarnation'")
        let error = #expect(throws: RecordStackError.self) {
            try ReinsertedFile.reinsert("a", store.stack)
        }
        #expect(error?.code == .corrupt)
    }
}

@Suite("Row versions") struct RowVersionTests {
    @Test func `row versions sort by re-insertion number first, then by update count`() {
        let versions = [
            .noRow, .first, RowVersion.first.next, RowVersion(incarnation: 1),
            RowVersion(incarnation: 1).next, RowVersion(incarnation: 7),
            RowVersion(incarnation: 30_000), RowVersion(incarnation: 70_000),
            RowVersion(incarnation: RowVersion.lastIncarnation),
        ]
        for (place, version) in versions.enumerated() {
            for earlier in versions[..<place] {
                #expect(earlier < version && !(version < earlier))
            }
        }
    }

    @Test func `RowVersion noRow sorts before every valid version and is not valid`() {
        for incarnation in [0, 1, 32_768, 65_536, RowVersion.lastIncarnation] {
            let version = RowVersion(incarnation: incarnation)
            #expect(RowVersion.noRow < version && version.isValid)
            #expect(version.isReinsertion == (incarnation != 0))
        }
        #expect(!RowVersion.noRow.isValid)
        #expect(!RowVersion(incarnation: RowVersion.lastIncarnation + 1).isValid)
    }

    @Test func `a row version with one more update does not count as a re-insertion`() {
        let row = RowVersion(incarnation: 3, number: 5)
        #expect(!row.next.isReinsertion(since: row) && row.next.previous == row)
        #expect(!row.isReinsertion(since: row))
    }
}
