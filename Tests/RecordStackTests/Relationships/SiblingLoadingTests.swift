import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Objects that are loaded together, after a loop has read the first of them one by one.
@Suite("Loading siblings together") struct SiblingLoadingTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    /// Creates 1,000 people in 200 teams.
    init() throws {
        test = try TestStack(for: Person.self, Team.self) { context in
            let teams = try (0..<200).map { try Team.create(in: context, title: "t\($0)") }
            for number in 0..<1_000 {
                try Person.create(in: context, email: "p\(number)").team = teams[number % 200]
            }
        }
        context = test.stack.newContext()
    }

    private func expectFew(
        _ statements: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let reads = statements.filter { $0.hasPrefix("SELECT t0") }
        #expect(
            reads.count <= 20, "\(statements.joined(separator: "\n"))",
            sourceLocation: sourceLocation)
    }

    private func titles(_ people: [Person]) -> [String?] { people.map { $0.team?.title } }

    @Test func `a loop through a to-one relationship runs few statements`() throws {
        let people = try Person.find(in: context)
        let wanted = people.indices.map { "t\($0 % 200)" }
        let statements = test.recorder.statements { #expect(titles(people) == wanted) }
        expectFew(statements)
        #expect(titles(people) == wanted)
    }

    @Test func `a loop over faults runs few statements`() throws {
        let teams = try Team.find(in: context)
        context.refreshAllObjects()
        #expect(teams.allSatisfy { $0.isFault })
        let statements = test.recorder.statements {
            #expect(teams.map(\.title) == (0..<200).map { "t\($0)" })
        }
        expectFew(statements)
    }

    @Test func `reading a single object loads no other object`() throws {
        let people = try Person.find(in: context)
        #expect(people[7].team?.title == "t7")
        #expect(try context.registeredObjectCount == Person.count(in: context) + 1)
    }

    @Test func `related objects that a loop loads in a batch are released when unused`() throws {
        var people = try Person.find(in: context)
        let alone = context.registeredObjectCount
        for person in people.prefix(8) { _ = person.team?.title }
        #expect(context.registeredObjectCount > alone + 8)
        people = []
        for _ in 0..<200 where context.registeredObjectCount > 0 {
            usleep(1_000)
            _ = try Person.count(in: context)
        }
        #expect(context.registeredObjectCount == 0)
    }

    @Test func `a child's loop over related objects shows its parent's latest edits`() throws {
        let child = context.newChild()
        let people = try Person.find(in: child)
        let teams = try Team.find(sortedBy: .ascending(\.title), in: context)
        for team in teams { team.title += "!" }
        #expect(titles(people) == people.indices.map { "t\($0 % 200)!" })
        for team in teams.prefix(100) { try team.delete() }
        let left = try Person.find(in: child).filter { $0.team != nil }
        #expect(left.count == 500)
    }

    @Test func `a loop over faults reports a row that is gone and reads the others`() throws {
        let teams = try Team.find(in: context)
        context.refreshAllObjects()
        let other = test.stack.newContext()
        _ = teams[0].title
        _ = teams[1].title
        let gone = try #require(teams.indices.last { teams[$0].isFault })
        try Team.delete(in: other) { $0.title == "t\(gone)" }
        try other.saveAndWait()
        for index in teams.indices where index != gone {
            #expect(teams[index].title == "t\(index)")
        }
        #expect(teams[gone].title == "t\(gone)", "what it was, because it was loaded before")
        #expect(teams[gone].objectState == .detached)
        let error = #expect(throws: RecordStackError.self) { try Team.count(in: context) }
        #expect(error?.code == .notFound && error?.objectID == teams[gone].objectID)
    }
}
