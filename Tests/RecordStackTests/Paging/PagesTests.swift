import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// `pages` and `snapshots(of:batch:)`, which iterate by key in async loops.
@Suite("Async pages and snapshots") struct PagesTests {
    private let test: TestStack

    init() throws {
        test = try TestStack(for: Person.self) { context in
            for number in 0..<1_000 {
                try Person.create(in: context, email: "p\(number)", age: number % 10)
            }
        }
    }

    @Test func `async pages visit every object once, in order, holding few at a time`() async throws
    {
        let context = test.stack.newContext()
        var ages: [Int?] = []
        var (held, pages) = (0, 0)
        for try await page in Person.pages(size: 50, sortedBy: .descending(\.age), in: context) {
            ages += page.items.map(\.age)
            pages += 1
            held = max(held, context.registeredObjectCount)
        }
        #expect(ages.count == 1_000 && ages == ages.sorted { $0! > $1! })
        #expect(pages == 20 && held <= 400)
    }

    @MainActor @Test func `async pages of the default context iterate on the main actor`()
        async throws
    {
        let context = test.stack.defaultContext
        var ages: Set<Int?> = []
        for try await page in Person.pages(size: 100, in: context, where: { $0.age < 3 }) {
            for person in page.items {
                ages.insert(person.age)
                person.name = "seen"
            }
        }
        #expect(ages == [0, 1, 2])
        #expect(try Person.count(in: context) { $0.name == "seen" } == 300)
    }

    private actor Walker {
        let context: ManagedObjectContext
        private(set) var names = 0

        init(_ stack: ContextStack) { context = stack.newContext() }

        func walk() async throws {
            for try await page in context.pages(size: 64, of: Person.all) {
                names += page.items.count(where: \.name.isEmpty)
            }
        }
    }

    @Test func `an actor can iterate over async pages of the context that it owns`() async throws {
        let walker = Walker(test.stack)
        try await walker.walk()
        #expect(await walker.names == 1_000)
    }

    @Test func `async pages can begin after a page token, or go backward from the end`()
        async throws
    {
        let context = test.stack.newContext()
        let request = Person.all.sorted(by: .ascending(\.age))
        let wanted = try context.find(request).map(\.email)
        let first = try context.page(after: nil, size: 300, of: request)
        var rest: [String] = []
        for try await page in context.pages(after: first.next, size: 70, of: request) {
            rest += page.items.map(\.email)
        }
        #expect(rest == Array(wanted.dropFirst(300)))
        var back: [String] = []
        for try await page in context.pages(before: nil, size: 70, of: request) {
            back = page.items.map(\.email) + back
        }
        #expect(back == wanted)
    }

    @Test func `each async page runs one statement, and only when it is requested`() async throws {
        let context = test.stack.newContext()
        var walk = context.pages(size: 400, of: Person.all).makeAsyncIterator()
        for (statements, count) in [(1, 400), (1, 400), (1, 200), (0, nil), (0, nil)] {
            let page = try await test.expectStatements(statements, .reads) { try await walk.next() }
            #expect(page?.items.count == count)
        }
    }

    @Test func `async pages and snapshots of an empty result yield nothing`() async throws {
        let context = test.stack.newContext()
        let nobody = Person.where { $0.age > 100 }
        for try await _ in context.pages(size: 10, of: nobody) { Issue.record("a page") }
        for try await _ in test.stack.snapshots(of: nobody) { Issue.record("a snapshot") }
    }

    @Test func `async pages and snapshots with a bad size or limit throw misuse`() async {
        let context = test.stack.newContext()
        let wrong: [(FetchRequest<Person>, Int)] = [
            (Person.all, 0), (Person.all, -1), (Person.all, .min),
            (Person.all.limited(to: 3), 10), (Person.all.offset(by: 1), 10),
        ]
        for (request, size) in wrong {
            let error = await #expect(throws: RecordStackError.self) {
                for try await _ in context.pages(size: size, of: request) {}
            }
            let other = await #expect(throws: RecordStackError.self) {
                for try await _ in test.stack.snapshots(of: request, batch: size) {}
            }
            #expect(error?.code == .misuse && other?.code == .misuse)
        }
    }

    @Test func `async pages and snapshots end after an error`() async throws {
        let context = test.stack.newContext()
        var walk = context.pages(size: 0, of: Person.all).makeAsyncIterator()
        await #expect(throws: RecordStackError.self) { _ = try await walk.next() }
        #expect(try await walk.next() == nil)
        var values = test.stack.snapshots(of: Person.all, batch: 0).makeAsyncIterator()
        await #expect(throws: RecordStackError.self) { try await values.next() }
        #expect(try await values.next() == nil)
    }

    @Test func `a loop over async pages or snapshots throws if its task is cancelled`() async throws
    {
        let stack = test.stack
        let pages = Task {
            let context = stack.newContext()
            for try await _ in context.pages(size: 10, of: Person.all) {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await pages.value }
        let met = Task {
            var met = 0
            do {
                for try await _ in stack.snapshots(of: Person.all, batch: 100) {
                    met += 1
                    if met == 5 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            } catch is CancellationError {
                return met
            }
            return -1
        }
        #expect(try await met.value == 5)
    }

    @Test func `async snapshots come in order, with one statement per batch`() async throws {
        let request = Person.where { $0.age >= 5 }.sorted(by: .descending(\.age))
        let people = test.stack.snapshots(of: request, batch: 100)
        let wanted = try test.stack.newContext().find(request).map(\.email)
        let emails = try await test.expectStatements(5, .reads) {
            try await Task.detached {
                var emails: [String] = []
                for try await person in people { emails.append(person.email) }
                return emails
            }.value
        }
        #expect(emails == wanted && emails.count == 500)
    }

    @MainActor @Test
    func `a loop over async snapshots continues while its objects are deleted`() async throws {
        let stack = test.stack
        var met = 0
        for try await person in stack.snapshots(of: Person.where { $0.age == 3 }, batch: 10) {
            met += 1
            let id = person.objectID
            // Each object is deleted after its own batch was read, and the loop continues behind
            // it.
            try await stack.saveWithBlock { try Person.existing(id, in: $0).delete() }
        }
        #expect(met == 100)
        #expect(try Person.count(in: stack.defaultContext) == 900)
    }

    @Test func `closing the stack ends a loop over async snapshots with an error`() async throws {
        var people = test.stack.snapshots(of: Person.all, batch: 2).makeAsyncIterator()
        #expect(try await people.next() != nil)
        try test.stack.close()
        // The second snapshot of the batch is loaded already.
        #expect(try await people.next() != nil)
        let error = await #expect(throws: RecordStackError.self) { try await people.next() }
        #expect(error?.code == .closed)
    }
}
