import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Lazy results while objects are deleted and changed, and when nothing can be read.
@Suite("Lazy results during changes") struct LazyResultsUnderWayTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self, Animal.self, Dog.self, at: .temporaryFile) {
            context in
            for number in 0..<20 { try Person.create(in: context, email: "p\(number)") }
            for number in 0..<4 { try Dog.create(in: context, name: "d\(number)") }
        }
        context = test.stack.newContext()
    }

    @Test func `a lazy result deleted elsewhere before its first access is detached`() throws {
        let people = try Person.findLazily(batch: 5, in: context)
        let dogs = try Animal.findLazily(in: context)
        try test.stack.saveWithBlockAndWait { context in
            for email in ["p2", "p7"] {
                try Person.findFirst(by: \.email, email, in: context)?.delete()
            }
            try Animal.delete(in: context) { $0.name == "d1" }
        }
        #expect(people.count == 20 && people[0].email == "p0" && people[1].email == "p1")
        let gone = people[2]
        #expect(gone.objectState == .detached && gone.email.isEmpty && gone === people[2])
        #expect(gone.objectID.key == people[1].objectID.key + 1)
        #expect(people.count { $0.objectState == .detached } == 2)
        #expect(dogs.map(\.objectState) == [.persistent, .detached, .persistent, .persistent])
        // The deletion is no error, and no request finds the object.
        #expect(try Person.count(in: context) == 18)
        #expect(try Person.findLazily(in: context).count == 18)
        #expect(context.registeredObject(gone.objectID) == nil)
    }

    @Test func `a held lazy result that is deleted elsewhere stays the same object`() throws {
        let people = try Person.findLazily(batch: 5, in: context)
        let second = people[1]
        try test.stack.saveWithBlockAndWait { context in
            try Person.delete(in: context) { $0.email == "p1" }
        }
        #expect(try Person.count(in: context) == 19)
        #expect(people[1] === second && second.objectState == .detached && second.email == "p1")
        // The results release the batch, and load it again.
        #expect(people[10].email == "p10" && people[15].email == "p15")
        #expect(people[1].objectState == .detached && people[1].objectID == second.objectID)
    }

    @Test func `lazy results return the same object after it is marked for deletion`() throws {
        let people = try Person.findLazily(batch: 5, in: context)
        let third = people[2]
        try third.delete()
        #expect(people[10].email == "p10" && people[15].email == "p15")
        #expect(people[2] === third && third.objectState == .deleted)
        let child = context.newChild()
        #expect(try Person.findLazily(in: child).count == 19)
        try context.saveAndWait()
        #expect(people[2].objectState == .detached)
    }

    @Test func `a child's lazy result is detached if its parent deletes the object`() throws {
        let child = context.newChild()
        let people = try Person.findLazily(batch: 5, in: child)
        try #require(try Person.findFirst(by: \.email, "p3", in: context)).delete()
        try #require(try Person.findFirst(by: \.email, "p4", in: context)).name = "new"
        #expect(try Person.count(in: child) == 19)
        #expect(people[3].objectState == .detached && people[4].name == "new")
    }

    @Test func `lazy results load faults with one statement and show a parent's edits`() throws {
        let ids = try context.objectIDs(Person.all)
        let child = context.newChild()
        let faults = try ids.prefix(5).map { try child.object($0) }
        try #require(try Person.findFirst(by: \.email, "p3", in: context)).name = "new"
        let people = try Person.findLazily(batch: 5, in: child)
        test.expectStatements(1) {
            #expect(people[0] === faults[0] && !faults[0].isFault && people[3].name == "new")
            #expect(people[4].name.isEmpty)
        }
    }

    @Test func `after a stack closes, unread lazy results are faults and counts throw`() throws {
        let people = try Person.findLazily(batch: 5, in: context)
        let dogs = try Animal.findLazily(in: context)
        let first = people[0]
        try test.stack.close()
        #expect(people[0] === first && first.email == "p0")
        let other = people[7]
        #expect(other.isFault && other.objectState == .persistent && other.email.isEmpty)
        #expect(dogs[0].name.isEmpty)
        let error = #expect(throws: RecordStackError.self) { try Person.count(in: context) }
        #expect(error?.code == .closed)
    }

    @Test func `awakeFromFetch can access the lazy results that load its object`() throws {
        let test = try TestStack(for: LazyWaker.self) { context in
            for _ in 0..<30 { try LazyWaker.create(in: context) }
        }
        let context = test.stack.newContext()
        let wakers = try LazyWaker.findLazily(batch: 10, in: context)
        let box = LazyTouch()
        LazyWaker.$box.withValue(box) {
            box.touch = { _ = wakers[25].number }
            #expect(wakers[0].woken == 1 && wakers.map(\.woken) == Array(repeating: 1, count: 30))
        }
        box.touch = {}
    }

    @Test func `random requests return the same objects lazily as with find`() async throws {
        let random = Seeded.fromEnvironment()
        var made = RandomFilters(values: RandomValues(random: random))
        let rounds = Seeded.rounds(300, full: 6_000)
        for _ in 0..<(rounds / 30) {
            let world = try await SampleWorld(&made.values)
            for _ in 0..<30 {
                let request = FetchRequest<Sample>(
                    filter: made.values.random.chance(60) ? made.filter() : nil,
                    sortKeys: made.sortKeys(),
                    limit: made.values.random.chance(40)
                        ? Int.random(in: 0...12, using: &made.values.random) : nil,
                    offset: made.values.random.chance(40)
                        ? Int.random(in: 0...40, using: &made.values.random) : 0)
                let size = Int.random(in: 1...50, using: &made.values.random)
                for (name, context) in [("stored", world.stored)] + world.unsaved {
                    let lazily = try context.findLazily(request, batch: size)
                    let wanted = try context.find(request)
                    let same = lazily.count == wanted.count && zip(lazily, wanted).allSatisfy(===)
                    #expect(same, "\(name), size \(size), seed \(random.seed): \(request)")
                }
            }
        }
    }
}

final class LazyTouch: @unchecked Sendable {
    // Only one test uses this, on one thread.
    var touch: () -> Void = {}
}

@Entity final class LazyWaker: ManagedObject {
    @Attribute var number: Int = 1
    @Attribute(.transient) var woken: Int = 0
    @TaskLocal static var box: LazyTouch?

    override func awakeFromFetch() {
        woken += 1
        Self.box?.touch()
    }
}
