import RecordStack
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Actions that `willSave()` may take, and the limit on its calls.
@Suite("willSave and didSave") struct WillSaveTests {
    @Test(arguments: HookTwinKind.allCases)
    func `willSave runs until it changes nothing, and its edits are saved`(
        _ kind: HookTwinKind
    ) throws {
        try settle(kind.twin)
    }

    private func settle<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        let context = test.stack.newContext(name: "main")
        let ann = try T.Singer.create(in: context)
        ann.name = "Ann"
        _ = test.journal.take()
        test.journal.script("willSave") { object in
            guard let singer = object as? T.Singer, singer.number < 5 else { return }
            singer.number += 1
        }
        #expect(try waitedSave(context) == .saved(.inserting(1)))
        #expect(
            test.journal.takeCounts() == [
                "willSave Ann@main": 6, "validateForInsert Ann@main": 1, "didSave Ann@main": 1,
            ])
        let stored = try #require(try T.Singer.find(in: test.stack.newContext()).first)
        #expect(stored.number == 5 && !context.hasChanges)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `objects that a willSave changes, creates or deletes call willSave`(
        _ kind: HookTwinKind
    ) throws {
        try spread(kind.twin)
    }

    private func spread<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test, choir: "A")
        try T.store("Bob", in: test)
        try T.store("Carl", in: test)
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        _ = test.journal.take()
        test.journal.script("willSave") { object in
            guard let singer = object as? T.Singer, singer.name == "Ann",
                let context = singer.managedObjectContext
            else { return }
            (singer.group as? T.Choir)?.seats = 3
            try T.singer("Bob", in: context)?.delete()
            if try T.singer("Dora", in: context) == nil {
                try T.Singer.create(in: context).name = "Dora"
            }
        }
        ann.number = 1
        #expect(
            try waitedSave(context) == .saved(.counting(inserted: 1, updated: 2, deleted: 1)))
        let counts = test.journal.takeCounts().filter { $0.key.hasPrefix("willSave") }
        #expect(
            counts == [
                "willSave Ann@main": 1, "willSave A@main": 1, "willSave Bob@main": 1,
                "willSave Dora@main": 1,
            ])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a willSave that rolls its context back leaves nothing to save`(
        _ kind: HookTwinKind
    ) throws {
        try takeBack(kind.twin)
    }

    private func takeBack<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        try T.Singer.create(in: context).name = "Bob"
        _ = test.journal.take()
        ann.number = 1
        test.journal.script("willSave") { $0.managedObjectContext?.rollback() }
        #expect(try waitedSave(context) == .noChanges)
        #expect(test.journal.take() == ["willSave Bob@main"] && ann.number == 0)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a willSave that never stops changing a property fails the save`(
        _ kind: HookTwinKind
    ) throws {
        try never(kind.twin)
    }

    private func never<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        _ = test.journal.take()
        test.journal.script("willSave") { ($0 as? T.Singer)?.number += 1 }
        ann.name = "Anna"
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.code == .misuse && error?.property == "number")
        #expect(error?.objectID == ann.objectID && error?.entity == "Singer")
        #expect(error?.message.contains(#"changedValues()["number"] == nil"#) == true)
        #expect(test.journal.takeCounts() == ["willSave Anna@main": 100])
        #expect(ann.number == 100 && ann.hasChanges)
        // The idiom that the message suggests.
        test.journal.script("willSave") { object in
            if object.changedValues()["number"] == nil { (object as? T.Singer)?.number += 1 }
        }
        #expect(try waitedSave(context) == .saved(.updating(1)))
        ann.name = "Ann"
        #expect(try waitedSave(context) == .saved(.updating(1)))
        #expect(ann.number == 101)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `hooks that create objects without end are stopped`(_ kind: HookTwinKind) throws {
        try makeForEver(kind.twin)
    }

    private func makeForEver<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        let context = test.stack.newContext(name: "main")
        test.journal.script("willSave") { object in
            guard let context = object.managedObjectContext else { return }
            try T.Choir.create(in: context)
        }
        try T.Singer.create(in: context)
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.code == .misuse && error?.entity == "Choir" && error?.property == nil)
        test.journal.script("willSave", nil)
        #expect(try T.Choir.count(in: context) == 0)
        context.rollback()
        test.journal.script("awakeFromInsert") { object in
            guard let context = object.managedObjectContext else { return }
            try T.Singer.create(in: context)
        }
        try T.Singer.create(in: context)
        #expect(try T.Singer.count(in: context) == 100)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a willSave that sets one property in parent and child is no conflict`(
        _ kind: HookTwinKind
    ) throws {
        try setInBoth(kind.twin)
    }

    private func setInBoth<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        let parent = test.stack.newContext(name: "parent")
        let ann = try #require(try T.singer("Ann", in: parent))
        ann.name = "Anna"
        let child = parent.newChild(name: "child")
        let mine = try #require(try T.singer("Anna", in: child))
        mine.code = "1"
        _ = test.journal.take()
        let time = Mutex(10)
        test.journal.script("willSave") { object in
            if object.changedValues()["number"] != nil { return }
            (object as? T.Singer)?.number = time.withLock { time in
                time += 1
                return time
            }
        }
        #expect(try waitedSave(child) == .saved(.updating(1)))
        #expect(
            test.journal.take().prefix(2) == ["willSave Anna@parent", "willSave Anna@child"])
        #expect(ann.number == 12 && mine.number == 12 && !parent.hasChanges && !child.hasChanges)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `an edit made in didSave is saved by the next save`(_ kind: HookTwinKind) async throws {
        try await changeAfterwards(kind.twin)
    }

    private func changeAfterwards<T: HookTwin>(_ twin: T.Type) async throws {
        let test = try T.makeTest()
        let context = test.stack.newContext(name: "main")
        let ann = try T.Singer.create(in: context)
        ann.name = "Ann"
        test.journal.script("didSave") { object in
            #expect(object.objectState == .persistent && !object.hasChanges)
            if let singer = object as? T.Singer, singer.number == 0 { singer.number = 1 }
        }
        #expect(try await context.save() == .saved(.inserting(1)))
        #expect(ann.changedValues() == ["number": .integer(1)])
        #expect(try await context.save() == .saved(.updating(1)))
        #expect(try await context.save() == .noChanges)
        #expect(
            test.journal.takeHooks() == [
                "awakeFromInsert", "willSave", "validateForInsert", "didSave", "willSave",
                "validateForUpdate", "didSave",
            ])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `edits made during a save stay unsaved, and didSave runs at its end`(
        _ kind: HookTwinKind
    ) async throws {
        try await editMeanwhile(kind.twin)
    }

    @MainActor
    private func editMeanwhile<T: HookTwin>(_ twin: T.Type) async throws {
        let gated = try GatedStack(T.Singer.self, T.Soloist.self, T.Choir.self)
        let context = gated.context
        let journal = HookJournal.of(gated.stack.coordinator.storeUUID)
        let ann = try T.Singer.create(in: context)
        ann.name = "Ann"
        try await gated.whileSaving { () throws in
            #expect(
                journal.takeHooks() == ["awakeFromInsert", "willSave", "validateForInsert"])
            ann.number = 4
            #expect(try T.Singer.find(in: context).count == 1)
            #expect(journal.takeHooks() == [])
        }
        #expect(journal.takeHooks() == ["didSave"])
        #expect(ann.changedValues() == ["number": .integer(4)])
    }
}
