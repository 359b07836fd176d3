import Dispatch
import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The threads on which the SQL of saves and merges runs.
@MainActor
@Suite("Statements and threads") struct StatementThreadTests {
    private let log = StatementThreads()
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile, options: log.options())
        context = test.stack.defaultContext
    }

    @Test func `the test log tells which statements ran on the main thread`() async throws {
        #expect(MainQueue.isCurrent)
        let ran = try await log.during { _ = try Person.count(in: context) }
        #expect(ran.count > 0 && ran.onMain.contains { $0.hasPrefix("SELECT") })
        // The writer has its own queue, but a save that the main actor waits for runs on its
        // thread.
        try Person.create(in: context, email: "waited for")
        let waited = try await log.during { _ = try waitedSave(context) }
        #expect(waited.onMain.contains { $0.hasPrefix("INSERT") })
    }

    @Test func `an awaited save runs no statement on the main thread`() async throws {
        let team = try Team.create(in: context, title: "A")
        let people = try (0..<200).map { try Person.create(in: context, email: "p\($0)") }
        try await check("creating") { _ = try await context.save() }
        for person in people { (person.name, person.team) = ("changed", team) }
        try await check("changing") { _ = try await context.save(.durable) }
        let child = context.newChild()
        try people[0].in(child).delete()
        try people[1].delete()
        try await check("deleting, in a child") { _ = try await child.save() }
        let nothing = try await log.during { _ = try await context.save() }
        #expect(nothing.onMain.isEmpty)
        let id = people[2].objectID
        people[2].name = "mine"
        try await check("a conflict") {
            try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "theirs" }
            await #expect(throws: RecordStackError.self) { try await context.save() }
            try await context.save(mergePolicy: .objectTrump)
        }
        #expect(
            try Person.findFirst(by: \.email, "p2", in: test.stack.newContext())?.name == "mine")
    }

    private func check(
        _ name: Comment, _ save: @MainActor () async throws -> Void
    ) async throws {
        let ran = try await log.during(save)
        #expect(ran.count > 0, name)
        #expect(ran.onMain == [], name)
    }

    /// Saves more than the commit log keeps for a context that does not merge.
    private func saveTooMuch(_ name: String, _ id: ManagedObjectID) async throws {
        for round in 0..<3 {
            try await test.stack.saveWithBlock { context in
                if round == 0 { try Person.existing(id, in: context).name = "theirs" }
                for number in 0..<10_000 {
                    try Person.create(in: context, email: "\(name) \(round) \(number)")
                }
            }
        }
    }

    @Test
    func `merging after a truncated commit log runs no SQL on the main thread`() async throws {
        let ann = try Person.create(in: context, email: "ann")
        try await context.save()
        context.suspendMerging()
        try await saveTooMuch("a", ann.objectID)
        ann.age = 7
        try await check("a save") { _ = try await context.save() }
        #expect(ann.name == "theirs")
        ann.name = "mine"
        try await context.save()
        try await saveTooMuch("b", ann.objectID)
        try await check("following") {
            context.resumeMerging()
            while ann.name == "mine" { await Task.yield() }
        }
        ann.name = "mine"
        try await context.save()
        try await check("a body's end") {
            try await context.withMergingSuspended { try await saveTooMuch("c", ann.objectID) }
            #expect(ann.name == "theirs")
        }
    }

    @Test
    func `repairing references to a deleted row runs no SQL on the main thread`() async throws {
        let (ann, team) = (
            try Person.create(in: context, email: "ann"), try Team.create(in: context, title: "A")
        )
        let gone = try Team.create(in: context, title: "B")
        try await context.save()
        let (annID, teamID, goneID) = (ann.objectID, team.objectID, gone.objectID)
        try team.delete()
        ann.team = gone
        try await test.stack.saveWithBlock { context in
            try Person.create(in: context, email: "bob").team = Team.existing(teamID, in: context)
            try Person.existing(annID, in: context).age = 7
            try Team.existing(goneID, in: context).delete()
        }
        try await check("deleting") { _ = try await context.save() }
        #expect(ann.team == nil && ann.age == 7)
        #expect(try Team.count(in: context) == 0)
        let child = context.newChild()
        let below = try Person.existing(annID, in: child)
        (ann.name, below.age) = ("mine", 8)
        try await test.stack.saveWithBlock { try Person.existing(annID, in: $0).name = "theirs" }
        context.rollback()
        try await check("what showed through") { _ = try await child.save() }
        #expect(ann.name == "theirs" && ann.age == 8)
    }

    @Test func `repairing references to 300 deleted rows runs off the main thread`() async throws {
        let teams = try (0..<300).map { try Team.create(in: context, title: "\($0)") }
        try await context.save()
        let ids = teams.map(\.objectID)
        for team in teams { try team.delete() }
        try await test.stack.saveWithBlock { context in
            for (place, id) in ids.enumerated() {
                try Person.create(in: context, email: "\(place)").team = Team.existing(
                    id, in: context)
            }
        }
        try await check("deleting many") { _ = try await context.save() }
        #expect(try Team.count(in: context) == 0)
        #expect(try Person.find(in: context).allSatisfy { $0.team == nil })
    }

    @Test(arguments: [1, 2, 3])
    func `a save from a child opens no connection on the main thread`(depth: Int) async throws {
        var lowest = context
        for level in 1...depth {
            lowest = lowest.newChild()
            try Person.create(in: lowest, email: "\(level)")
        }
        try await check("the first save") { try await lowest.save() }
        try Person.create(in: lowest, email: "more")
        try await check("another one") { try await lowest.save() }
        #expect(try Person.count(in: context) == depth + 1)
    }

    /// Saves while the main actor waits and merges nothing.
    private func saveWaiting(_ block: sending (ManagedObjectContext) throws -> Void) throws {
        try test.stack.saveWithBlockAndWait(block)
    }

    /// Checks an operation that must first read something for a merge.
    private func checkOperation(
        _ name: Comment, in context: ManagedObjectContext, finds people: Int
    ) async throws {
        let ran = try await log.during {
            let found = try Person.count(in: context)
            #expect(found == people, name)
        }
        let statements = ran.onMain.filter { !$0.hasPrefix("PRAGMA") }
        #expect(statements.count > 1 && ran.count == ran.onMain.count, name)
        #expect(statements.last?.contains("SELECT count(*)") == true, name)
    }

    @Test func `an operation on the main thread runs its merge's SQL on that thread`() async throws
    {
        let people = try (0..<20).map { try Person.create(in: context, email: "p\($0)") }
        let team = try Team.create(in: context, title: "A")
        try await context.save()
        let (annID, teamID) = (people[0].objectID, team.objectID)

        context.suspendMerging()
        try await saveTooMuch("a", annID)
        context.resumeMerging()
        try await checkOperation("after too much", in: context, finds: 30_020)
        #expect(people[0].name == "theirs")

        // An edit here refers to an object that another context deletes.
        people[1].team = team
        try saveWaiting { try Team.existing(teamID, in: $0).delete() }
        #expect(try Person.count(in: context) == 30_020)
        #expect(people[1].team == nil)

        // An ancestor rolls back an edit that its child shows.
        let child = context.newChild()
        let below = try Person.existing(annID, in: child)
        (people[0].name, below.age) = ("mine", 8)
        #expect(try Person.count(in: child) == 30_020)
        context.rollback()
        try await checkOperation("what showed through", in: child, finds: 30_020)
        #expect(below.name != "mine" && below.age == 8)
    }

    @Test func `an operation on the main thread runs its repair's SQL on that thread`() async throws
    {
        let team = try Team.create(in: context, title: "A")
        try await context.save()
        let id = team.objectID
        try team.delete()
        try saveWaiting {
            try Person.create(in: $0, email: "bob").team = Team.existing(id, in: $0)
        }
        try await checkOperation("deleting", in: context, finds: 1)
        try await context.save()
        #expect(try Person.find(in: context).allSatisfy { $0.team == nil })
    }

    @Test func `checking a rule on the member count runs no SQL on the main thread`() async throws {
        let test = try TestStack(
            entities: [Crew2.self, Sailor.self, Port.self], at: .temporaryFile,
            options: log.options())
        let context = test.stack.defaultContext
        try await test.stack.saveWithBlock { context in
            for name in ["from", "to"] {
                let crew = try Crew2.create(in: context)
                crew.name = name
                for _ in 0..<2 { try Sailor.create(in: context).crew = crew }
                crew.ports.append(try Port.create(in: context))
            }
        }
        let to = try #require(try Crew2.findFirst(by: \.name, "to", in: context))
        let sailors = try Sailor.find(in: context) { $0.crew.name == "from" }
        sailors[0].crew = to
        try await check("moving one") { try await context.save() }
        sailors[1].crew = to
        let ran = try await log.during {
            let error = await #expect(throws: RecordStackError.self) { try await context.save() }
            #expect(error?.failures.map(\.property) == ["sailors", "sailors"])
        }
        #expect(ran.onMain.isEmpty)
        #expect(to.sailors.count == 4)
    }

    @Test func `a save block and its merge run no statement on the main thread`() async throws {
        let people = try (0..<200).map { try Person.create(in: context, email: "p\($0)") }
        try await context.save()
        let ran = try await log.during {
            try await test.stack.saveWithBlock { context in
                for person in try Person.find(in: context) { person.name = "changed" }
                try Person.create(in: context, email: "new").team = Team.create(
                    in: context, title: "A")
            }
            #expect(people.allSatisfy { $0.name == "changed" })
            try await withCheckedThrowingContinuation { continuation in
                test.stack.saveWithBlock {
                    try Person.findFirst(by: \.email, "p3", in: $0)?.delete()
                } completion: { result in
                    #expect(!MainQueue.isCurrent)
                    continuation.resume(with: result)
                }
            }
            while people[3].objectState != .detached { await Task.yield() }
        }
        #expect(ran.count > 0 && ran.onMain.isEmpty)
    }

    @Test
    func `save blocks, batch changes and imports run no SQL on the main thread`() async throws {
        let people = try (0..<20).map { try Person.create(in: context, email: "p\($0)") }
        try await context.save()
        try await check("a context's block") {
            try await context.saveWithBlock { context in
                // The block reads objects on the thread where it runs.
                try Person.create(in: context, email: "block's").name = "new"
            }
        }
        try await check("a batch of updates") {
            try await test.stack.update(
                Person.where {
                    $0.email != "p3"
                }
            ) { $0.name.set(to: "all") }
        }
        try await check("a batch of deletions") {
            try await test.stack.delete(Person.where { $0.email == "p4" })
        }
        try await check("an import") {
            let rows = Data(#"[{"email": "p5", "name": "imported"}, {"email": "new"}]"#.utf8)
            let report = try await test.stack.importJSON(rows, into: Person.self)
            #expect(report.inserted == 1 && report.updated == 1)
        }
        #expect(people[2].name == "all" && people[5].name == "imported")
        #expect(people[4].objectState == .detached)
    }
}
