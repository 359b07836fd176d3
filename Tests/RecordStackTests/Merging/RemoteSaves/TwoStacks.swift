import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Two stacks on one file: `here`, whose contexts follow, and `other`, which saves.
struct TwoStacks {
    let test: TestStack
    let other: ContextStack

    var here: ContextStack { test.stack }

    init(
        _ entities: [ManagedObject.Type], interval: Double? = 0.001,
        seed: ((ManagedObjectContext) throws -> Void)? = nil
    ) throws {
        var options = StoreOptions()
        options.remoteSaveInterval = interval
        test = try TestStack(entities: entities, at: .temporaryFile, options: options)
        if let seed { try test.seed(seed) }
        other = try ContextStack(entities: entities, at: .file(#require(test.path)))
    }

    static func ofPeople(
        interval: Double? = 0.001, seed: ((ManagedObjectContext) throws -> Void)? = nil
    ) throws -> TwoStacks {
        try TwoStacks([Person.self, Team.self], interval: interval, seed: seed)
    }

    static func ofNovels(seed: ((ManagedObjectContext) throws -> Void)? = nil) throws -> TwoStacks {
        try TwoStacks(
            [Writer.self, Novel.self, Chapter.self, Cover.self, Label.self], seed: seed)
    }
}

extension ContextStack {
    /// Looks for saves of other stacks, and returns after they are in the commit log.
    func hearOthers() {
        coordinator.lookForRemoteSaves()
        coordinator.waitForCheckpoint()
    }
}

/// Returns true as soon as a condition holds that other threads bring about, or false if it never
/// does.
func eventually(
    isolation: isolated (any Actor)? = #isolation, _ isTrue: () throws -> Bool
) async throws -> Bool {
    for _ in 0..<5_000 {
        if try isTrue() { return true }
        try await Task.sleep(for: .milliseconds(1))
    }
    return false
}

/// Returns the code of the error that a body throws, or nil if it throws none.
func failure<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async -> RecordStackError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? RecordStackError)?.code
    }
}
