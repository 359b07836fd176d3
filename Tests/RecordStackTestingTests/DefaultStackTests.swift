import RecordStack
import RecordStackTesting
import Testing

/// Default stacks of tests that run in parallel.
@MainActor @Suite("Default stacks") struct DefaultStackTests {
    @Test func `the error without a default stack says how a test gets one`() {
        let error = #expect(throws: RecordStackError.self) { try Member.find() }
        #expect(error?.code == .misuse)
        #expect(error?.message.contains("ContextStack.withDefault") == true)
        #expect(ContextStack.default == nil && TestStack.current == nil)
    }

    @Test func `calls without a context use the stack passed to asDefault`() async throws {
        let test = try TestStack(for: Member.self)
        try await test.asDefault {
            try Member.create().email = "ann"
            await Task.yield()
            #expect(try Member.count() == 1)
            #expect(TestStack.current === test && ContextStack.default === test.stack)
            try await test.stack.defaultContext.save()
        }
        let email = try test.asDefault { try Member.findFirst()?.email }
        #expect(email == "ann")
        #expect(ContextStack.default == nil)
    }

    @Test func `the innermost asDefault sets the default stack, also in its tasks`() async throws {
        let outer = try TestStack(for: Member.self)
        let inner = try TestStack(for: Member.self)
        await outer.asDefault {
            await inner.asDefault {
                let isInner = await Task { ContextStack.default === inner.stack }.value
                #expect(isInner)
            }
            #expect(ContextStack.default === outer.stack)
        }
    }

    @Test func `two hundred parallel tasks each have their own default stack`() async throws {
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    guard let test = try? TestStack(for: Member.self) else { return false }
                    return await test.asDefault { await Self.isAlone(index) }
                }
            }
            for await isAlone in group { #expect(isAlone) }
        }
    }

    private static func isAlone(_ index: Int) async -> Bool {
        try? Member.create().email = "\(index)"
        await Task.yield()
        return (try? Member.find().map(\.email)) == ["\(index)"]
    }
}

/// The trait that gives each test a default stack.
@MainActor
@Suite("Stack trait", .defaultStack(for: Member.self) { try Factory.member.create(2, in: $0) })
struct DefaultStackTraitTests {
    @Test(arguments: 0..<20)
    func `the default-stack trait fills a new stack for each test case`(index: Int) async throws {
        #expect(try Member.count() == 2)
        try Member.create().email = "\(index)"
        try await ContextStack.default?.defaultContext.save()
        #expect(try Member.count() == 3)
        #expect(TestStack.current?.recorder.statements.isEmpty == false)
    }

    @Test(.defaultStack(for: Club.self, Member.self, at: .temporaryFile))
    func `a test's default-stack trait replaces the trait of its suite`() throws {
        #expect(try Member.count() == 0)
        #expect(TestStack.current?.path != nil)
    }

    @Test
    nonisolated func `the default-stack trait also works outside the main actor`() async throws {
        let stack = try #require(ContextStack.default)
        #expect(try Member.count(in: stack.newContext()) == 2)
    }

    @Test(
        .defaultStack(entities: [Member.self, Club.self]) { try Factory.member.create(1, in: $0) })
    func `the default-stack trait accepts an array of entities`() async throws {
        #expect(try Member.count() == 1)
        let location = StoreLocation.inMemory
        let stack = try ContextStack(entities: [Member.self, Club.self], at: location)
        let count = try ContextStack.withDefault(stack) { try Member.count() }
        #expect(count == 0)
    }
}
