import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// A child of a child of the default context, each with changes, on a disk that may fail.
@MainActor final class DeepTrial {
    /// How the lowest level is saved: a context that the program holds, or a block of the one above.
    enum Way: CaseIterable {
        case save, saveAndWait, block, blockAndWait, blockWithCompletion

        var isBlock: Bool { self != .save && self != .saveAndWait }
    }

    /// From the default context downwards.
    nonisolated static let levels = 0..<3

    private let way: Way
    private let flaw: Flaw?
    /// The level whose changes are flawed.
    private let flawed: Int
    private let stack: ContextStack
    private let disk: FaultyDisk
    private let folder: TemporaryFolder
    /// Those that outlive a save.
    private var contexts: [ManagedObjectContext] = []
    /// How often each completion was called.
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
        // The disk outlives every connection that is on it.
        options.observer = { _ in _ = disk }
        self.disk = disk
        stack = try ContextStack(
            for: Parcel.self, at: .file(path), architecture: architecture, options: options)
        let first = stack.newContext()
        for (name, row) in Self.seed { try Parcel.create(in: first, name: name, code: row.code) }
        try first.saveAndWait()
        // Nothing else is written from now on.
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

    /// What the file has when all levels are saved.
    static let all: ParcelRows = [
        "taken": ParcelRow(code: "taken"),
        "shared": ParcelRow(code: "shared", weight: 50, note: "0", container: "level 0"),
        "level 0": ParcelRow(code: "level 0", note: "seen by 1"),
        "level 1": ParcelRow(code: "level 1", note: "seen by 2", container: "level 0"),
        "level 2": ParcelRow(code: "level 2", container: "level 1"),
    ]

    /// Changes what is not so yet: each level makes an object, goes on with that of the level above, and changes a
    /// property of an object that all of them change.
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

    /// What each of those levels has changed that outlive a save.
    var changes: [[String]] { contexts.map(\.changeLines) }

    // MARK: Saving

    /// - Returns: the code of the error; nil for success.
    func save(whileFailing fault: Fault) async throws -> RecordStackError.Code? {
        disk.arm(fault)
        defer { disk.mend() }
        return try await save()
    }

    /// - Returns: the code of the error; nil for success.
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

    /// Blocking is right here.
    private func waited<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }

    /// Saves once more, without what was wrong: then all levels show what the file has, and have nothing left to save.
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
        // It waits for all that was begun.
        try stack.close()
        #expect(completions.allSatisfy { $0.value == 1 }, note)
        #expect(completions.isEmpty == (way != .blockWithCompletion), note)
    }
}
