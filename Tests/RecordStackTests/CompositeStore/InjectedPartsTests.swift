import RecordStack
import RecordStackTesting
import Testing

/// Stacks built from a model and a coordinator that the program creates.
@Suite("Injected models and coordinators") struct InjectedPartsTests {
    private static let first: [ManagedObject.Type] = [Person.self, Team.self]
    private static let second: [ManagedObject.Type] = [StoredBook.self, Team.self]

    private func coordinator(
        _ architecture: StackArchitecture = .savingRoot
    ) throws -> PersistentStoreCoordinator {
        let model = try ManagedObjectModel(entities: Self.first + Self.second)
        return try PersistentStoreCoordinator(
            model: model, at: .inMemory, architecture: architecture)
    }

    @Test func `a stack can be built from the program's own model and coordinator`() async throws {
        let stack = try ContextStack(coordinator: coordinator(.siblings))
        #expect(stack.architecture == .siblings)
        #expect(stack.model.entities.map(\.name) == ["Person", "Team", "StoredBook"])
        try await stack.saveWithBlock { context in
            try StoredBook.create(in: context, title: "A")
            try Person.create(in: context, email: "ann").team = Team.create(in: context, title: "T")
        }
        #expect(try await stack.read { try StoredBook.count(in: $0) + Person.count(in: $0) } == 2)
        try stack.close()
    }

    @MainActor @Test func `two stacks on one coordinator merge each other's saves`() async throws {
        let coordinator = try coordinator()
        let (one, other) = (
            try ContextStack(coordinator: coordinator), try ContextStack(coordinator: coordinator)
        )
        let ann = try Person.create(in: one.defaultContext, email: "ann")
        try await one.defaultContext.save()
        let same = try #require(try Person.findFirst(in: other.defaultContext))
        #expect(same !== ann && same.objectID == ann.objectID)
        try await other.saveWithBlock { try Person.findFirst(in: $0)?.name = "Ann" }
        while ann.name != "Ann" { await Task.yield() }
        try one.close()
        #expect(throws: RecordStackError.self) { _ = try Person.count(in: other.defaultContext) }
    }

    @Test func `a coordinator with the nested architecture accepts only one stack`() throws {
        let coordinator = try coordinator(.nested)
        let stack = try ContextStack(coordinator: coordinator)
        let error = #expect(throws: RecordStackError.self) {
            _ = try ContextStack(coordinator: coordinator)
        }
        #expect(error?.code == .misuse)
        try stack.close()
    }
}
