import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport

/// A stack in a file whose saves a test can hold up. Held saves continue when the test ends.
@MainActor
final class GatedStack {
    let gate = Gate()
    let stack: ContextStack
    private let test: TestStack

    init(
        _ entities: ManagedObject.Type..., architecture: StackArchitecture = .savingRoot
    ) throws {
        test = try TestStack(
            entities: entities, at: .temporaryFile, architecture: architecture,
            options: gate.options)
        stack = test.stack
    }

    deinit { gate.openForGood() }

    var context: ManagedObjectContext { stack.defaultContext }

    /// Runs a body while a save of the default context is held before a statement.
    @discardableResult
    func whileSaving(
        _ context: ManagedObjectContext? = nil, at statement: String = "COMMIT",
        _ body: () async throws -> Void
    ) async throws -> SaveOutcome {
        gate.close(at: statement)
        let context = context ?? stack.defaultContext
        let save = Task { try await context.save() }
        await gate.waitUntilHeld()
        try await body()
        gate.open()
        return try await save.value
    }
}
