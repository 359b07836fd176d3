import RecordStack
import RecordStackTesting
import TestSupport

/// Runs random steps in a context, its child and its grandchild, and keeps a plain museum for each.
@MainActor final class QuestionScript {
    static let levels = 3
    nonisolated static let entities: [ManagedObject.Type] = [
        Exhibit.self, Painting.self, Statue.self, Wing.self, Theme.self,
    ]

    let stack: ContextStack
    let second: ContextStack
    let gate = Gate()
    let disk = FaultyDisk(syncs: false)
    let folder: TemporaryFolder
    /// Warnings, each of which is a failure: the test never removes the base of an edit.
    let warnings = BaseWarnings()
    /// The statements of the stack. An awaited save must run none of them on the main thread.
    let threads = StatementThreads()
    /// The three levels, the topmost first.
    var contexts: [ManagedObjectContext]
    /// A context without edits, which merges saves at its operations.
    let follower: ManagedObjectContext
    let foreign: ManagedObjectContext

    /// The museum in the store, and the museum that each level shows.
    var stored = PlainMuseum()
    var shown: [PlainMuseum]
    /// The objects that each level has changed, and the exhibits with changed attributes only.
    var touched = Array(repeating: Set<Touched>(), count: levels)
    var edited = Array(repeating: Set<Int>(), count: levels)
    /// The running save and its level.
    var underWay: (museum: PlainMuseum, level: Int, touched: Set<Touched>)?
    /// True after the first step that edited while a save was running.
    var hasEditedUnderWay = false
    /// True after a save whose outcome is unknown.
    var isDoubtful = false
    var nextNumber = 1
    /// Objects that the test keeps alive.
    var held: [ManagedObject] = []
    var coverage = QuestionCoverage()
    var log: [String] = []

    init(isFollowing: Bool) throws {
        folder = try TemporaryFolder("questions")
        let path = folder.file("museum.sqlite")
        var options = StoreOptions()
        options.vfs = disk.name
        options.remoteSaveInterval = 0.001
        options.watching.warnsAtExit = false
        options.watching.handler = { [warnings] in warnings.note($0) }
        options.observer = { [gate, disk, threads] event in
            threads.observe(event)
            gate.observe(event)
            // The disk must outlive every connection on it.
            _ = disk
        }
        stack = try ContextStack(entities: Self.entities, at: .file(path), options: options)
        let seeding = stack.newContext()
        for number in 1...Pool.themes {
            try Theme.create(in: seeding, number: number).rank = number
            stored.ranks[number] = number
        }
        try seeding.saveAndWait()
        options.observer = nil
        options.vfs = nil
        second = try ContextStack(entities: Self.entities, at: .file(path), options: options)
        let top = isFollowing ? stack.defaultContext : stack.newContext(name: "top")
        contexts = [top, top.newChild(name: "child")]
        contexts.append(contexts[1].newChild(name: "grandchild"))
        follower = stack.newContext(name: "follower")
        foreign = stack.newContext(name: "foreign")
        shown = Array(repeating: stored, count: Self.levels)
    }

    func close() throws {
        gate.openForGood()
        held = []
        try second.close()
        try stack.close()
    }

    func run(_ steps: [QuestionStep]) async throws {
        for step in steps {
            log.append("\(step)")
            coverage.note("step \(step.kind)")
            do { try await take(step) } catch let failure as QuestionFailure { throw failure } catch
            {
                throw QuestionFailure(description: "\(step): \(error)")
            }
        }
        try checkAll()
    }

    func take(_ step: QuestionStep) async throws {
        var random = Seeded(seed: step.seed)
        try await carryOut(step.kind, &random)
        for _ in 0..<3 { try ask(&random) }
        if random.chance(15) { try checkAll() }
        // If there were edits during a running or in-doubt save, the stack is known to give this
        // warning without a reason.
        if let warning = warnings.last, !hasEditedUnderWay {
            throw QuestionFailure(description: warning)
        }
    }

    func carryOut(_ kind: QuestionStep.Kind, _ random: inout Seeded) async throws {
        let level = Self.level(&random)
        switch kind {
        case .push: try push(from: 1 + random.below(Self.levels - 1))
        case .save: try await save(level, waits: random.chance(50))
        case .rollBack, .reset: try rollBack(level, resets: kind == .reset)
        case .refresh, .giveUp: try refresh(level, gives: kind == .giveUp, &random)
        case .refreshAll: contexts[level].refreshAllObjects()
        case .hold: held += try Exhibit.find(in: contexts[level])
        case .letGo: held = []
        case .renew: renew()
        case .heldSave: try await heldSave(level, &random)
        case .failedSave: try await failingSave(level, isWritten: false)
        // Runs only at the topmost level: after an in-doubt save of a child, it is not determined
        // what the parent shows.
        case .doubtfulSave: try await failingSave(0, isWritten: true)
        case .foreignSave, .foreignBlock, .foreignUpdate, .foreignStack:
            try await foreignCommit(kind, &random)
        default: try edit(kind, level, random)
        }
    }

    /// Returns a random level, most often the topmost.
    static func level(_ random: inout Seeded) -> Int {
        random.chance(55) ? 0 : random.chance(65) ? 1 : 2
    }
}
