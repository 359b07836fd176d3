import FoundationEssentials
import RecordStack
public import RecordStackGraph
package import RecordStackModel

/// A stack for one test, empty or seeded. Its store is gone with the last that holds on to it.
///
/// ```swift
/// @Test func `people are counted`() async throws {
///     let test = try TestStack(for: Person.self)
///     let context = test.stack.newContext()
///     try Person.create(in: context, email: "ann@example.org")
///     try await context.save()
///     #expect(try Person.count(in: context) == 1)
/// }
/// ```
///
/// Stacks of tests that run side by side do not meet. One in memory takes some milliseconds to make.
public final class TestStack: Sendable {
    /// Where the store of a test is.
    public enum Location: Sendable {
        /// In memory, which is fastest.
        case memory
        /// In a file of its own in a new temporary folder, which is removed at the end.
        case temporaryFile
    }

    /// The stack.
    public let stack: ContextStack
    /// Every statement that the stack has run.
    public let recorder: StatementRecorder
    /// The path of the store's file; nil in memory.
    public let path: String?

    /// A fresh stack.
    ///
    /// ```swift
    /// let test = try TestStack(for: Person.self, Team.self) { context in
    ///     try Person.create(in: context, email: "ann@example.org")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - entities: as ``RecordStackGraph/ContextStack/init(for:inMemory:at:architecture:options:)`` has them.
    ///   - volatile: those in memory, as it has them.
    ///   - location: where the store is.
    ///   - architecture: how the contexts stand to each other.
    ///   - seed: what is in the store from the start. See ``seed(_:)``.
    /// - Throws: what making a stack throws, and what seeding it throws.
    public convenience init(
        for entities: ManagedObject.Type..., inMemory volatile: ManagedObject.Type...,
        at location: Location = .memory, architecture: StackArchitecture = .savingRoot,
        seed: ((ManagedObjectContext) throws -> Void)? = nil
    ) throws {
        try self.init(
            entities: entities, inMemory: volatile, at: location, architecture: architecture,
            seed: seed)
    }

    /// A fresh stack for a list of entities, which an app and its tests may share.
    /// - Throws: what ``init(for:inMemory:at:architecture:seed:)`` throws.
    public convenience init(
        entities: [ManagedObject.Type], inMemory volatile: [ManagedObject.Type] = [],
        at location: Location = .memory, architecture: StackArchitecture = .savingRoot,
        seed: ((ManagedObjectContext) throws -> Void)? = nil
    ) throws {
        try self.init(
            entities: entities, inMemory: volatile, at: location, architecture: architecture,
            options: StoreOptions())
        if let seed { try self.seed(seed) }
    }

    package init(
        entities: [ManagedObject.Type], inMemory volatile: [ManagedObject.Type] = [],
        at location: Location, architecture: StackArchitecture = .savingRoot, options: StoreOptions
    ) throws {
        let recorder = StatementRecorder()
        self.recorder = recorder
        var options = options
        // What a test leaves behind is gone with its store.
        options.watching.warnsAtExit = false
        let observer = options.observer
        options.observer = { event in
            recorder.record(event)
            observer?(event)
        }
        switch location {
        case .memory:
            path = nil
            stack = try ContextStack(
                entities: entities, inMemory: volatile, at: .inMemory, architecture: architecture,
                options: options)
        case .temporaryFile:
            let folder = try Self.makeFolder()
            let path = folder + "/test.sqlite"
            self.path = path
            // Whoever holds a context of the stack last, the folder outlives it.
            options.onEnd = { Self.remove(folder) }
            do {
                stack = try ContextStack(
                    entities: entities, inMemory: volatile, at: .file(path),
                    architecture: architecture, options: options)
            } catch {
                Self.remove(folder)
                throw error
            }
        }
        recorder.follow(stack.coordinator)
    }

    private static func makeFolder() throws -> String {
        let folder =
            FileManager.default.temporaryDirectory.path + "/recordstack-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func remove(_ folder: String) {
        // A folder that is left behind harms no test.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
