import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Reads that follow each other at once, in a block or in a loop, share a read transaction while nobody commits.
@Suite("Reads in bursts") struct ReadBurstTests {
    private func people() async throws -> TestStack {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        try await test.stack.saveWithBlock { context in
            for index in 0..<10 { try Person.create(in: context, email: "\(index)") }
        }
        // The writer may lease keys after the save.
        test.stack.coordinator.waitForCheckpoint()
        return test
    }

    private func returns(of test: TestStack, since start: Int) -> [Bool] {
        test.recorder.events.dropFirst(start).compactMap {
            if case .returned(_, let isIdle) = $0 { isIdle } else { nil }
        }
    }

    @Test func `a save block reads in one transaction`() async throws {
        let test = try await people()
        let start = test.recorder.events.count
        try await test.stack.saveWithBlock { context in
            for index in 0..<10 {
                let person = try Person.findFirst(by: \.email, "\(index)", in: context)
                let count = try Person.count(in: context) { $0.name == "" }
                #expect(person != nil && count == 10)
            }
        }
        let statements = test.recorder.events.dropFirst(start).filter {
            if case .statement(_, let sql) = $0 { sql.hasPrefix("SELECT") } else { false }
        }
        #expect(statements.count == 20)
        // The first read is alone: it may be the only one.
        #expect(returns(of: test, since: start).prefix(4) == [true, false, false, false])
    }

    /// Whether no transaction reads from the log at this moment: SQLite does not truncate the log while a reader uses it.
    private func isLogFree(_ test: TestStack) throws -> Bool {
        let program = try ForeignProgram(path: try #require(test.path))
        try program.run("PRAGMA busy_timeout=0")
        return try program.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "0"
    }

    @Test(arguments: ["saveWithBlock", "read", "perform"])
    func `nothing stands when a block has ended`(door: String) async throws {
        let test = try await people()
        let body: @Sendable (ManagedObjectContext) throws -> Void = { context in
            for _ in 0..<5 { _ = try Person.find(in: context) }
        }
        switch door {
        case "read": try await test.stack.read(body)
        case "perform": try await test.stack.newPrivateQueueContext().perform(body)
        default: try await test.stack.saveWithBlock(body)
        }
        #expect(try isLogFree(test))
    }

    @Test func `nothing stands when only a child has read in a block`() async throws {
        let test = try await people()
        try await test.stack.saveWithBlock { context in
            let child = context.newChild()
            for _ in 0..<5 { _ = try Person.find(in: child) }
        }
        #expect(try isLogFree(test))
    }

    @Test func `the first read of each block has a transaction of its own`() async throws {
        let test = try await people()
        let context = test.stack.newPrivateQueueContext()
        for _ in 0..<3 {
            let start = test.recorder.events.count
            try await context.perform { _ = try Person.find(in: $0) }
            #expect(returns(of: test, since: start).allSatisfy { $0 })
        }
    }

    @Test func `a few reads outside of blocks have transactions of their own`() async throws {
        let test = try await people()
        let context = test.stack.newContext()
        let start = test.recorder.events.count
        for _ in 0..<5 { _ = try Person.find(in: context) }
        #expect(returns(of: test, since: start).allSatisfy { $0 })
    }

    @Test func `a loop outside of blocks reads in a transaction that ends by itself`() async throws
    {
        let test = try await people()
        let context = test.stack.newContext()
        let start = test.recorder.events.count
        // Some of them follow each other at once, even if the loop is held up now and then.
        for _ in 0..<2_000 { _ = try Person.findFirst(by: \.email, "3", in: context) }
        #expect(returns(of: test, since: start).contains(false))
        var isFree = false
        for _ in 0..<1_000 where !isFree {
            isFree = try isLogFree(test)
            if !isFree { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(isFree)
        #expect(try Person.find(in: context).count == 10)
    }

    @Test func `each read of a loop outside of blocks shows what was committed`() async throws {
        let test = try await people()
        let program = try ForeignProgram(path: try #require(test.path))
        let context = test.stack.newContext()
        for round in 1...20 {
            for _ in 0..<20 { _ = try Person.count(in: context) { $0.name == "" } }
            try program.run(
                "UPDATE Person SET name = 'round \(round)', _version = _version + 1 WHERE email = '3'"
            )
            #expect(try Person.findFirst(by: \.email, "3", in: context)?.name == "round \(round)")
        }
    }

    @Test(arguments: ["stack", "program", "block"])
    func `each read shows what was committed before it`(by writer: String) async throws {
        let test = try await people()
        let path = try #require(test.path)
        let other = try ContextStack(for: Person.self, at: .file(path))
        defer { try? other.close() }
        let program = try ForeignProgram(path: path)
        try await test.stack.saveWithBlock { context in
            for round in 1...20 {
                let name = "round \(round)"
                switch writer {
                case "stack":
                    try other.saveWithBlockAndWait { context in
                        try Person.findFirst(by: \.email, "3", in: context)?.name = name
                    }
                case "program":
                    try program.run(
                        """
                        UPDATE Person SET name = '\(name)', _version = _version + 1
                        WHERE email = '3'
                        """)
                default:
                    let person = try Person.findFirst(by: \.email, "4", in: context)
                    person?.name = name
                    try context.saveAndWait()
                }
                let email = writer == "block" ? "4" : "3"
                let count = try Person.count(in: context) { $0.name == name }
                #expect(count == 1)
                let names = try Person.values(of: \.name, in: context) { $0.email == email }
                #expect(names == [name])
                let found = try Person.findFirst(by: \.email, email, in: context)
                #expect(found?.name == name)
                _ = try Person.find(in: context)
            }
        }
    }

    @Test func `a pause in a block lets go of the log`() async throws {
        let test = try await people()
        let program = try ForeignProgram(path: try #require(test.path))
        try await test.stack.saveWithBlock { context in
            for _ in 0..<5 { _ = try Person.find(in: context) }
            // The block does not read meanwhile; the program tries until it is let.
            while try program.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first != "0" {}
            #expect(try Person.find(in: context).count == 10)
        }
    }

    @Test func `the log is written back while a block reads on`() async throws {
        var options = StoreOptions()
        options.checkpointPages = 20
        let test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile, options: options)
        try await test.stack.saveWithBlock { context in
            for round in 0..<200 {
                try Person.create(in: context, email: "\(round)")
                try context.saveAndWait()
                for _ in 0..<3 { _ = try Person.count(in: context) }
            }
        }
        // A busy machine may make one attempt fail, as it may take a read's thread away for longer than the attempt
        // waits. A read burst that did not let go of the log would make each of them fail.
        let (attempts, failures) = test.recorder.events.reduce(into: (0, 0)) { counts, event in
            if case .checkpoint = event { counts.0 += 1 }
            if case .logGrowth = event { counts.1 += 1 }
        }
        #expect(attempts > failures)
    }
}
