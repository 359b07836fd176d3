import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// `each`, which passes every object to a closure, in order and in bounded memory.
@Suite("Iterating with each") struct EachTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self) { context in
            for number in 0..<1_000 {
                try Person.create(in: context, email: "p\(number)", age: number % 10)
            }
        }
        context = test.stack.newContext()
    }

    @Test func `each(batch:) visits every object once, in order, holding few at a time`() throws {
        var ages: [Int?] = []
        var held = 0
        try Person.each(batch: 50, sortedBy: .descending(\.age), in: context) { person in
            ages.append(person.age)
            held = max(held, context.registeredObjectCount)
        }
        #expect(ages.count == 1_000 && ages == ages.sorted { $0! > $1! })
        #expect(held <= 400)
    }

    @Test func `the body of each(batch:) can change, delete and save objects`() throws {
        try context.each(Person.where { $0.age < 3 }, batch: 7) { person in
            person.name = "seen"
            if person.age == 2 { try person.delete() }
            try context.saveAndWait()
        }
        #expect(try Person.count(in: context) { $0.name == "seen" } == 200)
        #expect(try Person.count(in: context) == 900)
    }

    @Test func `each(batch:) skips objects deleted since their batch was read`() async throws {
        var given: [Int] = []
        let request = Person.all.sorted(by: .ascending(\.age))
        try context.each(request.where { $0.age <= 1 }, batch: 50) { person in
            #expect(person.objectState == .persistent)
            given.append(try #require(person.age))
            for other in try Person.find(in: context) where other.age == 1 { try other.delete() }
        }
        #expect(given == Array(repeating: 0, count: 100))
        let stack = test.stack
        try await context.each(request.where { $0.age >= 8 }, batch: 300) { person in
            given.append(try #require(person.age))
            try await stack.delete(Person.where { $0.age >= 8 })
            _ = try Person.count(in: context)
        }
        #expect(given.count == 101)
    }

    @Test func `eachPage(size:) passes full pages in order, and none for no objects`() throws {
        var sizes: [Int] = []
        var names: [String] = []
        try Person.eachPage(size: 300, sortedBy: .ascending(\.name), in: context) { page in
            sizes.append(page.items.count)
            names += page.items.map(\.name)
        }
        #expect(sizes == [300, 300, 300, 100])
        #expect(try names == Person.find(sortedBy: .ascending(\.name), in: context).map(\.name))
        try Person.eachPage(size: 5, in: context) { _ in
            Issue.record("there is no page")
        } where: {
            $0.name == "nobody has this name"
        }
    }

    @Test func `each(batch:) stops when its body throws`() throws {
        struct Enough: Error {}
        var count = 0
        #expect(throws: Enough.self) {
            try Person.each(in: context) { _ in
                count += 1
                if count == 5 { throw Enough() }
            }
        }
        #expect(count == 5)
    }

    @Test func `an async body of each(batch:) runs in its caller's isolation`() async throws {
        var count = 0
        try await Person.each(batch: 300, in: context) { person in
            await Task.yield()
            count += person.name.isEmpty ? 1 : 0
        }
        #expect(count == 1_000)
    }

    @Test func `a cancelled task ends an async each(batch:) with CancellationError`() async throws {
        let stack = test.stack
        let task = Task {
            let context = stack.newContext()
            try await Person.each(batch: 10, in: context) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                await Task.yield()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
