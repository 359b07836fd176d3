import Foundation
import RecordStack
import SaveLoopLedger
import TestSupport
import Testing

/// Files beside which a killed program has left a journal. Opening such a file first rolls back the
/// program's transaction.
@Suite("Hot journals") struct HotJournalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("journal")
    }

    /// Leaves the files of a program that was killed in the middle of a transaction without a WAL.
    private func kill(at path: String, after sql: String) throws {
        let program = try ForeignProgram(path: folder.file("live.sqlite"))
        try program.run("PRAGMA journal_mode=DELETE; PRAGMA cache_size=1; " + sql)
        for name in ["", "-journal"] {
            try FileManager.default.copyItem(
                atPath: folder.file("live.sqlite" + name), toPath: path + name)
        }
        try program.run("ROLLBACK")
    }

    private static let filling = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        INSERT INTO x SELECT randomblob(2000) FROM n
        """

    @Test func `opening a store succeeds after a crash during its creation`() throws {
        let path = folder.file("store.sqlite")
        try kill(at: path, after: "BEGIN IMMEDIATE; CREATE TABLE x(a); \(Self.filling)")
        let stack = try Bookkeeper.open(path)
        let context = stack.newContext()
        try Entry.create(in: context, save: 1, amount: 1)
        try context.saveAndWait()
        try stack.close()
        #expect(try folder.names.isDisjoint(with: ["store.sqlite-journal"]))
    }

    @Test func `opening a store rolls back the transaction of a killed program`() throws {
        let live = folder.file("live.sqlite")
        let stack = try Bookkeeper.open(live)
        let context = stack.newContext()
        try Entry.create(in: context, save: 1, amount: 7)
        try context.saveAndWait()
        try stack.close()
        let path = folder.file("store.sqlite")
        try kill(at: path, after: "BEGIN IMMEDIATE; CREATE TABLE x(a); \(Self.filling)")
        let again = try Bookkeeper.open(path)
        #expect(try Entry.find(in: again.newContext()).map(\.amount) == [7])
        try again.close()
    }
}
