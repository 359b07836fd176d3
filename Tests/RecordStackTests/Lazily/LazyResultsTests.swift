import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// `findLazily`, which reads keys first and loads objects in batches when they are accessed.
@Suite("Lazy results") struct LazyResultsTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    /// Creates 10,000 people, whose names descend while their keys ascend.
    init() throws {
        test = try TestStack(for: Person.self, Animal.self, Dog.self, at: .temporaryFile) {
            context in
            for number in 0..<10_000 {
                let name = String(99_999 - number)
                try Person.create(in: context, email: "p\(number)", name: name, age: number % 10)
            }
        }
        context = test.stack.newContext()
    }

    @Test func `lazy results load a batch with one statement and count with none`() throws {
        let people = try test.expectStatements(1) {
            try Person.findLazily(batch: 100, sortedBy: .ascending(\.name), in: context)
        }
        test.expectStatements(0) {
            #expect(people.count == 10_000)
            #expect(!people.isEmpty)
            #expect(people.indices == 0..<10_000)
        }
        #expect(context.registeredObjectCount == 0)
        let names = test.expectStatements(3) { people.prefix(250).map(\.name) }
        #expect(names == (0..<250).map { String(90_000 + $0) })
    }

    @Test func `lazy results can be accessed at any index`() throws {
        let people = try Person.findLazily(batch: 64, sortedBy: .ascending(\.name), in: context)
        test.expectStatements(1) { #expect(people[9_999].email == "p0") }
        test.expectStatements(1) { #expect(people.first?.email == "p9999") }
        // The results keep two batches.
        test.expectStatements(0) {
            #expect(people.last?.email == "p0" && people[63].email == "p9936")
        }
        let slice = people[5_000..<5_010]
        #expect(slice.startIndex == 5_000)
        #expect(slice.reversed().map(\.email) == (0..<10).reversed().map { "p\(4_999 - $0)" })
    }

    @Test func `iterating lazy results visits each object once and holds few at a time`() throws {
        let people = try context.findLazily(Person.all, batch: 50)
        var held = 0
        var emails: [String] = []
        for person in people {
            emails.append(person.email)
            held = max(held, context.registeredObjectCount)
        }
        #expect(emails == (0..<10_000).map { "p\($0)" })
        // The context looks for unused objects when it holds a thousand, at the latest.
        #expect(held <= 1_200)
    }

    @Test func `lazy results run no statement for objects that the context holds`() throws {
        let held = try Person.find(sortedBy: .ascending(\.name), limit: 100, in: context)
        held[7].name = "1"
        let people = try Person.findLazily(batch: 50, sortedBy: .ascending(\.name), in: context)
        test.expectStatements(0) {
            // The changed object is the first now.
            #expect(people[0] === held[7] && people[1] === held[0] && people[8] === held[8])
            #expect(people[99] === held[99])
        }
        test.expectStatements(1) { #expect(people[100].name == "90100") }
        withExtendedLifetime(held) {}
        test.expectStatements(0) {
            #expect(try! Person.existing(people[120].objectID, in: context) === people[120])
        }
    }

    @Test func `a filter, a limit and an offset restrict lazy results`() throws {
        let people = try Person.findLazily(
            batch: 7, sortedBy: .descending(\.name), limit: 20, offset: 5, in: context
        ) { $0.age == 3 }
        #expect(people.map(\.email) == (5..<25).map { "p\($0 * 10 + 3)" })
        #expect(try Person.findLazily(in: context) { $0.age == 100 }.isEmpty)
    }

    @Test func `a child's lazy results include pending objects with one statement`() throws {
        let parent = context
        let above = try Person.create(in: parent, email: "above", name: "90002x")
        try #require(try Person.findFirst(by: \.email, "p9998", in: parent)).delete()
        let child = parent.newChild()
        let first = try #require(try Person.findFirst(by: \.email, "p9999", in: child))
        first.name = "90008x"
        let new = try Person.create(in: child, email: "new", name: "90001x")
        let people = try test.expectStatements(1, .reads) {
            try Person.findLazily(batch: 100, sortedBy: .ascending(\.name), in: child)
        }
        let found = test.expectStatements(1, .reads) { people.prefix(9).map(\.email) }
        #expect(
            found == [
                "new", "p9997", "above", "p9996", "p9995", "p9994", "p9993", "p9992", "p9991",
            ])
        #expect(people[0] === new && people[9] === first && people.count == 10_001)
        #expect(people[2].objectID == above.objectID && people[2].managedObjectContext === child)
        let window = try Person.findLazily(
            batch: 2, sortedBy: .ascending(\.name), limit: 3, offset: 1, in: child)
        #expect(window.map(\.email) == ["p9997", "above", "p9996"])
        withExtendedLifetime(above) {}
    }

    @Test func `lazy results return objects of their subentity's class`() throws {
        try test.seed { context in
            for number in 0..<30 {
                if number % 3 == 0 {
                    try Dog.create(in: context, name: "d\(number)")
                } else {
                    try Animal.create(in: context, name: "a\(number)")
                }
            }
        }
        let animals = try Animal.findLazily(batch: 10, in: context)
        let names = test.expectStatements(3) { animals.map(\.name) }
        #expect(names.count == 30 && animals.count { $0 is Dog } == 10)
        #expect(try context.findLazily(Animal.all.excludingSubentities()).count == 20)
    }

    @Test func `findLazily with a batch size below 1 throws misuse`() {
        for size in [0, -1, .min] {
            let error = #expect(throws: RecordStackError.self) {
                _ = try Person.findLazily(batch: size, in: context)
            }
            #expect(error?.code == .misuse)
        }
        #expect(try! Person.findLazily(batch: .max, in: context).last?.email == "p9999")
    }
}
