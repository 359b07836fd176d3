import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Requests that explain how they run.
@Suite("Explanations of requests") struct ExplainTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self, Team.self)
        context = test.stack.newContext()
    }

    @Test func `a request's explanation shows the SQL, the values and the index`() throws {
        let explanation = try context.explain(
            Person.where { $0.email == "b" && $0.age > 3 }.limited(to: 5))
        #expect(explanation.sql.contains(#"t0."email" = ?"#))
        #expect(explanation.bindings == [.text("b"), .integer(3), .integer(5)])
        #expect(explanation.indexes.count == 1)
        #expect(explanation.plan.contains { $0.hasPrefix("SEARCH t0 USING INDEX") })
        #expect("\(explanation)".contains("\n?1 = \"b\"\n?2 = 3\n"))
        #expect(explanation.pendingObjects == 0)
    }

    @Test func `a request's explanation has a value for each question mark in its SQL`() throws {
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

    @Test func `an explanation shows that a request uses no index`() throws {
        let explanation = try context.explain(
            Person.where { $0.name.contains("x") }.sorted(by: .ascending(\.name)))
        #expect(explanation.indexes.isEmpty)
        #expect(explanation.plan.contains { $0.hasPrefix("SCAN t0") })
        #expect(explanation.plan.contains { $0.contains("TEMP B-TREE") })
    }

    @Test func `a prefix filter uses the index, even beside unsaved objects`() throws {
        try Person.create(in: context, email: "ann")
        for _ in 0..<2 {
            let explanation = try context.explain(Person.where { $0.email.hasPrefix("an") })
            #expect(explanation.indexes.count == 1, "\(explanation)")
            #expect(explanation.plan.contains { $0.hasPrefix("SEARCH t0 USING INDEX") })
            try context.saveAndWait()
        }
    }

    @Test func `an explained page by key shows its statements, without OFFSET`() throws {
        for name in ["a", "b", "c", "d"] { try Person.create(in: context, email: name) }
        try context.saveAndWait()
        let request = Person.all.sorted(by: .ascending(\.email))
        let first = try context.page(after: nil, size: 2, of: request)
        let start = try context.explain(pageAfter: nil, size: 2, of: request)
        #expect(start.count == 1 && start[0].bindings == [.integer(3)])
        let steps = try context.explain(pageAfter: first.next, size: 2, of: request)
        #expect(steps.contains { $0.bindings.contains(.text("b")) })
        let back = try context.explain(pageBefore: first.next, size: 2, of: request)
        #expect(back.allSatisfy { $0.sql.contains("DESC") })
        for step in steps + back {
            #expect(!step.sql.contains("OFFSET") && !step.indexes.isEmpty, "\(step)")
        }
        #expect(throws: RecordStackError.self) {
            _ = try context.explain(pageAfter: nil, size: 0, of: request)
        }
    }

    @Test func `a request's explanation indents nested steps of the query plan`() throws {
        let explanation = try context.explain(Team.where { $0.members.count > 2 })
        #expect(explanation.plan.contains { $0.hasPrefix("  SEARCH") || $0.hasPrefix("  SCAN") })
    }

    @Test func `a request's explanation counts unsaved objects evaluated in memory`() throws {
        let ann = try Person.create(in: context, email: "ann", age: 3)
        try context.saveAndWait()
        ann.age = 4
        try Person.create(in: context, email: "ben")
        let explanation = try context.explain(Person.where { $0.age > 3 })
        #expect(explanation.pendingObjects == 2)
        #expect(
            "\(explanation)".hasSuffix(
                "2 unsaved: one by one, 2 evaluated; their rows are declined"))
    }

    /// The explained SQL must be the SQL that runs, to the letter.
    @Test func `explanations of aggregates, values and groups show the SQL that runs`() throws {
        let request = Person.where { $0.email == "a" && $0.age > 3 }
        let explained = try [
            context.explain(sumOf: \.age, for: request),
            context.explain(averageOf: { $0.age * 2 }, for: request),
            context.explain(minOf: \.email, for: request),
            context.explain(maxOf: \.age, for: request),
            context.explain(countDistinct: \.team.title, for: request),
            context.explain(valuesOf: \.name, for: request.limited(to: 3)),
            context.explain(rowsOf: { ($0.name, $0.age + 1) }, for: request),
            context.explain(
                groupsBy: { ($0.name, $0.age + 7) }, of: request, having: { $0.count > 2 },
                sortedBy: .descending { $0.max { $0.email } }
            ) { people, name, _ in (name, people.sum { $0.age }) },
            context.explain(sumOf: \.age, for: request.limited(to: 3)),
            context.explain(countOf: request),
            context.explain(countOf: request.limited(to: 3)),
        ]
        let statements = try test.recorder.statements {
            _ = try context.sum(of: \.age, for: request)
            _ = try context.average(of: { $0.age * 2 }, for: request)
            _ = try context.min(of: \.email, for: request)
            _ = try context.max(of: \.age, for: request)
            _ = try context.count(distinct: \.team.title, for: request)
            _ = try context.values(of: \.name, for: request.limited(to: 3))
            _ = try context.rows(of: { ($0.name, $0.age + 1) }, for: request)
            _ = try context.groups(
                by: { ($0.name, $0.age + 7) }, of: request, having: { $0.count > 2 },
                sortedBy: .descending { $0.max { $0.email } }
            ) { people, name, _ in (name, people.sum { $0.age }) }
            _ = try context.sum(of: \.age, for: request.limited(to: 3))
            _ = try context.count(request)
            _ = try context.count(request.limited(to: 3))
        }
        #expect(statements == explained.map(\.sql))
        for explanation in explained {
            #expect(explanation.bindings.count == explanation.sql.count { $0 == "?" })
            #expect(
                explanation.plan.contains { $0.contains("SEARCH t0 USING INDEX") },
                "\(explanation)")
            #expect(explanation.indexes.count == 1 && explanation.pendingObjects == 0)
        }
        #expect(explained[1].bindings == [.integer(2), .text("a"), .integer(3)])
        #expect(explained[2].sql.hasPrefix(#"SELECT min(t0."email") FROM "Person""#))
    }

    @Test func `with unsaved changes, explanations show the statements that run`() throws {
        let team = try Team.create(in: context, title: "a")
        let people = try (0..<40).map { number in
            let person = try Person.create(in: context, email: "p\(number)", age: number % 4)
            person.team = team
            return person
        }
        try context.saveAndWait()
        for person in people.prefix(6) { person.age = 5 }
        team.title = "b"
        let all = Person.where { $0.age >= 1 }
        let grown = Person.where { $0.age == 1 }
        for request in [
            all, grown, all.limited(to: 1), all.limited(to: 3), grown.limited(to: 60),
            all.sorted(by: .descending(\.email)).limited(to: 60),
            all.limited(to: 3).offset(by: 2),
            all.offset(by: 30),
            grown.limited(to: 60).offset(by: 1),
            Person.where { $0.team.title == "b" },
            Person.where { $0.team.title == "b" && $0.age > 1 },
        ] {
            // The first request builds indexes, which runs no statement.
            let found = try context.explain(request)
            let statements = try test.recorder.statements { _ = try context.find(request) }
            #expect(
                Set(statements.filter { $0.hasPrefix("SELECT") })
                    .isSuperset(of: [found.sql] + (found.pending?.furtherSQL ?? [])))
            let counted = try context.explain(countOf: request)
            let counting = try test.recorder.statements { _ = try context.count(request) }
            #expect(
                Set(counting).isSuperset(of: [counted.sql] + (counted.pending?.furtherSQL ?? [])))
        }
        #expect(try context.explain(all.limited(to: 0)).pending?.objects == 6)
    }

    @Test func `explaining an aggregate shows SQL that skips rows of unsaved objects`() throws {
        let ann = try Person.create(in: context, email: "ann", age: 3)
        try Person.create(in: context, email: "ben", age: 4)
        try context.saveAndWait()
        ann.age = 4
        for explanation in [
            try context.explain(sumOf: \.age, for: Person.all),
            try context.explain(valuesOf: \.age, for: Person.all),
            try context.explain(groupsBy: \.age, of: Person.all) { people, _ in people.count },
        ] {
            #expect(explanation.pendingObjects == 1)
            #expect(explanation.sql.contains(#"RECORDSTACK_KEPT(?,t0."_key")"#))
        }
        #expect(try context.sum(of: \.age, for: Person.all) == 8)
    }

    @Test func `explain throws for a negative limit or a property that is not stored`() {
        #expect(throws: RecordStackError.self) {
            try context.explain(sumOf: \.age, for: Person.all.limited(to: -1))
        }
        #expect(throws: RecordStackError.self) {
            try context.explain(valuesOf: \.isFault, for: Person.all)
        }
    }

    @Test func `explaining an invalid request throws as find does`() {
        #expect(throws: RecordStackError.self) { try context.explain(Person.all.limited(to: -1)) }
    }
}
