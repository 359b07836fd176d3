import Glibc
import RecordStack
import RecordStackTesting
import Synchronization
import Testing

/// What reading and writing properties may do on its slow paths.
@Suite struct PropertyReadingTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Poster.self, Person.self, Team.self, Animal.self, Dog.self)
        context = test.stack.newContext()
    }

    /// A poster, a person and a team whose keys are all the same.
    private func makePoster() async throws -> ManagedObjectID {
        let id = try await test.stack.saveWithBlock { context in
            let person = try Person.create(in: context, email: "ann@example.org")
            let team = try Team.create(in: context, title: "Blue")
            let dog = try Dog.create(in: context, name: "Rex")
            return try Poster.create(in: context, person: person, team: team, animal: dog).objectID
        }
        return id
    }

    @Test func `relationships to several classes are kept apart`() async throws {
        let poster = try Poster.existing(try await makePoster(), in: context)
        for _ in 0..<3 {
            #expect(poster.person?.email == "ann@example.org")
            #expect(poster.team?.title == "Blue")
            #expect(poster.animal is Dog)
            #expect(poster.animal?.name == "Rex")
            #expect(poster.person === poster.person && poster.team === poster.team)
        }
    }

    @Test func `a relationship that was read leads nowhere when its object is deleted`()
        async throws
    {
        let poster = try Poster.existing(try await makePoster(), in: context)
        let team = try #require(poster.team)
        let person = try #require(poster.person)
        #expect(poster.team === team)
        try team.delete()
        #expect(poster.team == nil)
        #expect(poster.person === person)
        context.rollback()
        #expect(poster.team === team)
    }

    @Test func `the fault handler is told before the reading of a property returns, elsewhere`()
        async throws
    {
        let id = try await makePoster()
        let heard = Mutex<[(code: RecordStackError.Code, thread: UInt)]>([])
        context.faultHandler = { error in
            heard.withLock { $0.append((error.code, ThreadNumber.current)) }
        }
        let poster = try #require(try context.object(id) as? Poster)
        try await test.stack.saveWithBlock { try Poster.existing(id, in: $0).delete() }
        // One read, without a suspension meanwhile.
        let (text, told, here) = (poster.text, heard.withLock { $0 }, ThreadNumber.current)
        #expect(text == "")
        #expect(told.map(\.code) == [.notFound])
        #expect(told.allSatisfy { $0.thread != here })
        #expect(throws: RecordStackError.self) { try Poster.count(in: context) }
        #expect(try Poster.count(in: context) == 0)
    }

    @Test func `an object that is gone can be read by whoever has it from a relationship alone`()
        async throws
    {
        let poster = try Poster.existing(try await makePoster(), in: context)
        let id = try #require(poster.team?.objectID)
        context.refreshAllObjects()
        #expect(poster.text.isEmpty)
        // The team is a fault, which nobody but the context holds.
        try await test.stack.saveWithBlock { try Team.existing(id, in: $0).delete() }
        #expect(poster.team?.title == "")
        #expect(throws: RecordStackError.self) { try Team.count(in: context) }
    }
}

private enum ThreadNumber {
    static var current: UInt { pthread_self() }
}

@Entity final class Poster: ManagedObject {
    @Attribute var text: String = ""
    @Relationship var person: Person?
    @Relationship var team: Team?
    @Relationship var animal: Animal?
}
