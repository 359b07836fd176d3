import Foundation
import RecordStack
import RecordStackModel
import SaveLoopLedger
import Synchronization
import TestSupport
import Testing

/// A ledger on a faulty disk, with a list of the saves that returned.
final class FaultedLedger {
    let folder: TemporaryFolder
    let disk = FaultyDisk()
    private let checkpoints = Checkpoints()
    let options: StoreOptions
    private var opened: ContextStack?
    /// The numbers of the saves that have returned.
    private(set) var acknowledged: [Int] = []

    /// The modes of the checkpoints that have begun, and "failed" for each abandoned checkpoint.
    var checkpointModes: [String] { checkpoints.modes }

    private final class Checkpoints: Sendable {
        private let seen = Mutex<[String]>([])
        var modes: [String] { seen.withLock { $0 } }

        func observe(_ event: StoreEvent) {
            switch event {
            case .checkpoint(_, let mode): seen.withLock { $0.append(mode) }
            case .logGrowth: seen.withLock { $0.append("failed") }
            default: break
            }
        }
    }

    var path: String { folder.file("ledger.sqlite") }

    init(_ change: (inout StoreOptions) -> Void = { _ in }) throws {
        folder = try TemporaryFolder("faults")
        var options = StoreOptions(busyTimeout: 0.5)
        options.vfs = disk.name
        options.observer = { [disk, checkpoints] event in
            // The disk must outlive every connection on it.
            _ = disk
            checkpoints.observe(event)
        }
        change(&options)
        self.options = options
    }

    var stack: ContextStack {
        get throws { try opened ?? open() }
    }

    @discardableResult
    func open() throws -> ContextStack {
        let stack = try openAnother()
        opened = stack
        return stack
    }

    /// Opens a second stack on the file, as another process would.
    func openAnother() throws -> ContextStack {
        try ContextStack(
            entities: [Account.self, Entry.self, Receipt.self], at: .file(path), options: options)
    }

    func close() throws {
        let stack = opened
        opened = nil
        try stack?.close()
    }

    /// Creates two accounts, some entries with a long note, and the receipt, without saving.
    func book(
        _ number: Int, entries: Int = 4, accounts numbers: [Int] = [0, 1],
        in context: ManagedObjectContext
    ) throws {
        let accounts = try numbers.map {
            try Account.findFirstOrCreate(by: \.number, $0, in: context)
        }
        for entry in 0..<entries {
            let amount = entry.isMultiple(of: 2) ? number : -number
            let account = accounts[entry % 2]
            account.balance += amount
            try Entry.create(
                in: context, save: number, amount: amount,
                note: String(repeating: "note ", count: 150), account: account)
        }
        try Receipt.create(in: context, save: number, entryCount: entries)
    }

    /// Deletes the objects of a booking, without saving.
    func takeBack(_ number: Int, in context: ManagedObjectContext) throws {
        for entry in try Entry.find(in: context, where: { $0.save == number }) {
            entry.account?.balance -= entry.amount
            try entry.delete()
        }
        try Receipt.findFirst(by: \.save, number, in: context)?.delete()
    }

    func acknowledge(_ number: Int) { acknowledged.append(number) }

    /// Books and saves while the disk works.
    func save(_ number: Int) throws {
        let context = try stack.newContext()
        try book(number, in: context)
        try context.saveAndWait()
        acknowledge(number)
    }

    /// The saves that another program finds in the file. Throws if one is there only in part.
    func saves() throws -> [Int] { try Books.saves(path) }

    /// The saves that another program would find if all processes were killed at this moment.
    func savesAfterKill() throws -> [Int] {
        let copy = try TemporaryFolder("killed")
        for ending in ["", "-wal"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.copyItem(
                atPath: path + ending, toPath: copy.file("ledger.sqlite" + ending))
        }
        return try Books.saves(copy.file("ledger.sqlite"))
    }
}

/// Reads a ledger with plain SQL.
enum Books {
    /// Returns the saves in the file. Throws if one is there only in part.
    static func saves(_ path: String) throws -> [Int] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let other = try ForeignProgram(path: path)
        try #require(try other.rows("PRAGMA integrity_check") == [["ok"]])
        try #require(try other.rows("PRAGMA foreign_key_check") == [])
        if try other.rows("SELECT name FROM sqlite_schema WHERE name = 'Receipt'").isEmpty {
            return []
        }
        let wrong = try other.rows(
            """
            SELECT number FROM Account WHERE balance IS NOT
                (SELECT coalesce(sum(amount), 0) FROM Entry WHERE account = Account._key)
            UNION ALL SELECT save FROM Receipt WHERE entryCount IS NOT
                (SELECT count(*) FROM Entry WHERE Entry.save = Receipt.save)
            UNION ALL SELECT save FROM Entry WHERE save NOT IN (SELECT save FROM Receipt)
                OR account IS NULL
            """)
        try #require(wrong == [], "a save is there in part")
        return try other.rows("SELECT save FROM Receipt ORDER BY save").map { Int($0[0])! }
    }
}
