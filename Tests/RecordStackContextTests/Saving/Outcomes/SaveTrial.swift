import RecordStack
import RecordStackGraph
import RecordStackModel
import TestSupport
import Testing

/// Runs one cell of the matrix on a stack of its own, whose disk may fail.
@MainActor final class SaveTrial {
    let cell: Cell
    let stack: ContextStack
    let parent: ManagedObjectContext
    /// The child, or nil if it exists only during a block.
    let child: ManagedObjectContext?
    /// Another program, which reads the file.
    let outside: ForeignProgram
    /// The rows that the file should have.
    var stored = ParcelRows.seed
    /// The number of completion calls for each call.
    private(set) var completions: [CompletionCount] = []
    private let folder: TemporaryFolder
    private let disk: FaultyDisk
    private let path: String
    /// All objects that the contexts have read, held so that they stay registered.
    private(set) var held: [(level: Level, parcel: Parcel)] = []

    init(_ cell: Cell) throws {
        let disk = FaultyDisk(syncs: false)
        let folder = try TemporaryFolder("outcomes")
        let path = folder.file("parcels.sqlite")
        var options = StoreOptions(busyTimeout: 0.01)
        options.vfs = disk.name
        options.remoteSaveInterval = nil
        options.watching.warnsAtExit = false
        // The disk must outlive every connection on it.
        options.observer = { _ in _ = disk }
        (self.cell, self.disk, self.folder, self.path) = (cell, disk, folder, path)
        stack = try ContextStack(
            for: Parcel.self, at: .file(path), architecture: cell.architecture, options: options)
        try Self.seed(stack)
        parent = cell.parent == .defaultContext ? stack.defaultContext : stack.newContext()
        child = cell.way.savesChild ? parent.newChild() : nil
        outside = try ForeignProgram(path: path)
        held = try Parcel.find(in: parent).map { (.parent, $0) }
        if let child { held += try Parcel.find(in: child).map { (.child, $0) } }
        try cell.edits(of: .parent)?.carryOut(in: parent)
        if let child { try cell.edits(of: .child)?.carryOut(in: child) }
    }

    private static func seed(_ stack: ContextStack) throws {
        let context = stack.newContext()
        for (name, row) in ParcelRows.seed {
            try Parcel.create(in: context, name: name, code: row.code)
        }
        try context.saveAndWait()
        // The stack writes nothing else from now on.
        stack.coordinator.waitForCheckpoint()
    }

    // MARK: Saving

    /// Saves during the cell's event.
    /// - Returns: the outcome, in the words of the page.
    func saveWhileItHappens() async throws -> String {
        let lock = cell.happening == .busy ? try ForeignLock(path: path) : nil
        if let fault { disk.arm(fault) }
        let outcome = try await save(cell.edits(of: .child))
        if fault != nil { #expect((disk.failures > 0) == (outcome != "noChanges")) }
        disk.mend()
        try lock?.release()
        return outcome
    }

    private var fault: Fault? {
        switch cell.happening {
        case .full: Fault(call: .lastWrite, number: 1, reason: .full, lasts: true)
        case .lost: Fault(call: .lastWrite, number: 1)
        case .written: Fault(call: .committed, number: 1)
        default: nil
        }
    }

    /// Saves again without the flaw.
    func saveMended() async throws -> String {
        for (level, context) in [(Level.parent, parent), (.child, child)]
        where cell.happening.flaw(of: level) != nil {
            if let context { try Edits(level: level).carryOut(in: context) }
        }
        return try await save(cell.isChildDirty ? Edits(level: .child) : nil)
    }

    /// Saves in the cell's way.
    /// - Parameter edits: the edits that a block makes.
    private func save(_ edits: Edits?) async throws -> String {
        let version = try outside.dataVersion
        let rows = try outside.parcels()
        let isToSettle = completions.count == 1 && [.lost, .written].contains(cell.happening)
        let count = CompletionCount()
        completions.append(count)
        do {
            let outcome = try await call(edits, count)
            let now = try outside.parcels()
            if now == rows && !isToSettle { #expect(try outside.dataVersion == version) }
            switch outcome {
            // A block does not report whether there was anything to save, but the file shows it.
            case nil: return now == rows ? "noChanges" : "saved"
            case .noChanges:
                #expect(now == rows)
                return "noChanges"
            case .saved(let summary):
                #expect(summary == .from(rows, to: now))
                return "saved"
            }
        } catch let error as RecordStackError {
            return "\(error.code)"
        }
    }

    private func call(_ edits: Edits?, _ count: CompletionCount) async throws -> SaveOutcome? {
        let block: @Sendable (ManagedObjectContext) throws -> Int = { context in
            try edits?.carryOut(in: context)
            return 7
        }
        let value: Int
        switch cell.way {
        case .save: return try await child?.save()
        case .saveAndWait: return try waited { try child?.saveAndWait() }
        case .block: value = try await parent.saveWithBlock(block)
        case .blockAndWait: value = try waited { try parent.saveWithBlockAndWait(block) }
        case .blockWithCompletion:
            value = try await count.wait { parent.saveWithBlock(block, completion: $0) }
        case .stackBlock: value = try await stack.saveWithBlock(block)
        case .stackBlockAndWait: value = try waited { try stack.saveWithBlockAndWait(block) }
        case .stackBlockWithCompletion:
            value = try await count.wait { stack.saveWithBlock(block, completion: $0) }
        }
        #expect(value == 7)
        return nil
    }

    /// Runs a call that blocks, which the compiler does not allow directly in async code.
    private func waited<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
}

extension ForeignProgram {
    /// A number that changes when another connection has committed.
    var dataVersion: String {
        get throws { try rows("PRAGMA data_version")[0][0] }
    }

    /// Returns the lines of the file's rows, as in ``ParcelRows/lines``.
    func parcels() throws -> [String] {
        try rows(
            """
            SELECT p.name, p.code, p.weight, p.note, c.name
            FROM Parcel p LEFT JOIN Parcel c ON c._key = p.container
            """
        ).map { "\($0[0]) \($0[1]) \($0[2]) “\($0[3])” \($0[4])" }.sorted()
    }
}

extension SaveSummary {
    /// Returns the summary of a save, computed from the file's lines before and after it.
    static func from(_ before: [String], to now: [String]) -> SaveSummary {
        let names = [before, now].map { Set($0.map { $0.split(separator: " ")[0] }) }
        let changed = Set(now).subtracting(before).count
        var summary = SaveSummary()
        summary.inserted = names[1].subtracting(names[0]).count
        summary.deleted = names[0].subtracting(names[1]).count
        summary.updated = changed - summary.inserted
        return summary
    }
}
