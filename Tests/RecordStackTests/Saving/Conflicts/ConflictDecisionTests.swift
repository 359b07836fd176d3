import RecordStack
import RecordStackTesting
import Testing

/// Conflicts, which end by a decision, and never because two values are equal.
@Suite("Resolving conflicts")
struct ConflictDecisionTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let team: Tally

    init() throws {
        test = try TestStack(for: Tally.self)
        context = test.stack.newContext()
        try test.seed { try Tally.create(in: $0, name: "t") }
        team = try #require(try Tally.findFirst(in: context))
    }

    /// Counts the number up to 2 in another context, and merges that save here.
    private func countElsewhere() throws {
        try test.stack.saveWithBlockAndWait { context in
            try #require(try Tally.findFirst(in: context)).count = 2
        }
        _ = try Tally.count(in: context)
    }

    private func stored() throws -> Int? {
        try Tally.findFirst(in: test.stack.newContext())?.count
    }

    @Test func `an edit to the same value that another save wrote is a conflict`() throws {
        team.count = 1
        try countElsewhere()
        team.count += 1
        let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("resolveConflict(on:keeping:)") == true)
        #expect(try stored() == 2 && team.count == 2 && context.hasChanges)
    }

    @Test func `resolveConflict keeping theirs takes the value of the other save`() throws {
        team.count = 5
        try countElsewhere()
        try team.resolveConflict(on: \.count, keeping: .theirs)
        #expect(team.count == 2 && !team.hasChanges)
        #expect(try context.saveAndWait() == .noChanges)
    }

    @Test func `resolveConflict keeping ours overwrites the value of the other save`() throws {
        team.count = 5
        try countElsewhere()
        try team.resolveConflict(on: \.count, keeping: .ours)
        #expect(team.count == 5)
        #expect(try context.saveAndWait() == .saved(.updating(1)))
        #expect(try stored() == 5)
    }

    @Test func `resolveConflict keeping ours of two equal values leaves no changes`() throws {
        team.count = 2
        try countElsewhere()
        #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        try team.resolveConflict(on: \.count, keeping: .ours)
        #expect(team.count == 2 && !team.hasChanges)
        #expect(try context.saveAndWait() == .noChanges)
    }

    @Test func `resolveConflict with a new value replaces both conflicting values`() throws {
        team.count = 1
        try countElsewhere()
        try team.resolveConflict(on: \.count, keeping: .value(3))
        #expect(try context.saveAndWait() == .saved(.updating(1)))
        #expect(try stored() == 3)
    }

    @Test func `resolveConflict can resolve a conflict that only a save finds`() throws {
        team.count = 1
        try test.stack.saveWithBlockAndWait { context in
            try #require(try Tally.findFirst(in: context)).count = 2
        }
        #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        try team.resolveConflict(on: \.count, keeping: .value(3))
        #expect(try context.saveAndWait() == .saved(.updating(1)))
    }

    @Test func `resolveConflict of one property leaves the conflict of another`() throws {
        (team.count, team.name) = (1, "mine")
        try test.stack.saveWithBlockAndWait { context in
            let team = try #require(try Tally.findFirst(in: context))
            (team.count, team.name) = (2, "theirs")
        }
        try team.resolveConflict(on: \.count, keeping: .ours)
        let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(error?.conflicts.first?.properties.map(\.name) == ["name"])
        try team.resolveConflict(on: \.name, keeping: .theirs)
        #expect(team.name == "theirs")
        #expect(try context.saveAndWait() == .saved(.updating(1)))
    }

    @Test func `resolveConflict resolves a child's conflict with its parent`() throws {
        let child = context.newChild()
        let mine = try #require(try Tally.findFirst(in: child))
        mine.count = 1
        team.count = 1
        #expect(throws: RecordStackError.self) { try child.push() }
        try mine.resolveConflict(on: \.count, keeping: .value(2))
        #expect(try child.push() == .saved(.updating(1)))
        #expect(team.count == 2)
        mine.count = 7
        team.count = 3
        try mine.resolveConflict(on: \.count, keeping: .theirs)
        #expect(mine.count == 3)
        #expect(try child.push() == .noChanges)
    }

    @Test func `resolveConflict without a conflict keeps ours or undoes the edit`() throws {
        team.count = 4
        try team.resolveConflict(on: \.count, keeping: .ours)
        #expect(team.count == 4 && context.hasChanges)
        try team.resolveConflict(on: \.count, keeping: .theirs)
        #expect(team.count == 0 && !context.hasChanges)
    }

    @Test func `resolveConflict throws notFound if another save deleted the row`() throws {
        team.count = 1
        try test.stack.saveWithBlockAndWait { try Tally.deleteAll(in: $0) }
        let error = #expect(throws: RecordStackError.self) {
            try team.resolveConflict(on: \.count, keeping: .ours)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `a child's edit of a value that the parent rolled back is a conflict`() throws {
        try test.seed { try Tally.create(in: $0, name: "u") }
        let other = try #require(try Tally.findFirst(by: \.name, "u", in: context))
        (team.count, other.count) = (-40, 40)
        let child = context.newChild()
        let mine = try #require(try Tally.findFirst(by: \.name, "t", in: child))
        mine.count += 1
        context.rollback()
        let error = #expect(throws: RecordStackError.self) { try child.saveAndWait() }
        #expect(error?.code == .conflict && mine.count == -39)
        let sum = try Tally.find(in: test.stack.newContext()).reduce(0) { $0 + $1.count }
        #expect(sum == 0)
    }

    @Test func `a child's edit of a value that the parent saved is no conflict`() throws {
        team.count = 5
        let child = context.newChild()
        let mine = try #require(try Tally.findFirst(in: child))
        mine.count += 1
        try context.saveAndWait()
        #expect(try child.saveAndWait() == .saved(.updating(1)))
        #expect(try stored() == 6)
    }

    @Test func `a child's edit of a value that the parent sets back is no conflict`() throws {
        team.count = 5
        let child = context.newChild()
        let mine = try #require(try Tally.findFirst(in: child))
        mine.count += 1
        team.count = 7
        #expect(try Tally.count(in: child) == 1)
        team.count = 5
        #expect(try child.saveAndWait() == .saved(.updating(1)))
        #expect(try stored() == 6)
    }

    @Test func `a child's edit conflicts if the parent's is rolled back and made again`() throws {
        team.count = 5
        let child = context.newChild()
        let mine = try #require(try Tally.findFirst(in: child))
        mine.count += 1
        context.rollback()
        #expect(try Tally.count(in: child) == 1)
        team.count = 5
        let error = #expect(throws: RecordStackError.self) { try child.saveAndWait() }
        #expect(error?.code == .conflict && mine.count == 6)
        #expect(try stored() == 0)
    }
}

@Entity final class Tally: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var count: Int = 0
    @Attribute var other: Int = 0
}
