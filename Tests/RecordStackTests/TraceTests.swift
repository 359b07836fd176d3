import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// The statements and events of a store, one by one.
@Suite("Traced statements") struct TraceTests {
    /// Runs a bit of everything, with values that are easy to recognize.
    private func run(_ test: TestStack) async throws {
        for round in 0..<30 {
            try await test.stack.saveWithBlock { context in
                let team = try Team.create(in: context, title: "needle-title-\(round)")
                for index in 0..<40 {
                    try Person.create(
                        in: context, email: "needle-\(round)-\(index)", name: "needle' \"name",
                        age: 987_654_321, team: team)
                }
            }
        }
        let context = test.stack.newContext()
        let found = try Person.find(sortedBy: .descending(\.name), in: context) {
            $0.email.hasPrefix("needle-1") && $0.team.title != "needle-title-3"
        }
        for person in found.prefix(50) { person.name = "needle changed" }
        _ = try Person.page(2, size: 7, in: context) { $0.name.contains("needle c") }
        _ = try Person.exists(in: context) { $0.age == 987_654_321 }
        _ = try Person.findFirst(by: \.email, "needle-2-2", in: context)?.team?.members.count
        try await context.save()
        try Person.delete(in: context) { $0.email.hasPrefix("needle-2") }
        try await context.save()
    }

    @Test func `values never appear in the text of SQL`() async throws {
        for location in [TestStack.Location.memory, .temporaryFile] {
            let test = try TestStack(for: Person.self, at: location)
            try await run(test)
            let statements = test.recorder.statements
            #expect(statements.count > 100)
            for sql in statements {
                #expect(!sql.contains("needle") && !sql.contains("987654321"), "\(sql)")
            }
        }
    }

    @Test func `only the writing connection runs checkpoints`() async throws {
        var options = StoreOptions()
        options.checkpointPages = 20
        let test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile, options: options)
        try await run(test)
        try test.stack.close()
        let events = test.recorder.events
        var opened: Set<Int> = []
        var told: Set<Int> = []
        var checkpoints: [String] = []
        for event in events {
            switch event {
            case .opened(let connection): opened.insert(connection)
            case .statement(let connection, "PRAGMA wal_autocheckpoint=0"): told.insert(connection)
            case .checkpoint(let connection, let mode):
                #expect(connection == 1)
                checkpoints.append(mode)
            default: break
            }
        }
        #expect(opened.count > 1 && opened == told)
        #expect(checkpoints.count > 2 && checkpoints.last == "TRUNCATE")
        // A WAL that has become long meanwhile is truncated.
        #expect(Set(checkpoints).isSubset(of: ["RESTART", "TRUNCATE"]))
        #expect(!test.recorder.statements.contains { $0.contains("wal_checkpoint") })
    }

    @Test func `each operation ends its read transaction before it returns its reader`()
        async throws
    {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        try await run(test)
        let returns = test.recorder.events.compactMap {
            if case .returned(_, let isIdle) = $0 { isIdle } else { nil }
        }
        #expect(returns.count > 5 && returns.allSatisfy { $0 })
    }

    @Test func `a count, a find and a first read of members run one statement each`() async throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        try await run(test)
        let context = test.stack.newContext()
        func statements(_ body: () throws -> Void) rethrows -> Int {
            try test.recorder.statements(during: body).count
        }
        // The first statement opens and sets up a connection.
        _ = try Person.count(in: context)
        #expect(try statements { _ = try Person.count(in: context) } == 1)
        #expect(try statements { _ = try Person.find(limit: 3, in: context) } == 1)
        #expect(
            try statements { _ = try Person.findFirst(by: \.email, "needle-1-1", in: context) } == 1
        )
        let person = try #require(try Person.findFirst(by: \.email, "needle-1-1", in: context))
        #expect(statements { _ = person.team?.title } == 1)
        #expect(statements { _ = person.team?.members.countWithoutLoading } == 1)
        #expect(statements { _ = person.team?.members.count } == 1)
        #expect(statements { _ = person.team?.members.objectIDs } == 0)
        #expect(statements { _ = person.team?.members.countWithoutLoading } == 0)
        #expect(statements { _ = person.team?.members.map(\.name) } == 1)
        person.name = "x"
        #expect(try statements { _ = try waitedSave(context) } == 4, "begin, update, token, commit")
    }
}
