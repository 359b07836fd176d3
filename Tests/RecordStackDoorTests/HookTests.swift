import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import Testing

/// Reloads its own object each time the object is loaded.
@Entity final class Echo: ManagedObject {
    @Attribute var name: String = ""

    /// The number of calls of the hook.
    static let calls = Atomic(0)

    override func awakeFromFetch() {
        Self.calls.add(1, ordering: .relaxed)
        try? managedObjectContext?.refresh(self, mergingChanges: false)
        _ = name
    }
}

/// Resets the context and loads all objects again.
@Entity final class Amnesiac: ManagedObject {
    @Attribute var name: String = ""

    /// The number of calls of the hook, in all tests.
    static let calls = Atomic(0)

    override func awakeFromFetch() {
        Self.calls.add(1, ordering: .relaxed)
        guard let context = managedObjectContext else { return }
        context.refreshAllObjects()
        context.reset()
        _ = try? Amnesiac.find(in: context).map(\.name)
    }
}

/// Reads the next link, which reads the link after it.
@Entity final class ChainLink: ManagedObject {
    @Attribute var number: Int = 0
    @Attribute(.transient) var isAwake: Bool = false
    @Relationship var next: ChainLink?

    override func awakeFromFetch() {
        isAwake = true
        _ = next?.number
    }

    override func prepareForDeletion() { try? next?.delete() }
}

/// Creates another object of its entity before each save.
@Entity final class Breeder: ManagedObject {
    @Attribute var name: String = ""

    override func willSave() { try? managedObjectContext.map { _ = try Breeder.create(in: $0) } }
}

/// Creates a note before each save, which a rule may refuse.
@Entity final class Diarist: ManagedObject {
    @Attribute(.range(0...10)) var mood: Int = 0
    @Relationship(inverse: \DiaryNote.author) var notes: ToMany<DiaryNote>

    override func willSave() {
        guard objectState != .deleted, let context = managedObjectContext else { return }
        if let note = try? DiaryNote.create(in: context, text: "saved") { notes.insert(note) }
    }
}

@Entity final class DiaryNote: ManagedObject {
    @Attribute var text: String = ""
    @Relationship var author: Diarist?
}

/// Hooks that run endlessly or call each other, which must not crash a program.
@Suite("Endless hooks", .timeLimit(.minutes(20))) struct HookTests {
    @Test func `an awakeFromFetch that reloads its object is called once per load`() throws {
        let test = try TestStack(for: Echo.self)
        try test.stack.saveWithBlockAndWait { _ = try Echo.create(in: $0, name: "a") }
        let context = test.stack.newContext()
        let echo = try #require(try Echo.find(in: context).first)
        #expect(echo.name == "a" && Echo.calls.load(ordering: .relaxed) == 1)
        try context.refresh(echo, mergingChanges: false)
        #expect(echo.name == "a" && Echo.calls.load(ordering: .relaxed) == 2)
    }

    @Test(arguments: [1, 3])
    func `awakeFromFetch hooks that reset and find endlessly come to an end`(
        count: Int
    ) throws {
        let test = try TestStack(for: Amnesiac.self)
        try test.stack.saveWithBlockAndWait { context in
            for number in 0..<count { try Amnesiac.create(in: context, name: "\(number)") }
        }
        let stack = test.stack
        let names = onSmallStack { () -> [String]? in
            let context = stack.newContext()
            _ = try? Amnesiac.find(in: context)
            return try? Amnesiac.find(in: context).map(\.name).sorted()
        }
        #expect(names == (0..<count).map { "\($0)" })
        // Each of the few outermost hooks calls the hook of a row at most 100 times.
        #expect(Amnesiac.calls.load(ordering: .relaxed) < 5_000)
    }

    @Test func `a chain of 3,000 awakeFromFetch calls does not overflow the stack`() throws {
        let test = try TestStack(for: ChainLink.self)
        let count = 3_000
        try test.stack.saveWithBlockAndWait { context in
            var last: ChainLink?
            for number in (0..<count).reversed() {
                last = try ChainLink.create(in: context, number: number, next: last)
            }
        }
        let stack = test.stack
        let awake = onSmallStack { () -> Int in
            let context = stack.newContext()
            guard let first = try? ChainLink.find(in: context, where: { $0.number == 0 }).first
            else { return -1 }
            _ = first.number
            return (try? ChainLink.find(in: context).count { $0.isAwake }) ?? -1
        }
        #expect(awake == count)
    }

    @Test func `a save throws misuse if its hooks create objects without end`() throws {
        let test = try TestStack(for: Breeder.self)
        let context = test.stack.newContext()
        let first = try Breeder.create(in: context, name: "first")
        for _ in 0..<3 {
            let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
            #expect(error?.code == .misuse)
            #expect(try Breeder.find(in: context).map(\.objectID) == [first.objectID])
        }
    }

    @Test func `a failed save discards the objects that its hooks have created`() throws {
        let test = try TestStack(for: Diarist.self, DiaryNote.self)
        let context = test.stack.newContext()
        let ann = try Diarist.create(in: context, mood: 11)
        for _ in 0..<3 {
            let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
            #expect(error?.code == .validation)
            #expect(try DiaryNote.count(in: context) == 0 && ann.notes.isEmpty)
        }
        ann.mood = 3
        try context.saveAndWait()
        #expect(try DiaryNote.count(in: context) == 1 && ann.notes.count == 1)
        // A save that fails at an update keeps the objects that existed before it.
        ann.mood = 12
        #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(try DiaryNote.count(in: context) == 1 && ann.notes.count == 1 && ann.mood == 12)
    }
}
