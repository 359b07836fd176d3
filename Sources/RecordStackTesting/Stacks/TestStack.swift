import FoundationEssentials
import RecordStack
public import RecordStackGraph
package import RecordStackModel

/// A stack for one test, empty or seeded.
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
/// The store is removed when nothing refers to the stack or its contexts any more. Each test stack
/// has its own store, so tests can run in parallel. Creating a stack in memory takes a few
/// milliseconds.
public final class TestStack: Sendable {
    /// The location of a test's store.
    public enum Location: Sendable {
        /// In memory, which is fastest.
        case memory
        /// In a file in a new temporary folder, which is removed with the store.
        case temporaryFile
    }

    /// The stack.
    public let stack: ContextStack
    /// The recorder of every statement that the stack runs.
    public let recorder: StatementRecorder
    /// The path of the store's file; nil for a store in memory.
    public let path: String?

    /// Creates a stack with a new store.
    ///
    /// ```swift
    /// let test = try TestStack(for: Person.self, Team.self) { context in
    ///     try Person.create(in: context, email: "ann@example.org")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - entities: The classes of the objects in the store, as in
    ///     `ContextStack.init(for:inMemory:at:architecture:options:)`.
    ///   - volatile: The classes of the objects that live only in memory. These objects disappear
    ///     with the stack.
    ///   - location: The location of the store.
    ///   - architecture: The hierarchy of the contexts.
    ///   - seed: Creates the objects that are in the store from the start. See `seed(_:)`.
    /// - Throws: Any error of creating a stack and of seeding it.
    public convenience init(
        for entities: ManagedObject.Type..., inMemory volatile: ManagedObject.Type...,
        at location: Location = .memory, architecture: StackArchitecture = .savingRoot,
        seed: ((ManagedObjectContext) throws -> Void)? = nil
    ) throws {
        try self.init(
            entities: entities, inMemory: volatile, at: location, architecture: architecture,
            seed: seed)
    }

    /// Creates a stack for an array of entities.
    ///
    /// An app and its tests can share the array.
    ///
    /// - Throws: Any error of ``init(for:inMemory:at:architecture:seed:)``.
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
        // A test may end with unsaved changes, which are gone with its store.
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
            // The folder must outlive the last context of the stack.
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
        // A leftover folder harms no test.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
