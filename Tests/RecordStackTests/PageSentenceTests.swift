import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Sentences of the documentation that no other test shows.
@Suite("Sentences of the documentation") struct PageSentenceTests {
    enum Forgetting: CaseIterable { case rollback, reset }

    @Test(arguments: Forgetting.allCases)
    func `a rollback or a reset discards the pending error of a failed read`(
        _ call: Forgetting
    ) throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile) {
            for email in ["a", "b"] { try Person.create(in: $0, email: email) }
        }
        let context = test.stack.newContext()
        let people = try Person.find(sortedBy: .ascending(\.email), in: context)
        for person in people { try context.refresh(person, mergingChanges: false) }
        try ForeignProgram(path: #require(test.path)).run("DELETE FROM Person WHERE email = 'a'")
        #expect(people[0].name.isEmpty)
        switch call {
        case .rollback: context.rollback()
        case .reset: context.reset()
        }
        #expect(try Person.count(in: context) == 1)
    }

    @Test func `a save reports a validation failure before another object's conflict`() throws {
        let test = try TestStack(for: Booking.self)
        let (here, there) = (test.stack.newContext(), test.stack.newContext())
        let room = try Room.create(in: here)
        let disputed = try Booking.create(in: here, title: "disputed", room: room)
        let other = try Booking.create(in: here, title: "other", room: room)
        try here.saveAndWait()
        try disputed.in(there).title = "theirs"
        (disputed.title, other.seats) = (String(repeating: "long", count: 9), 99)
        try there.saveAndWait()
        func code() throws -> RecordStackError.Code? {
            do { try here.saveAndWait() } catch let error as RecordStackError { return error.code }
            return nil
        }
        #expect(try code() == .validation)
        other.seats = 2
        #expect(try code() == .conflict)
        try disputed.resolveConflict(on: \.title, keeping: .ours)
        #expect(try code() == .validation)
        disputed.title = "ours"
        #expect(try code() == nil)
    }

    @Test func `validate() checks only the context's own changes`() throws {
        let context = try TestStack(for: Person.self).stack.newContext()
        let child = context.newChild()
        try Person.create(in: context)
        try Person.create(in: child, email: "a")
        #expect(throws: RecordStackError.self) { try context.validate() }
        #expect(throws: Never.self) { try child.validate() }
        let error = #expect(throws: RecordStackError.self) { try child.saveAndWait() }
        #expect(error?.code == .validation)
    }

    /// The completion form of a context's save block writes when the context cannot look again.
    @Test
    func `saveWithBlock's completion gets .constraint if a related row is gone`() async throws {
        let stacks = try TwoStacks.ofPeople(interval: nil) {
            try Team.create(in: $0, title: "A")
            try Person.create(in: $0, email: "a")
        }
        let context = stacks.here.newContext()
        let other = stacks.other
        let error = await withCheckedContinuation { continuation in
            context.saveWithBlock(
                { context in
                    let person = try #require(try Person.findFirst(in: context))
                    person.team = try Team.findFirst(in: context)
                    let there = other.newContext()
                    try there.delete(#require(try Team.findFirst(in: there)))
                    try there.saveNow()
                },
                completion: { (result: Result<Void, any Error>) in
                    if case .failure(let error) = result {
                        continuation.resume(returning: error as? RecordStackError)
                    } else {
                        continuation.resume(returning: nil)
                    }
                })
        }
        #expect(error?.code == .constraint)
    }
}

extension ManagedObjectContext {
    /// Saves and waits. Async code must not call `saveAndWait()` directly.
    fileprivate func saveNow() throws { try saveAndWait() }
}
