public import RecordStackGraph
public import Testing

/// Gives each test, and each case of a test with arguments, its own default stack.
///
/// `.defaultStack(for:at:seed:)` creates the trait.
public struct DefaultStackTrait: TestTrait, SuiteTrait, TestScoping {
    let entities: [ManagedObject.Type]
    let location: TestStack.Location
    let seed: (@Sendable (ManagedObjectContext) throws -> Void)?

    /// True: each test of a suite gets its own stack.
    public var isRecursive: Bool { true }

    /// Runs a test with a fresh stack.
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let test = try TestStack(entities: entities, at: location, seed: seed)
        try await test.asDefault { try await function() }
    }
}

extension Trait where Self == DefaultStackTrait {
    /// Creates a trait that gives each test a fresh ``ContextStack.default``.
    ///
    /// ```swift
    /// @MainActor @Suite(.defaultStack(for: Person.self, Team.self))
    /// struct AppTests {
    ///     @Test func `there is nobody at first`() throws {
    ///         #expect(try Person.count() == 0)
    ///     }
    /// }
    /// ```
    ///
    /// In a test, `try #require(TestStack.current)` returns the test stack itself. If a test and
    /// its suite both have a trait for the default stack, the test's trait applies.
    ///
    /// - Parameters:
    ///   - entities: The entities of the stack.
    ///   - location: The location of the stack's store.
    ///   - seed: Creates the objects that are in the store when a test begins. The closure runs
    ///     before each test.
    public static func defaultStack(
        for entities: ManagedObject.Type..., at location: TestStack.Location = .memory,
        seed: (@Sendable (ManagedObjectContext) throws -> Void)? = nil
    ) -> Self {
        DefaultStackTrait(entities: entities, location: location, seed: seed)
    }

    /// Creates a trait for an array of entities.
    ///
    /// An app and its tests can share the array.
    public static func defaultStack(
        entities: [ManagedObject.Type], at location: TestStack.Location = .memory,
        seed: (@Sendable (ManagedObjectContext) throws -> Void)? = nil
    ) -> Self {
        DefaultStackTrait(entities: entities, location: location, seed: seed)
    }
}
