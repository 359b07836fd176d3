import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// A request tells how it is answered.
@Suite struct ExplainTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self, Team.self)
        context = test.stack.newContext()
    }

    @Test func `the SQL, the values and the index are told`() throws {
        let explanation = try context.explain(
            Person.where { $0.email == "b" && $0.age > 3 }.limited(to: 5))
        #expect(explanation.sql.contains(#"t0."email" = ?"#))
        #expect(explanation.bindings == [.text("b"), .integer(3), .integer(5)])
        #expect(explanation.indexes.count == 1)
        #expect(explanation.plan.contains { $0.hasPrefix("SEARCH t0 USING INDEX") })
        #expect("\(explanation)".contains("\n?1 = \"b\"\n?2 = 3\n"))
        #expect(explanation.pendingObjects == 0)
    }

    @Test func `there is a value for each question mark`() throws {
        for request in [
            Person.where { $0.name.hasPrefix("An") && $0.age > 3 },
            Person.where { $0.name.like("An*") || $0.name.isIn(["a", "b", "c"]) },
            Person.where { $0.name.contains("n", .caseInsensitive) && $0.age.isIn([1, 2, nil]) },
            Person.where { $0.team.members.where { $0.age > 2 }.sum { $0.age } > 5 }.offset(by: 2),
        ] {
            let explanation = try context.explain(request)
            let marks = explanation.sql.count { $0 == "?" }
            #expect(explanation.bindings.count == marks, "\(explanation)")
        }
    }

    @Test func `a request without an index says so`() throws {
        let explanation = try context.explain(
            Person.where { $0.name.contains("x") }.sorted(by: .ascending(\.name)))
        #expect(explanation.indexes.isEmpty)
        #expect(explanation.plan.contains { $0.hasPrefix("SCAN t0") })
        #expect(explanation.plan.contains { $0.contains("TEMP B-TREE") })
    }

    @Test func `steps within others are indented`() throws {
        let explanation = try context.explain(Team.where { $0.members.count > 2 })
        #expect(explanation.plan.contains { $0.hasPrefix("  SEARCH") || $0.hasPrefix("  SCAN") })
    }

    @Test func `what is judged in memory is told`() throws {
        let ann = try Person.create(in: context, email: "ann", age: 3)
        try context.saveAndWait()
        ann.age = 4
        try Person.create(in: context, email: "ben")
        let explanation = try context.explain(Person.where { $0.age > 3 })
        #expect(explanation.pendingObjects == 2)
        #expect("\(explanation)".hasSuffix("2 changed in memory, and judged there"))
    }

    @Test func `a wrong request is refused as by find`() {
        #expect(throws: RecordStackError.self) { try context.explain(Person.all.limited(to: -1)) }
    }
}
