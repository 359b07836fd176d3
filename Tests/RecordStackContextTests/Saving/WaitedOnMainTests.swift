import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

@Entity final class Ticket: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var seat: String = ""
}

/// The default context after a call on the main actor. When a call returns, the context must show
/// what the call has saved, whether the call blocks or is awaited.
@MainActor @Suite("Saves seen by the main actor") struct WaitedOnMainTests {
    @Test(arguments: StackArchitecture.allCases)
    func `the default context shows a blocking save block's changes on return`(
        architecture: StackArchitecture
    ) throws {
        let test = try TestStack(for: Ticket.self, architecture: architecture)
        let ticket = try Ticket.create(in: test.stack.defaultContext, number: 1)
        try test.stack.defaultContext.saveAndWait()
        try test.stack.saveWithBlockAndWait { context in
            try Ticket.findFirst(by: \.number, 1, in: context)?.seat = "A"
        }
        #expect(ticket.seat == "A")
    }

    @Test(arguments: StackArchitecture.allCases)
    func `the default context shows awaited saves of other contexts at once`(
        architecture: StackArchitecture
    ) async throws {
        let test = try TestStack(for: Ticket.self, architecture: architecture)
        let stack = test.stack
        let ticket = try Ticket.create(in: stack.defaultContext, number: 1)
        try await stack.defaultContext.save()
        let other = stack.newContext()
        let theirs = try Ticket.existing(ticket.objectID, in: other)
        theirs.seat = "a context"
        try await other.save()
        #expect(ticket.seat == "a context")
        let child = other.newChild()
        try theirs.in(child).seat = "a child"
        try await child.save()
        #expect(ticket.seat == "a child")
        try await other.saveWithBlock { context in
            try Ticket.findFirst(in: context)?.seat = "a block of a context"
        }
        #expect(ticket.seat == "a block of a context")
        try await stack.newPrivateQueueContext().perform { context in
            try Ticket.findFirst(in: context)?.seat = "a queue"
            try context.saveAndWait()
        }
        #expect(ticket.seat == "a queue")
    }

    @Test(arguments: StackArchitecture.allCases)
    func `the default context shows blocking saves of other contexts at once`(
        architecture: StackArchitecture
    ) throws {
        let test = try TestStack(for: Ticket.self, architecture: architecture)
        let stack = test.stack
        let ticket = try Ticket.create(in: stack.defaultContext, number: 1)
        try stack.defaultContext.saveAndWait()
        let other = stack.newContext()
        let theirs = try Ticket.existing(ticket.objectID, in: other)
        theirs.seat = "a context"
        try other.saveAndWait()
        #expect(ticket.seat == "a context")
        try stack.newPrivateQueueContext().performAndWait { context in
            try Ticket.findFirst(in: context)?.seat = "a queue"
            try context.saveAndWait()
        }
        #expect(ticket.seat == "a queue")
    }

    @Test func `the default context shows batch updates and deletions at once`() throws {
        let test = try TestStack(for: Ticket.self)
        let ticket = try Ticket.create(in: test.stack.defaultContext, number: 1)
        try test.stack.defaultContext.saveAndWait()
        try test.stack.updateAndWait(Ticket.where { $0.number == 1 }) { $0.seat.set(to: "A") }
        #expect(ticket.seat == "A")
        try test.stack.deleteAndWait(Ticket.all)
        #expect(ticket.objectState == .detached)
    }

    @Test func `a second main-actor context shows saves and batch updates at once`() async throws {
        let stack = try TestStack(for: Ticket.self).stack
        try await stack.saveWithBlock { _ = try Ticket.create(in: $0, number: 1) }
        let other = stack.newContext(ownedBy: MainActor.shared)
        let ticket = try #require(try Ticket.findFirst(in: other))
        try await stack.saveWithBlock { try Ticket.findFirst(in: $0)?.seat = "A" }
        #expect(ticket.seat == "A")
        try await stack.update(Ticket.where { $0.number == 1 }) { $0.seat.set(to: "B") }
        #expect(ticket.seat == "B")
        try waited { try stack.saveWithBlockAndWait { try Ticket.findFirst(in: $0)?.seat = "C" } }
        #expect(ticket.seat == "C")
        try waited {
            _ = try stack.updateAndWait(
                Ticket.where {
                    $0.number == 1
                }
            ) { $0.seat.set(to: "D") }
        }
        #expect(ticket.seat == "D")
    }

    /// Runs a call that blocks, which the compiler does not allow directly in async code.
    private func waited<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }

    @Test func `the default context keeps its edit if a save block saves the property`() throws {
        let test = try TestStack(for: Ticket.self)
        let context = test.stack.defaultContext
        let ticket = try Ticket.create(in: context, number: 1)
        try context.saveAndWait()
        ticket.seat = "mine"
        try test.stack.saveWithBlockAndWait { context in
            let ticket = try Ticket.findFirst(by: \.number, 1, in: context)
            ticket?.seat = "theirs"
            ticket?.number = 2
        }
        #expect(ticket.seat == "mine" && ticket.number == 2)
        #expect(ticket.changedValues() == ["seat": .text("mine")])
    }
}
