import CSQLite
import RecordStack
import RecordStackModel
import RecordStackSQLite
import SaveLoopLedger
import TestSupport
import Testing

/// Log frames that wait in memory until their transaction ends.
@Suite("Coalescing log") struct GatheredLogTests {
    private func writes(_ calls: [DiskCall: Int]) -> Int {
        calls[.write, default: 0] + calls[.lastWrite, default: 0]
    }

    @Test func `a small save writes to the disk with a single call`() throws {
        let (ledger, context) = try UnknownOutcome.makeLedger()
        #expect(writes(try ledger.disk.count { try context.saveAndWait() }) == 1)
        #expect(try ledger.savesAfterKill() == [1, 2, 3])
    }

    @Test func `a large save writes about fifteen or more pages per write call`() throws {
        let ledger = try FaultedLedger()
        try ledger.save(1)
        let context = try ledger.stack.newContext()
        try ledger.book(2, entries: 2_000, in: context)
        let before = try ledger.stack.storeSize.logBytes
        let calls = try ledger.disk.count { try context.saveAndWait() }
        let pages = try (ledger.stack.storeSize.logBytes - before) / 4_120
        #expect(pages > 300 && writes(calls) <= pages / 15 + 2, "\(pages) pages, \(calls)")
    }

    /// Pages that did not fit into the cache wait for the log when the save is rolled back. If they
    /// were written later, they would overwrite frames that the other connection has committed
    /// since.
    @Test func `a rolled-back transaction overwrites no WAL frames of another one`() throws {
        let folder = try TemporaryFolder("gathered")
        let path = folder.file("plain.sqlite")
        let first = try PlainDatabase(path: path)
        try first.execute(
            "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=6; "
                + "CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB)")
        let log = try #require(CoalescingLog.install(on: first.handle))
        let second = try PlainDatabase(path: path)
        try second.execute("PRAGMA wal_autocheckpoint=0")
        var rows = 0
        for pages in 1...40 {
            log.pointee.beginTransaction()
            try first.execute("BEGIN IMMEDIATE")
            try first.insert(pages)
            try first.execute("ROLLBACK")
            try second.insert(50)
            // The first connection runs the checkpoint: it asks for the log's size, reads the log
            // and begins a new transaction.
            if pages.isMultiple(of: 2) { try first.execute("PRAGMA wal_checkpoint(FULL)") }
            log.pointee.beginTransaction()
            try first.insert(1)
            rows += 51
            let reader = try ForeignProgram(path: path)
            #expect(try reader.rows("PRAGMA integrity_check") == [["ok"]])
            #expect(
                try reader.rows("SELECT count(*), sum(length(b)) FROM t") == [
                    ["\(rows)", "\(rows * 3_000)"]
                ])
        }
    }

    @Test func `saves that outgrow the page cache lose no change`() throws {
        let ledger = try FaultedLedger { $0.cacheSize = 40 }
        try ledger.save(1)
        for round in 2..<6 {
            let context = try ledger.stack.newContext()
            for entry in try Entry.find(in: context) { entry.note += "!" }
            try ledger.book(round, entries: 300, in: context)
            try context.saveAndWait()
            ledger.acknowledge(round)
        }
        #expect(try ledger.savesAfterKill() == ledger.acknowledged)
        let context = try ledger.stack.newContext()
        #expect(
            try Entry.find(in: context, where: { $0.save == 2 }).allSatisfy {
                $0.note.hasSuffix(" !!!")
            })
        try ledger.close()
        #expect(try ledger.saves() == ledger.acknowledged)
    }
}

/// A database without a stack.
private final class PlainDatabase {
    let handle: OpaquePointer

    init(path: String) throws {
        var opened: OpaquePointer?
        try #require(sqlite3_open(path, &opened) == SQLITE_OK)
        handle = try #require(opened)
    }

    deinit { sqlite3_close(handle) }

    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    }

    /// Inserts rows that each fill most of a page, in one transaction unless one has begun.
    func insert(_ count: Int) throws {
        try execute(
            "WITH n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
                + "INSERT INTO t(b) SELECT zeroblob(3000) FROM n")
    }
}
