import RecordStack
import RecordStackTesting
import Testing

/// The hooks that are called, with their order and context: the table in the documentation.
@Suite("Life cycle of objects") struct LifeCycleTests {
    @Test(arguments: HookTwinKind.allCases)
    func `a new object awakes once and calls its hooks at every save`(
        _ kind: HookTwinKind
    ) throws {
        try insert(kind.twin)
    }

    private func insert<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        let context = test.stack.newContext(name: "main")
        test.journal.script("awakeFromInsert") { object in
            #expect(object.objectState == .pending && object.hasChanges)
            #expect(object.changedValues().isEmpty)
            (object as? T.Singer)?.number = 7
        }
        let ann = try T.Singer.create(in: context)
        #expect(test.journal.take() == ["awakeFromInsert new@main"])
        #expect(ann.changedValues() == ["number": .integer(7)])
        ann.name = "Ann"
        #expect(try waitedSave(context) == .saved(.inserting(1)))
        #expect(
            test.journal.take() == [
                "willSave Ann@main", "validateForInsert Ann@main", "didSave Ann@main",
            ])
        #expect(!context.hasChanges)
        #expect(try waitedSave(context) == .noChanges)
        #expect(test.journal.take() == [])
    }

    @Test func `create sets its values after awakeFromInsert`() throws {
        let test = try MacroHooks.makeTest()
        let context = test.stack.newContext()
        test.journal.script("awakeFromInsert") { object in
            let singer = try #require(object as? MacroHooks.Singer)
            #expect(singer.name == "new")
            (singer.name, singer.number) = ("hook", 7)
        }
        let ann = try MacroHooks.Singer.create(in: context, name: "Ann")
        #expect(ann.name == "Ann" && ann.number == 0)
        #expect(test.journal.take().count == 1)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a fetched object calls awakeFromFetch once in each context`(_ kind: HookTwinKind) throws {
        try fetch(kind.twin)
    }

    private func fetch<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        try T.store("Bob", in: test)
        for name in ["one", "two"] {
            let context = test.stack.newContext(name: name)
            #expect(try T.Singer.count(in: context) == 2)
            #expect(try T.Singer.exists(in: context))
            #expect(try T.Singer.snapshots(in: context).count == 2)
            #expect(test.journal.take() == [])
            let all = try T.Singer.find(in: context)
            #expect(
                test.journal.take() == ["awakeFromFetch Ann@\(name)", "awakeFromFetch Bob@\(name)"])
            #expect(try T.Singer.find(in: context).count == 2 && all[0].name == "Ann")
            #expect(try context.existingObject(all[1].objectID) === all[1])
            #expect(test.journal.take() == [] && !context.hasChanges)
        }
        let third = test.stack.newContext(name: "three")
        let id = try #require(try T.singer("Bob", in: test.stack.newContext())).objectID
        _ = test.journal.take()
        _ = try third.existingObject(id)
        #expect(test.journal.take() == ["awakeFromFetch Bob@three"])
        _ = try T.Singer.page(1, size: 1, in: third)
        #expect(test.journal.take() == ["awakeFromFetch Ann@three"])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a save calls the hooks of changed objects only`(
        _ kind: HookTwinKind
    ) throws {
        try change(kind.twin)
    }

    private func change<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        try T.store("Bob", in: test)
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        _ = test.journal.take()
        ann.number = 1
        #expect(test.journal.take() == [])
        #expect(try waitedSave(context) == .saved(.updating(1)))
        #expect(
            test.journal.take() == [
                "willSave Ann@main", "validateForUpdate Ann@main", "didSave Ann@main",
            ])
        ann.number = 2
        ann.number = 1
        #expect(try waitedSave(context) == .noChanges)
        #expect(test.journal.take() == [])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a deletion calls prepareForDeletion first and didSave last`(_ kind: HookTwinKind) throws {
        try delete(kind.twin)
    }

    private func delete<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test, choir: "A")
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        let choir = try #require(ann.group as? T.Choir)
        #expect(choir.singers.count == 1)
        _ = test.journal.take()
        test.journal.script("prepareForDeletion") { object in
            #expect(object.objectState == .persistent)
            guard let choir = object as? T.Choir else { return }
            // The relationship still refers to the singer.
            let singer = try #require(choir.singers.first as? T.Singer)
            #expect((singer.group as? T.Choir)?.title == "A")
            singer.number = 99
        }
        try choir.delete()
        // The context found the choir through the relationship, and nothing had read it yet.
        #expect(test.journal.take() == ["awakeFromFetch A@main", "prepareForDeletion A@main"])
        #expect(ann.number == 99 && ann.group == nil)
        try ann.delete()
        try ann.delete()
        #expect(test.journal.take() == ["prepareForDeletion Ann@main"])
        test.journal.script("didSave") { #expect($0.objectState == .detached) }
        #expect(try waitedSave(context) == .saved(.deleting(2)))
        #expect(
            Set(test.journal.take()) == [
                "willSave A@main", "willSave Ann@main", "validateForDelete Ann@main",
                "didSave Ann@none",
            ])
        let new = try T.Singer.create(in: context)
        _ = test.journal.take()
        test.journal.script("prepareForDeletion", nil)
        try new.delete()
        #expect(test.journal.take() == ["prepareForDeletion new@main"])
        #expect(try waitedSave(context) == .noChanges && test.journal.take() == [])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a failed save calls no didSave, and a corrected save does`(
        _ kind: HookTwinKind
    ) throws {
        try fail(kind.twin)
    }

    private func fail<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        let bob = try T.Singer.create(in: context)
        (bob.name, bob.code) = ("Bob", "1")
        _ = test.journal.take()
        func expectFailure(_ code: RecordStackError.Code) {
            let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
            #expect(error?.code == code)
        }
        // A validation error.
        test.journal.script("validateForInsert") { _ in
            throw ValidationError("is not welcome", property: \T.Singer.objectID)
        }
        expectFailure(.validation)
        #expect(test.journal.take() == ["willSave Bob@main", "validateForInsert Bob@main"])
        test.journal.script("validateForInsert", nil)
        // A unique value that is taken.
        try test.seed { try T.Singer.create(in: $0).code = "1" }
        _ = test.journal.take()
        expectFailure(.constraint)
        #expect(test.journal.take() == ["willSave Bob@main", "validateForInsert Bob@main"])
        bob.code = "2"
        // A conflict.
        try test.seed { try T.singer("Ann", in: $0)?.number = 5 }
        ann.number = 6
        _ = test.journal.take()
        expectFailure(.conflict)
        #expect(
            test.journal.take() == [
                "willSave Bob@main", "willSave Ann@main", "validateForInsert Bob@main",
                "validateForUpdate Ann@main",
            ])
        try context.refresh(ann)
        #expect(test.journal.take() == [])
        #expect(try waitedSave(context) == .saved(.counting(inserted: 1, updated: 1)))
        #expect(
            test.journal.takeHooks() == [
                "willSave", "willSave", "validateForInsert", "validateForUpdate", "didSave",
                "didSave",
            ])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `merging changes and deletions of another context calls no hooks`(
        _ kind: HookTwinKind
    ) throws {
        try merge(kind.twin)
    }

    private func merge<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        try T.store("Bob", in: test)
        let context = test.stack.newContext(name: "main")
        let all = try T.Singer.find(in: context)
        all[0].greeting = "hello"
        try test.seed { other in
            let theirs = try T.Singer.find(in: other)
            theirs[0].number = 5
            try theirs[1].delete()
        }
        _ = test.journal.take()
        #expect(try T.Singer.count(in: context) == 1)
        #expect(all[0].number == 5 && all[1].objectState == .detached)
        #expect(test.journal.take() == [] && all[0].greeting == "hello")
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a rollback calls no hooks, and a refreshed fault awakes when read`(
        _ kind: HookTwinKind
    ) throws {
        try refresh(kind.twin)
    }

    private func refresh<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        _ = test.journal.take()
        ann.number = 1
        try T.Singer.create(in: context).name = "Bob"
        #expect(test.journal.take() == ["awakeFromInsert new@main"])
        context.rollback()
        #expect(ann.number == 0 && test.journal.take() == [])
        ann.number = 1
        try context.refresh(ann)
        #expect(ann.number == 1 && test.journal.take() == [])
        ann.greeting = "hello"
        try context.refresh(ann, mergingChanges: false)
        #expect(ann.isFault && test.journal.take() == [])
        test.journal.script("awakeFromFetch") { ($0 as? T.Singer)?.greeting = "awake" }
        #expect(ann.greeting == "awake" && ann.number == 0)
        #expect(test.journal.take() == ["awakeFromFetch Ann@main"])
        context.refreshAllObjects()
        ann.name = "Anna"
        #expect(test.journal.take() == ["awakeFromFetch Ann@main"])
        #expect(ann.changedValues() == ["name": .text("Anna")])
        context.rollback()
        context.refreshAllObjects()
        try ann.load()
        #expect(test.journal.take() == ["awakeFromFetch Ann@main"])
        context.reset()
        #expect(test.journal.take() == [] && ann.objectState == .detached)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a save calls ancestors' hooks first, and a push calls no save hooks`(
        _ kind: HookTwinKind
    ) throws {
        try nest(kind.twin)
    }

    private func nest<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        let parent = test.stack.newContext(name: "parent")
        let ann = try #require(try T.singer("Ann", in: parent))
        try T.Singer.create(in: parent).name = "Bob"
        ann.number = 1
        _ = test.journal.take()
        let child = parent.newChild(name: "child")
        let mine = try T.Singer.find(in: child)
        #expect(
            Set(test.journal.take()) == ["awakeFromFetch Ann@child", "awakeFromFetch Bob@child"])
        mine[1].number = 2
        try T.Singer.create(in: child).name = "Carl"
        _ = test.journal.take()
        try child.push()
        #expect(
            test.journal.take() == [
                "validateForUpdate Bob@child", "validateForInsert Carl@child",
                "awakeFromFetch Carl@parent",
            ])
        try T.Singer.create(in: child).name = "Dora"
        _ = test.journal.take()
        #expect(try waitedSave(child) == .saved(.counting(inserted: 3, updated: 1)))
        let calls = test.journal.take()
        let parents = ["Ann", "Bob", "Carl"]
        #expect(Set(calls[..<3]) == Set(parents.map { "willSave \($0)@parent" }))
        #expect(calls[3..<5] == ["willSave Dora@child", "validateForInsert Dora@child"])
        #expect(
            Set(calls[5..<8]) == [
                "validateForUpdate Ann@parent", "validateForInsert Bob@parent",
                "validateForInsert Carl@parent",
            ])
        #expect(Set(calls[8..<11]) == Set(parents.map { "didSave \($0)@parent" }))
        #expect(calls[11...] == ["didSave Dora@child"])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a save block calls the hooks of the objects that it creates`(
        _ kind: HookTwinKind
    ) async throws {
        try await saveInBlocks(kind.twin)
    }

    private func saveInBlocks<T: HookTwin>(_ twin: T.Type) async throws {
        let test = try T.makeTest()
        let expected = ["awakeFromInsert", "willSave", "validateForInsert", "didSave"]
        try await test.stack.saveWithBlock { _ = try T.Singer.create(in: $0) }
        #expect(
            test.journal.take() == expected.map { "\($0) new@save block" })
        let context = test.stack.newContext(name: "main")
        try await context.saveWithBlock { _ = try T.Singer.create(in: $0) }
        #expect(test.journal.take() == expected.map { "\($0) new@save block" })
        await withCheckedContinuation { continuation in
            test.stack.saveWithBlock({ _ = try T.Singer.create(in: $0) }) { _ in
                continuation.resume()
            }
        }
        #expect(test.journal.take() == expected.map { "\($0) new@save block" })
    }

    @Test(arguments: HookTwinKind.allCases)
    func `after its save block, a context calls didSave at its next operation`(
        _ kind: HookTwinKind
    ) async throws {
        try await saveLater(kind.twin)
    }

    private func saveLater<T: HookTwin>(_ twin: T.Type) async throws {
        let test = try T.makeTest()
        let context = test.stack.newContext(name: "main")
        try T.Singer.create(in: context).name = "Ann"
        _ = test.journal.take()
        await withCheckedContinuation { continuation in
            context.saveWithBlock({ _ = try T.Singer.create(in: $0) }) { _ in
                continuation.resume()
            }
        }
        #expect(
            test.journal.take() == [
                // The block's context shows the unsaved objects of its parent.
                "awakeFromInsert new@save block", "awakeFromFetch Ann@save block",
                "willSave Ann@main", "willSave new@save block", "validateForInsert new@save block",
                "validateForInsert Ann@main",
            ])
        #expect(try T.Singer.count(in: context) == 2)
        #expect(test.journal.take() == ["didSave Ann@main"])
        #expect(try T.Singer.count(in: context) == 2 && test.journal.take() == [])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a subentity inherits the hooks of its superentity`(_ kind: HookTwinKind) throws {
        try inherit(kind.twin)
    }

    private func inherit<T: HookTwin>(_ twin: T.Type) throws {
        #expect(T.Soloist.lifeCycleHooks == T.Singer.lifeCycleHooks)
        #expect(T.Singer.lifeCycleHooks.rawValue == 0xFF)
        #expect(T.Choir.lifeCycleHooks == [.awakeFromFetch, .willSave, .prepareForDeletion])
        #expect(Person.lifeCycleHooks == [] && Dog.lifeCycleHooks == [])
        let test = try T.makeTest()
        let context = test.stack.newContext(name: "main")
        try T.Soloist.create(in: context).name = "Eve"
        _ = try waitedSave(context)
        #expect(
            test.journal.takeHooks() == [
                "awakeFromInsert", "willSave", "validateForInsert", "didSave",
            ])
        let other = test.stack.newContext(name: "other")
        test.journal.script("awakeFromFetch") { ($0 as? T.Soloist)?.voice = "awake" }
        let eve = try #require(try T.Singer.find(in: other).first as? T.Soloist)
        #expect(test.journal.take() == ["awakeFromFetch Eve@other"] && eve.voice == "awake")
        other.refreshAllObjects()
        #expect(eve.voice == "awake" && test.journal.take() == ["awakeFromFetch Eve@other"])
        #expect(!other.hasChanges)
    }
}
