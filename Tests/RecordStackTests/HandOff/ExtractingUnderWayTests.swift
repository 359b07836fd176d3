import Dispatch
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// An entity whose save a test can hold up before the capture.
@Entity final class Brake: ManagedObject {
    @Attribute var number: Int = 0

    static let barrier = Mutex<Barrier?>(nil)

    override func willSave() {
        Self.barrier.withLock { $0 }?.pass()
    }
}

/// New objects that are extracted from a context while another save carries its changes.
@MainActor @Suite("Extracting during a save block", .serialized) struct ExtractingUnderWayTests {
    private func makeTest(_ architecture: StackArchitecture) throws -> TestStack {
        try TestStack(
            entities: [
                Brake.self, Carton.self, CartonItem.self, CartonStamp.self, CartonReceipt.self,
                Outlet.self,
            ], at: .temporaryFile, architecture: architecture)
    }

    @Test(arguments: [StackArchitecture.nested, .parentChild])
    func `a nested stack refuses to extract an object that a block is saving`(
        architecture: StackArchitecture
    ) async throws {
        let test = try makeTest(architecture)
        let (stack, context) = (test.stack, test.stack.defaultContext)
        let barrier = Barrier()
        Brake.barrier.withLock { $0 = barrier }
        defer { Brake.barrier.withLock { $0 = nil } }
        let carton = try Carton.create(in: context)
        carton.label = "mine"
        let block = Task { try await stack.saveWithBlock { _ = try Brake.create(in: $0) } }
        await barrier.arrival()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { barrier.open() }
        let error = #expect(throws: RecordStackError.self) { try context.extract(carton) }
        #expect(error?.code == .misuse)
        _ = try await block.value
        #expect(carton.objectState == .persistent && !context.hasChanges)
        #expect(try Carton.count(in: stack.newContext()) == 1)
    }

    @Test(arguments: [StackArchitecture.nested, .parentChild])
    func `a nested stack's save block does not save an extracted object`(
        architecture: StackArchitecture
    ) async throws {
        let test = try makeTest(architecture)
        let (stack, context) = (test.stack, test.stack.defaultContext)
        let carton = try Carton.create(in: context)
        let stamp = try CartonStamp.create(in: context)
        carton.stamps.append(stamp)
        let graph = try context.extract(carton)
        #expect(!context.hasChanges)
        try await stack.saveWithBlock { _ = try Brake.create(in: $0) }
        #expect(try Carton.count(in: context) == 0 && CartonStamp.count(in: context) == 0)
        try context.insert(graph)
        try await context.save()
        let other = stack.newContext()
        #expect(try Carton.findFirst(in: other)?.stamps.count == 1)
    }
}
