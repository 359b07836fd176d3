import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// A grandchild of the default context, with changes in all three levels, on a disk that may fail.
@MainActor final class DeepTrial {
    /// The ways of saving the lowest level: as a context that the program holds, or as a block of
    /// the level above.
    enum Way: CaseIterable {
        case save, saveAndWait, block, blockAndWait, blockWithCompletion

        var isBlock: Bool { self != .save && self != .saveAndWait }
    }

    /// The levels, beginning with the default context.
    nonisolated static let levels = 0..<3

    private let way: Way
    private let flaw: Flaw?
    /// The level whose changes have the flaw.
    private let flawed: Int
    private let stack: ContextStack
    private let disk: FaultyDisk
    private let folder: TemporaryFolder
    /// The contexts that outlive a save.
    private var contexts: [ManagedObjectContext] = []
    /// The number of calls of each completion.
    private var completions: [CompletionCount] = []
    let outside: ForeignProgram

    init(
        _ architecture: StackArchitecture, _ way: Way, flaw: Flaw? = nil, of level: Int = 0
    ) throws {
        (self.way, self.flaw, flawed) = (way, flaw, level)
        let disk = FaultyDisk(syncs: false)
        folder = try TemporaryFolder("deep")
        let path = folder.file("parcels.sqlite")
        var options = StoreOptions()
        options.vfs = disk.name
        options.remoteSaveInterval = nil
        options.watching.warnsAtExit = false
        // The disk must outlive every connection on it.
        options.observer = { _ in _ = disk }
        self.disk = disk
        stack = try ContextStack(
            for: Parcel.self, at: .file(path), architecture: architecture, options: options)
        let first = stack.newContext()
        for (name, row) in Self.seed { try Parcel.create(in: first, name: name, code: row.code) }
        try first.saveAndWait()
        // The stack writes nothing else from now on.
        stack.coordinator.waitForCheckpoint()
        outside = try ForeignProgram(path: path)
        contexts = [stack.defaultContext]
        for _ in 1..<(way.isBlock ? 2 : 3) {
            contexts.append(contexts[contexts.count - 1].newChild())
        }
        for (level, context) in contexts.enumerated() {
            try Self.edit(level, flaw: level == flawed ? flaw : nil, in: context)
        }
    }

    // MARK: Changes

    static let seed: ParcelRows = [
        "shared": ParcelRow(code: "shared"), "taken": ParcelRow(code: "taken"),
    ]

    /// The rows of the file after all levels are saved.
    static let all: ParcelRows = [
        "taken": ParcelRow(code: "taken"),
        "shared": ParcelRow(code: "shared", weight: 50, note: "0", container: "level 0"),
        "level 0": ParcelRow(code: "level 0", note: "seen by 1"),
        "level 1": ParcelRow(code: "level 1", note: "seen by 2", container: "level 0"),
        "level 2": ParcelRow(code: "level 2", container: "level 1"),
    ]

    /// Makes the edits of a level that are still missing. Each level creates an object, edits the
    /// object of the level above, and changes one property of an object that all levels change.
    private nonisolated static func edit(
        _ level: Int, flaw: Flaw?, in context: ManagedObjectContext
    ) throws {
        func find(_ name: String) throws -> Parcel? {
            try Parcel.findFirst(by: \.name, name, in: context)
        }
        let code = flaw == .taken ? "taken" : "level \(level)"
        let new =
            try find("level \(level)")
            ?? Parcel.create(in: context, name: "level \(level)", code: code)
        if new.code != code { new.code = code }
        let weight = flaw == .invalid ? -1 : 1
        if new.weight != weight { new.weight = weight }
        if let above = try find("level \(level - 1)") {
            if above.note != "seen by \(level)" { above.note = "seen by \(level)" }
            if new.container !== above { new.container = above }
        }
        guard let shared = try find("shared") else { return }
        switch level {
        case 0: if shared.note != "0" { shared.note = "0" }
        case 1: if shared.weight != 50 { shared.weight = 50 }
        default:
            let top = try find("level 0")
            if shared.container !== top { shared.container = top }
        }
    }

    /// The changes of each context that outlives a save.
    var changes: [[String]] { contexts.map(\.changeLines) }

    // MARK: Saving

    /// - Returns: the code of the error, or nil for success.
    func save(whileFailing fault: Fault) async throws -> RecordStackError.Code? {
        disk.arm(fault)
        defer { disk.mend() }
        return try await save()
    }

    /// - Returns: the code of the error, or nil for success.
    func save() async throws -> RecordStackError.Code? {
        try await save(flaw: flawed == 2 ? flaw : nil)
    }

    private func save(flaw: Flaw?) async throws -> RecordStackError.Code? {
        let lowest = contexts[contexts.count - 1]
        let block: @Sendable (ManagedObjectContext) throws -> Int = { context in
            try Self.edit(2, flaw: flaw, in: context)
            return 7
        }
        let count = CompletionCount()
        if way == .blockWithCompletion { completions.append(count) }
        do {
            switch way {
            case .save: try await lowest.save()
            case .saveAndWait: try waited { _ = try lowest.saveAndWait() }
            case .block: #expect(try await lowest.saveWithBlock(block) == 7)
            case .blockAndWait:
                #expect(try waited { try lowest.saveWithBlockAndWait(block) } == 7)
            case .blockWithCompletion:
                #expect(try await count.wait { lowest.saveWithBlock(block, completion: $0) } == 7)
            }
        } catch let error as RecordStackError {
            return error.code
        }
        return nil
    }

    /// Runs a call that blocks, which the compiler does not allow directly in async code.
    private func waited<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }

    /// Saves again without the flaw. Then all levels must show the rows of the file and have
    /// nothing left to save.
    func checkMended(_ note: Comment) async throws {
        if flawed < contexts.count {
            try Self.edit(flawed, flaw: nil, in: contexts[flawed])
        }
        #expect(try await save(flaw: nil) == nil, note)
        #expect(try outside.parcels() == Self.all.lines, note)
        for context in contexts {
            #expect(try Parcel.lines(in: context) == Self.all.lines, note)
            #expect(!context.hasChanges, note)
        }
        // Closing waits for all work that was started.
        try stack.close()
        #expect(completions.allSatisfy { $0.value == 1 }, note)
        #expect(completions.isEmpty == (way != .blockWithCompletion), note)
    }
}
