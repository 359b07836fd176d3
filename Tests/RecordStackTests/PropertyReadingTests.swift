import Foundation
import RecordStack
import RecordStackTesting
import Synchronization
import Testing

/// Slow paths of reading and writing properties.
@Suite("Reading properties") struct PropertyReadingTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Placard.self, Person.self, Team.self, Animal.self, Dog.self)
        context = test.stack.newContext()
    }

    /// Creates a placard, a person and a team whose keys are all the same.
    private func makePlacard() async throws -> ManagedObjectID {
        let id = try await test.stack.saveWithBlock { context in
            let person = try Person.create(in: context, email: "ann@example.org")
            let team = try Team.create(in: context, title: "Blue")
            let dog = try Dog.create(in: context, name: "Rex")
            return try Placard.create(in: context, person: person, team: team, animal: dog).objectID
        }
        return id
    }

    @Test func `relationships of one object to rows with equal keys are not mixed up`() async throws
    {
        let placard = try Placard.existing(try await makePlacard(), in: context)
        for _ in 0..<3 {
            #expect(placard.person?.email == "ann@example.org")
            #expect(placard.team?.title == "Blue")
            #expect(placard.animal is Dog)
            #expect(placard.animal?.name == "Rex")
            #expect(placard.person === placard.person && placard.team === placard.team)
        }
    }

    @Test
    func `a loaded to-one relationship becomes nil when its object is deleted`() async throws {
        let placard = try Placard.existing(try await makePlacard(), in: context)
        let team = try #require(placard.team)
        let person = try #require(placard.person)
        #expect(placard.team === team)
        try team.delete()
        #expect(placard.team == nil)
        #expect(placard.person === person)
        context.rollback()
        #expect(placard.team === team)
    }

    @Test func `a failed read waits until the fault handler ran on another thread`()
        async throws
    {
        let id = try await makePlacard()
        let heard = Mutex<[(code: RecordStackError.Code, thread: UInt)]>([])
        context.faultHandler = { error in
            heard.withLock { $0.append((error.code, ThreadNumber.current)) }
        }
        let placard = try #require(try context.object(id) as? Placard)
        try await test.stack.saveWithBlock { try Placard.existing(id, in: $0).delete() }
        // One read, without a suspension in between.
        let (text, told, here) = (placard.text, heard.withLock { $0 }, ThreadNumber.current)
        #expect(text == "")
        #expect(told.map(\.code) == [.notFound])
        #expect(told.allSatisfy { $0.thread != here })
        #expect(throws: RecordStackError.self) { try Placard.count(in: context) }
        #expect(try Placard.count(in: context) == 0)
    }

    @Test
    func `a related fault whose row another save deleted reads as placeholders`() async throws {
        let placard = try Placard.existing(try await makePlacard(), in: context)
        let id = try #require(placard.team?.objectID)
        context.refreshAllObjects()
        #expect(placard.text.isEmpty)
        // The team is a fault that only the context holds.
        try await test.stack.saveWithBlock { try Team.existing(id, in: $0).delete() }
        #expect(placard.team?.title == "")
        #expect(throws: RecordStackError.self) { try Team.count(in: context) }
    }
}

private enum ThreadNumber {
    static var current: UInt { pthread_self() }
}

@Entity final class Placard: ManagedObject {
    @Attribute var text: String = ""
    @Relationship var person: Person?
    @Relationship var team: Team?
    @Relationship var animal: Animal?
}
