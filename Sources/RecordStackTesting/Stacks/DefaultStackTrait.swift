public import RecordStackGraph
public import Testing

/// Gives each test, and each case of a test with arguments, a stack of its own as the default one.
/// Made by ``Testing/Trait/defaultStack(for:at:seed:)``.
public struct DefaultStackTrait: TestTrait, SuiteTrait, TestScoping {
    let entities: [ManagedObject.Type]
    let location: TestStack.Location
    let seed: (@Sendable (ManagedObjectContext) throws -> Void)?

    /// True: each test of a suite gets its own.
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
    /// A fresh ``RecordStackGraph/ContextStack/default`` for each test.
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
    /// The test stack itself is `try #require(TestStack.current)`. A trait of a test stands in for that of its
    /// suite.
    ///
    /// - Parameters:
    ///   - entities: what the stack is for.
    ///   - location: where its store is.
    ///   - seed: what is in the store when a test begins. It is run for each test.
    public static func defaultStack(
        for entities: ManagedObject.Type..., at location: TestStack.Location = .memory,
        seed: (@Sendable (ManagedObjectContext) throws -> Void)? = nil
    ) -> Self {
        DefaultStackTrait(entities: entities, location: location, seed: seed)
    }

    /// The same for a list of entities, which an app and its tests may share.
    public static func defaultStack(
        entities: [ManagedObject.Type], at location: TestStack.Location = .memory,
        seed: (@Sendable (ManagedObjectContext) throws -> Void)? = nil
    ) -> Self {
        DefaultStackTrait(entities: entities, location: location, seed: seed)
    }
}
