import RecordStack
import RecordStackTesting
import Synchronization
import Testing

/// Calls in hooks that would wait for the hook itself.
@Suite("Misuse of hooks") struct HookMisuseTests {
    private static let hooks = [
        "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "prepareForDeletion",
        "validateForInsert", "validateForUpdate", "validateForDelete",
    ]

    /// The calls that save, with the names that their errors use.
    private static let calls:
        [(name: String, call: @Sendable (ContextStack, ManagedObjectContext) throws -> Void)] = [
            ("saveAndWait()", { _ = try $1.saveAndWait() }),
            ("push()", { _ = try $1.newChild().push() }),
            ("saveWithBlock", { try $1.saveWithBlockAndWait { _ in } }),
            ("saveWithBlockAndWait", { stack, _ in try stack.saveWithBlockAndWait { _ in } }),
            ("close()", { stack, _ in try stack.close() }),
        ]

    @Test(arguments: HookTwinKind.allCases)
    func `saving inside a hook throws misuse and names the call and the hook`(
        _ kind: HookTwinKind
    ) throws {
        try save(kind.twin)
    }

    private func save<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        let stack = test.stack
        let errors = Mutex<[String: [RecordStackError]]>([:])
        for hook in Self.hooks {
            test.journal.script(hook) { object in
                guard let context = object.managedObjectContext else { return }
                for (_, call) in Self.calls {
                    let error = #expect(throws: RecordStackError.self) { try call(stack, context) }
                    errors.withLock { $0[hook, default: []] += error.map { [$0] } ?? [] }
                }
            }
        }
        let context = stack.newContext(name: "main")
        let ann = try T.Singer.create(in: context)
        _ = try waitedSave(context)
        ann.number = 1
        _ = try waitedSave(context)
        _ = try T.Singer.find(in: stack.newContext())
        try ann.delete()
        _ = try waitedSave(context)
        let found = errors.withLock { $0 }
        for hook in Self.hooks {
            let messages = try #require(found[hook], "\(hook)")
            // A hook may have been called several times.
            for (index, error) in messages.enumerated() {
                let name = Self.calls[index % Self.calls.count].name
                #expect(error.code == .misuse)
                #expect(
                    error.message.hasPrefix("\(name) was called inside \(hook)()"),
                    "\(error.message)")
            }
        }
        #expect(try T.Singer.count(in: context) == 0)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a completion gets the error of a save block that a hook started`(
        _ kind: HookTwinKind
    ) async throws {
        try await complete(kind.twin)
    }

    private func complete<T: HookTwin>(_ twin: T.Type) async throws {
        let test = try T.makeTest()
        let stack = test.stack
        let context = stack.newContext(name: "main")
        try T.Singer.create(in: context)
        let results = AsyncStream<Result<Void, any Error>>.makeStream()
        test.journal.script("willSave") { object in
            stack.saveWithBlock({ _ in }) { results.continuation.yield($0) }
            object.managedObjectContext?.saveWithBlock({ _ in }) { results.continuation.yield($0) }
        }
        _ = try await context.save()
        var iterator = results.stream.makeAsyncIterator()
        for _ in 0..<2 {
            let result = try #require(await iterator.next())
            let error = #expect(throws: RecordStackError.self) { try result.get() }
            #expect(error?.code == .misuse && error?.message.contains("willSave()") == true)
        }
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a task that a hook starts can save when the hook is over`(
        _ kind: HookTwinKind
    ) async throws {
        try await saveElsewhere(kind.twin)
    }

    private func saveElsewhere<T: HookTwin>(_ twin: T.Type) async throws {
        let test = try T.makeTest()
        let stack = test.stack
        let done = AsyncStream<Void>.makeStream()
        test.journal.script("didSave") { _ in
            Task {
                try await stack.saveWithBlock { _ = try T.Choir.create(in: $0) }
                done.continuation.yield()
            }
        }
        try await stack.saveWithBlock { _ = try T.Singer.create(in: $0) }
        var iterator = done.stream.makeAsyncIterator()
        await iterator.next()
        #expect(try T.Choir.count(in: stack.newContext()) == 1)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a hook that deletes the object being deleted is called once`(
        _ kind: HookTwinKind
    ) throws {
        try deleteItself(kind.twin)
    }

    private func deleteItself<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        for name in ["Ann", "Bob", "Carl"] { try T.store(name, in: test) }
        let context = test.stack.newContext(name: "main")
        let singers = try T.Singer.find(in: context)
        _ = test.journal.take()
        test.journal.script("prepareForDeletion") { object in
            guard let context = object.managedObjectContext else { return }
            try object.delete()
            try T.singer("Bob", in: context)?.delete()
        }
        try singers[0].delete()
        #expect(
            test.journal.take() == ["prepareForDeletion Ann@main", "prepareForDeletion Bob@main"])
        #expect(singers.map(\.objectState) == [.deleted, .deleted, .persistent])
        #expect(try T.Singer.deleteAll(in: context) == 1)
        #expect(test.journal.take() == ["prepareForDeletion Carl@main"])
        #expect(try waitedSave(context) == .saved(.deleting(3)))
    }

    @Test(arguments: HookTwinKind.allCases)
    func `hooks can change and delete objects while a push runs`(
        _ kind: HookTwinKind
    ) throws {
        try changeWhilePushing(kind.twin)
    }

    private func changeWhilePushing<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        for name in ["Ann", "Bob"] { try T.store(name, in: test) }
        let parent = test.stack.newContext(name: "parent")
        let child = parent.newChild(name: "child")
        let ann = try #require(try T.singer("Ann", in: child))
        ann.number = 1
        try T.Singer.create(in: child).name = "Carl"
        // The push loads the objects in the parent. Their hooks delete one object and change
        // another.
        test.journal.script("awakeFromFetch") { object in
            guard let context = object.managedObjectContext, context.name == "parent" else {
                return
            }
            if let singer = object as? T.Singer, singer.name == "Ann" { try singer.delete() }
        }
        test.journal.script("validateForInsert") { object in
            (object as? T.Singer)?.number = 5
        }
        #expect(try child.push() == .saved(.counting(inserted: 1, updated: 1)))
        test.journal.script("awakeFromFetch", nil)
        test.journal.script("validateForInsert", nil)
        #expect(parent.deletedObjects.count == 1 && !child.hasChanges)
        #expect(try T.singer("Carl", in: parent)?.number == 5)
        #expect(try waitedSave(parent) == .saved(.counting(inserted: 1, deleted: 1)))
    }
}
