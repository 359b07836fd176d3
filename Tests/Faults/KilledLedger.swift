import Foundation
import RecordStack
import SaveLoopLedger
import TestSupport
import Testing

/// A ledger in a file, and what the killed programs have reported about it.
struct KilledLedger {
    let folder: TemporaryFolder
    /// The number of saves that have returned.
    private(set) var acknowledged = 0
    private(set) var largestKey: Int64 = 0

    var path: String { folder.file("ledger.sqlite") }

    init() throws {
        folder = try TemporaryFolder("killed")
    }

    /// Runs the program until it is killed.
    mutating func run(_ moment: KillMoment, seed: UInt64) throws -> KillResult {
        let before = acknowledged
        let child = try ChildProgram("SaveLoop", [path, String(before + 1), String(seed)])
        if moment.isAfterOpening { _ = child.nextLine() }
        usleep(moment.microseconds)
        child.kill()
        let lines = child.remainingLines()
        let ending = child.wait()
        try #require(ending.signal == SIGKILL, "the program ended by itself, \(ending): \(lines)")
        for line in lines where line.hasPrefix("saved ") {
            let words = line.split(separator: " ")
            acknowledged = try #require(Int(words[1]))
            largestKey = max(largestKey, try #require(Int64(words[2])))
        }
        return KillResult(
            acknowledged: acknowledged - before,
            logBytes: (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size]
                as? Int ?? 0)
    }

    /// Opens the ledger with another program and with a stack, and checks everything.
    /// - Returns: true if a save that had not returned is there as a whole.
    mutating func check() throws -> Bool {
        // A journal stays behind if the program was killed while it created the store.
        let known: Set = [
            "ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "ledger.sqlite-journal",
        ]
        #expect(try folder.names.isSubset(of: known))
        guard FileManager.default.fileExists(atPath: path) else {
            try #require(acknowledged == 0)
            return false
        }
        let stack = try Bookkeeper.open(path)
        try checkWithPlainSQL()
        let wasWhole = try checkReceipts(stack)
        // The keys of saved and then deleted objects must not be given out again.
        let context = stack.newContext()
        let key = try Entry.create(in: context, save: 0, amount: 0).objectID.key
        #expect(key > largestKey)
        try stack.close()
        return wasWhole
    }

    private func checkWithPlainSQL() throws {
        let other = try ForeignProgram(path: path)
        #expect(try other.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try other.rows("PRAGMA foreign_key_check") == [])
        #expect(try other.rows("SELECT coalesce(sum(balance), 0) FROM Account") == [["0"]])
        let wrong = try other.rows(
            """
            SELECT number FROM Account WHERE balance IS NOT
                (SELECT coalesce(sum(amount), 0) FROM Entry WHERE account = Account._key)
            """)
        #expect(wrong == [])
    }

    private mutating func checkReceipts(_ stack: ContextStack) throws -> Bool {
        let context = stack.newContext()
        let receipts = try Receipt.find(sortedBy: .ascending(\.save), in: context)
        let saves = receipts.map(\.save)
        try #require(saves == Array(1..<(saves.count + 1)))
        try #require(
            saves.count == acknowledged || saves.count == acknowledged + 1,
            "\(acknowledged) saves had returned, \(saves.count) are there")
        let undone = Set(receipts.compactMap(\.undone))
        for receipt in receipts {
            let save = receipt.save
            let expected = undone.contains(save) ? 0 : receipt.entryCount
            try #require(try Entry.count(in: context) { $0.save == save } == expected)
        }
        try #require(try Entry.count(in: context) { $0.save > saves.count } == 0)
        let wasWhole = saves.count > acknowledged
        acknowledged = saves.count
        return wasWhole
    }
}
