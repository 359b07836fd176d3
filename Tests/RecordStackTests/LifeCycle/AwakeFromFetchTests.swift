import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// What `awakeFromFetch()` may do, and that nobody sees an object before it.
@Suite struct AwakeFromFetchTests {
    @Test(arguments: HookTwinKind.allCases)
    func `setting the object's own attributes is no change`(_ kind: HookTwinKind) throws {
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
        // A change begins with what the hook has set.
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
    func `relationships and other objects change as always`(_ kind: HookTwinKind) throws {
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
    func `an object that a relationship leads to awakes before anybody reads or writes it`(
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
        // The keys of the members are no values of the object's own, so it sleeps on.
        #expect(choir.singers.map(\.objectID) == [ann.objectID])
        #expect(test.journal.take() == ["awakeFromFetch Ann@main"] && choir.isFault)
    }

    @Test(arguments: HookTwinKind.allCases)
    func `a singer of several classes awakes where a relationship finds out which`(
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
    func `a hook that reads its neighbours finds them awake`(_ kind: HookTwinKind) throws {
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
            // The one that is asking is under way; of the rest, nobody is asleep.
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
    func `a hook may make, find and delete objects, in memory as well`(
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
            // So many that keys have to be leased.
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
    func `a hook may reset its context, and the fetch gives detached objects`(
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
    func `a hook may let go of all that the reader came through`(_ kind: HookTwinKind) throws {
        try letGo(kind.twin)
    }

    private func letGo<T: HookTwin>(_ twin: T.Type) throws {
        let test = try T.makeTest()
        try T.store("a name that does not fit into a word", in: test)
        let context = test.stack.newContext()
        let id = try #require(try T.Singer.find(in: context).first).objectID
        let hand = Hand<T.Singer>()
        // The hook runs where the test does, while the test waits.
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
    func `what a program keeps in an object survives a newer row, and no longer a fault`(
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
        // So much is saved that the context looks at versions instead of merging.
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
    func `a value that cannot be loaded calls no hook`(_ kind: HookTwinKind) throws {
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
    func `each object awakes once in each context, whoever reads and lets go beside`(
        _ kind: HookTwinKind
    ) async throws {
        try await readInParallel(kind.twin)
    }

    /// Contexts on threads of their own, each with faults, fetches, and so many objects that those which
    /// nobody holds are let go of.
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
        // Those that were let go of came anew, and none twice without.
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

/// A superentity without the hook that its subentity has.
@Suite struct HalfAwakeTests {
    @Test func `properties of a superentity without the hook may be read before it`() throws {
        let test = try TestStack(for: Tram.self, Depot.self)
        try test.seed { context in
            let tram = try Tram.create(in: context)
            (tram.line, tram.cars, tram.depot) = ("1", 3, try Depot.create(in: context))
        }
        let context = test.stack.newContext()
        // A fetch is over when all are awake.
        let tram = try #require(try RailVehicle.find(in: context).first as? Tram)
        #expect(tram.calls == 1 && tram.label == "1 with 3")
        context.refreshAllObjects()
        #expect(tram.line == "1" && tram.calls == 1)
        #expect(tram.cars == 3 && tram.calls == 2 && tram.label == "1 with 3")
        context.refreshAllObjects()
        // The next operation wakes it at the latest.
        #expect(tram.line == "1" && tram.calls == 2)
        #expect(try Depot.count(in: context) == 1)
        #expect(tram.calls == 3 && !context.hasChanges)
        // What is set before is overwritten by nobody but the hook.
        context.refreshAllObjects()
        tram.line = "2"
        #expect(tram.label == "2 with 3" && tram.changedValues() == ["line": .text("2")])
    }

    @Test func `a hook that reads its object in a child without end comes to an end`() throws {
        let test = try TestStack(for: Reverberation.self)
        try test.seed { _ = try Reverberation.create(in: $0, name: "a") }
        #expect(try Reverberation.findFirst(in: test.stack.newContext())?.name == "a")
    }

    @Test func `a relationship to several classes finds the class, and wakes nobody`() throws {
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

/// Reads itself in a child of its context when it awakes, which makes another one awake there.
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
