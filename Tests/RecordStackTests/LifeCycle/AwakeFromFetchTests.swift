import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Actions that `awakeFromFetch()` may take. No code sees an object before this hook.
@Suite("awakeFromFetch") struct AwakeFromFetchTests {
    @Test(arguments: HookTwinKind.allCases)
    func `setting the object's own attributes in awakeFromFetch is no change`(
        _ kind: HookTwinKind
    ) throws {
        try setOwn(kind.twin)
    }

    private func setOwn<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("ann", in: test)
        test.journal.script("awakeFromFetch") { object in
            let singer = try #require(object as? T.Singer)
            singer.name = singer.name.uppercased()
            singer.greeting = "I am \(singer.name)"
        }
        let context = test.stack.newContext()
        let ann = try #require(try T.Singer.find(in: context).first)
        #expect(ann.name == "ANN" && ann.greeting == "I am ANN")
        #expect(!ann.hasChanges && !context.hasChanges && ann.changedValues().isEmpty)
        #expect(try waitedSave(context) == .noChanges)
        // A change starts from the values that the hook has set.
        ann.name = "Anna"
        #expect(ann.committedValues() == ["name": .text("ANN")])
        ann.number = 3
        ann.name = "ANN"
        #expect(ann.changedValues() == ["number": .integer(3)])
        #expect(try waitedSave(context) == .saved(.updating(1)))
        test.journal.script("awakeFromFetch", nil)
        let stored = try #require(try T.Singer.find(in: test.stack.newContext()).first)
        #expect(stored.name == "ann" && stored.number == 3)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `awakeFromFetch can change relationships and other objects as usual`(
        _ kind: HookTwinKind
    ) throws {
        try setOthers(kind.twin)
    }

    private func setOthers<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test, choir: "A")
        test.journal.script("awakeFromFetch") { object in
            guard let singer = object as? T.Singer,
                let context = singer.managedObjectContext, singer.group != nil
            else { return }
            (singer.group as? T.Choir)?.seats = 5
            singer.group = nil
            try T.Choir.create(in: context).title = "made"
        }
        let context = test.stack.newContext()
        let ann = try #require(try T.singer("Ann", in: context))
        #expect(ann.group == nil && ann.changedValues() == ["choir": .null])
        #expect(try T.Choir.find(in: context).map(\.title) == ["A", "made"])
        #expect(
            try waitedSave(context) == .saved(.counting(inserted: 1, updated: 2)))
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a fault from a relationship awakes before its first read or write`(
        _ kind: HookTwinKind
    ) throws {
        try follow(kind.twin)
    }

    private func follow<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test, choir: "a")
        test.journal.script("awakeFromFetch") { object in
            guard let choir = object as? T.Choir else { return }
            choir.title = choir.title.uppercased()
        }
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        let choir = try #require(ann.group as? T.Choir)
        #expect(test.journal.take() == ["awakeFromFetch Ann@main"] && choir.isFault)
        #expect(choir.title == "A")
        #expect(test.journal.take() == ["awakeFromFetch a@main"] && !context.hasChanges)
        context.refreshAllObjects()
        choir.seats = 3
        #expect(test.journal.take() == ["awakeFromFetch a@main"])
        #expect(choir.changedValues() == ["seats": .integer(3)])
        context.rollback()
        context.refreshAllObjects()
        // The members' keys are no values of the object, so its awaking stays pending.
        #expect(choir.singers.map(\.objectID) == [ann.objectID])
        #expect(test.journal.take() == ["awakeFromFetch Ann@main"] && choir.isFault)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `members of several classes awake when their relationship is read`(
        _ kind: HookTwinKind
    ) throws {
        try followMembers(kind.twin)
    }

    private func followMembers<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test, choir: "A")
        try test.seed { context in
            let eve = try T.Soloist.create(in: context)
            (eve.name, eve.group) = ("Eve", try T.Choir.find(in: context).first)
        }
        let context = test.stack.newContext(name: "main")
        let choir = try #require(try T.Choir.find(in: context).first)
        _ = test.journal.take()
        let singers = choir.singers
        #expect(singers.count == 2 && singers.contains { $0 is T.Soloist })
        #expect(
            Set(test.journal.take()) == ["awakeFromFetch Ann@main", "awakeFromFetch Eve@main"])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `objects that awakeFromFetch fetches are already awake`(_ kind: HookTwinKind) throws {
        try readNeighbours(kind.twin)
    }

    private func readNeighbours<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest(at: .temporaryFile)
        for name in ["Ann", "Bob", "Carl"] { try T.store(name, in: test, choir: "of \(name)") }
        test.journal.script("awakeFromFetch") { object in
            guard let singer = object as? T.Singer, let context = singer.managedObjectContext
            else { return }
            let others = try T.Singer.find(in: context)
            #expect(others.count == 3)
            // The hook of this singer is running. All other singers are awake.
            singer.greeting = others.map { $0 === singer ? "me" : $0.name }.joined(separator: " ")
            #expect((singer.group as? T.Choir)?.title == "of \(singer.name)")
        }
        let context = test.stack.newContext(name: "main")
        let singers = try T.Singer.find(in: context)
        #expect(singers.map(\.greeting) == ["me Bob Carl", "Ann me Carl", "Ann Bob me"])
        let counts = test.journal.takeCounts()
        #expect(counts.count == 6 && counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        #expect(!context.hasChanges)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `awakeFromFetch can create, find, delete and refresh objects`(
        _ kind: HookTwinKind
    ) throws {
        for location in [TestStack.Location.memory, .temporaryFile] {
            try work(kind.twin, location)
        }
    }

    private func work<T: HookTwin>(_ twin: T.Type, _ location: TestStack.Location) throws {
        let test = try T.makeTest(at: location)
        for name in ["Ann", "Bob", "Carl"] { try T.store(name, in: test) }
        test.journal.script("awakeFromFetch") { object in
            guard let singer = object as? T.Singer, let context = singer.managedObjectContext
            else { return }
            // So many objects that the stack has to lease keys.
            for _ in 0..<400 { try T.Choir.create(in: context) }
            #expect(try T.Choir.count(in: context) % 400 == 0)
            if singer.name == "Bob" { try singer.delete() }
            if singer.name == "Carl" { try context.refresh(singer, mergingChanges: false) }
        }
        let context = test.stack.newContext(name: "main")
        let singers = try T.Singer.find(in: context)
        #expect(singers.map(\.objectState) == [.persistent, .deleted, .persistent])
        #expect(singers[2].isFault)
        test.journal.script("awakeFromFetch", nil)
        #expect(
            try waitedSave(context) == .saved(.counting(inserted: 1_200, deleted: 1)))
        #expect(try T.Singer.count(in: test.stack.newContext()) == 2)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a fetch returns detached objects if awakeFromFetch resets the context`(
        _ kind: HookTwinKind
    ) throws {
        try reset(kind.twin)
    }

    private func reset<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        for name in ["Ann", "Bob"] { try T.store(name, in: test) }
        test.journal.script("awakeFromFetch") { $0.managedObjectContext?.reset() }
        let context = test.stack.newContext(name: "main")
        let singers = try T.Singer.find(in: context)
        #expect(singers.map(\.objectState) == [.detached, .detached])
        #expect(singers.map(\.name) == ["Ann", "Bob"])
        #expect(test.journal.take() == ["awakeFromFetch Ann@main"])
    }

    @Test(arguments: HookTwinKind.allCases)
    func `awakeFromFetch can release every reference that led to its object`(
        _ kind: HookTwinKind
    ) throws {
        try letGo(kind.twin)
    }

    private func letGo<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("a name that does not fit into a word", in: test)
        let context = test.stack.newContext()
        let id = try #require(try T.Singer.find(in: context).first).objectID
        let hand = Hand<T.Singer>()
        // The hook runs on the test's thread, while the test waits.
        nonisolated(unsafe) let shared = hand
        for _ in 0..<100 {
            context.reset()
            hand.singer = try context.object(id) as? T.Singer
            try context.refresh(#require(hand.singer), mergingChanges: false)
            hand.helper = Hand.Helper()
            test.journal.script("awakeFromFetch") { object in
                shared.singer = nil
                shared.helper = nil
                object.managedObjectContext?.reset()
            }
            #expect(hand.helper?.count(hand.singer?.name) == 43)
            #expect(hand.singer == nil && hand.helper == nil)
            test.journal.script("awakeFromFetch", nil)
        }
    }

    private final class Hand<Singer> {
        final class Helper {
            let text = "another"
            func count(_ name: String?) -> Int { text.utf8.count + (name?.utf8.count ?? 0) }
        }

        var singer: Singer?
        var helper: Helper?
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a transient value survives a merge, but not a refresh to a fault`(
        _ kind: HookTwinKind
    ) throws {
        try keepTransients(kind.twin)
    }

    private func keepTransients<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        test.journal.script("awakeFromFetch") { ($0 as? T.Singer)?.greeting = "awake" }
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        ann.greeting = "mine"
        // The second save is so large that the context compares versions instead of merging.
        for number in 1...2 {
            try test.seed { other in
                try T.singer("Ann", in: other)?.number = number
                for _ in 0..<(number == 2 ? 20_001 : 1) { try T.Choir.create(in: other) }
            }
            _ = test.journal.take()
            #expect(try T.Singer.find(in: context).first?.number == number)
            #expect(ann.greeting == "mine" && test.journal.take() == [])
        }
        context.refreshAllObjects()
        #expect(ann.greeting == "awake")
    }

    @Test(arguments: HookTwinKind.allCases)
    func `reading a fault without a row calls no hook`(_ kind: HookTwinKind) throws {
        try missRows(kind.twin)
    }

    private func missRows<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("Ann", in: test)
        let context = test.stack.newContext(name: "main")
        let ann = try #require(try T.singer("Ann", in: context))
        context.refreshAllObjects()
        try test.seed { try T.singer("Ann", in: $0)?.delete() }
        _ = test.journal.take()
        #expect(ann.number == 0 && ann.objectState == .detached)
        #expect(test.journal.take() == [])
        let error = #expect(throws: RecordStackError.self) { try T.Singer.count(in: context) }
        #expect(error?.code == .notFound)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `contexts on several threads call awakeFromFetch for each load`(
        _ kind: HookTwinKind
    ) async throws {
        try await readInParallel(kind.twin)
    }

    /// Reads in contexts on several threads, with faults, fetches, and so many objects that the
    /// contexts release the unused ones.
    private func readInParallel<T: HookTwin>(_ twin: T.Type) async throws {
        let test = try T.makeTest(at: .temporaryFile)
        try test.seed { context in
            let choirs = try (0..<20).map { number in
                let choir = try T.Choir.create(in: context)
                choir.title = "\(number)"
                return choir
            }
            for number in 0..<3_000 {
                let singer = try T.Singer.create(in: context)
                (singer.number, singer.group) = (number, choirs[number % 20])
            }
        }
        test.journal.script("awakeFromFetch") { object in
            guard let singer = object as? T.Singer else { return }
            #expect(singer.greeting == "-")
            singer.greeting = "\((singer.group as? T.Choir)?.title ?? "") \(singer.number)"
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reader in 0..<4 {
                group.addTask {
                    try await test.stack.read { context in
                        context.name = "reader \(reader)"
                        try Self.walk(context, T.self)
                    }
                }
            }
            try await group.waitForAll()
        }
        let counts = test.journal.takeCounts().filter { $0.key.hasPrefix("awakeFromFetch") }
        // Released objects awake again when they are read again.
        #expect(counts.values.reduce(0, +) >= 4 * 3_020)
    }

    private static func walk<T: HookTwin>(_ context: ManagedObjectContext, _ twin: T.Type) throws {
        for round in 0..<3 {
            for page in 1...6 {
                let singers = try T.Singer.page(page, size: 500, in: context).items
                for singer in singers {
                    let title = (singer.group as? T.Choir)?.title
                    #expect(title == "\(singer.number % 20)")
                    #expect(singer.greeting == "\(singer.number % 20) \(singer.number)")
                }
                if round == 1 {
                    context.refreshAllObjects()
                    for singer in singers.prefix(100) { #expect(singer.greeting != "-") }
                }
            }
        }
    }
}

/// A subentity that has the hook, and its superentity, which does not.
@Suite("Hooks that only a subentity has") struct HalfAwakeTests {
    @Test func `an inherited property is readable before a subentity's awakeFromFetch`() throws {
        let test = try TestStack(for: Tram.self, Depot.self)
        try test.seed { context in
            let tram = try Tram.create(in: context)
            (tram.line, tram.cars, tram.depot) = ("1", 3, try Depot.create(in: context))
        }
        let context = test.stack.newContext()
        // A fetch ends when all objects are awake.
        let tram = try #require(try RailVehicle.find(in: context).first as? Tram)
        #expect(tram.calls == 1 && tram.label == "1 with 3")
        context.refreshAllObjects()
        #expect(tram.line == "1" && tram.calls == 1)
        #expect(tram.cars == 3 && tram.calls == 2 && tram.label == "1 with 3")
        context.refreshAllObjects()
        // The next operation calls the hook at the latest.
        #expect(tram.line == "1" && tram.calls == 2)
        #expect(try Depot.count(in: context) == 1)
        #expect(tram.calls == 3 && !context.hasChanges)
        // Only the hook may overwrite a value that is set before it.
        context.refreshAllObjects()
        tram.line = "2"
        #expect(tram.label == "2 with 3" && tram.changedValues() == ["line": .text("2")])
    }

    @Test func `a find returns even if awakeFromFetch recurses endlessly into children`() throws {
        let test = try TestStack(for: Reverberation.self)
        try test.seed { _ = try Reverberation.create(in: $0, name: "a") }
        #expect(try Reverberation.findFirst(in: test.stack.newContext())?.name == "a")
    }

    @Test func `casting a related object with as? calls no awakeFromFetch`() throws {
        let test = try TestStack(for: Tram.self, Depot.self)
        try test.seed { context in
            let depot = try Depot.create(in: context)
            let tram = try Tram.create(in: context)
            (tram.line, tram.depot, depot.first) = ("1", depot, tram)
        }
        let context = test.stack.newContext()
        let depot = try #require(try Depot.find(in: context).first)
        let tram = try #require(depot.first as? Tram)
        #expect(tram.calls == 0 && tram.line == "1" && tram.calls == 0)
        #expect(tram.label == "1 with 1" && tram.calls == 1)
    }
}

/// An entity that reads itself in a child context when it awakes, so another object awakes there.
@Entity final class Reverberation: ManagedObject {
    @Attribute var name: String

    override func awakeFromFetch() {
        guard let child = managedObjectContext?.newChild() else { return }
        _ = try? self.in(child).name
    }
}

@Entity class RailVehicle: ManagedObject {
    @Attribute var line: String = ""
    @Relationship(inverse: \Depot.vehicles) var depot: Depot?
}

@Entity final class Tram: RailVehicle {
    @Attribute var cars: Int = 1
    @Attribute(.transient) var label: String = ""
    private lazy var callCount = 0
    var calls: Int { callCount }

    override func awakeFromFetch() {
        callCount += 1
        label = "\(line) with \(cars)"
    }
}

@Entity final class Depot: ManagedObject {
    @Relationship var vehicles: ToMany<RailVehicle>
    @Relationship var first: RailVehicle?
}
