import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Consecutive reads in a block or a loop, which share a read transaction while nobody commits.
@Suite("Read bursts") struct ReadBurstTests {
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

    @Test func `after its first read, a save block's reads share one transaction`() async throws {
        let test = try await people()
        let start = test.recorder.events.count
        let begin = ContinuousClock.now
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
        // The first read has its own transaction, because it may be the only read. A shared
        // transaction ends after 10 ms, so that it does not delay a checkpoint.
        let ended = returns(of: test, since: start).prefix(20)
        let most = 1 + Int((ContinuousClock.now - begin) / .milliseconds(10))
        #expect(ended.first == true && ended.count { $0 } <= most)
    }

    /// Whether no transaction reads the WAL now. SQLite does not truncate the WAL while a reader
    /// uses it.
    private func isLogFree(_ test: TestStack) throws -> Bool {
        let program = try ForeignProgram(path: try #require(test.path))
        try program.run("PRAGMA busy_timeout=0")
        return try program.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "0"
    }

    @Test(arguments: ["saveWithBlock", "read", "perform"])
    func `no read transaction stays open after a save, read or queue block`(door: String)
        async throws
    {
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

    @Test
    func `no read transaction stays open after a save block reads in a child`() async throws {
        let test = try await people()
        try await test.stack.saveWithBlock { context in
            let child = context.newChild()
            for _ in 0..<5 { _ = try Person.find(in: child) }
        }
        #expect(try isLogFree(test))
    }

    @Test func `a queue context's block ends the transaction of its first read at once`()
        async throws
    {
        let test = try await people()
        let context = test.stack.newPrivateQueueContext()
        for _ in 0..<3 {
            let start = test.recorder.events.count
            try await context.perform { _ = try Person.find(in: $0) }
            #expect(returns(of: test, since: start).allSatisfy { $0 })
        }
    }

    @Test func `five reads outside save blocks each end their transaction at once`() async throws {
        let test = try await people()
        let context = test.stack.newContext()
        let start = test.recorder.events.count
        for _ in 0..<5 { _ = try Person.find(in: context) }
        #expect(returns(of: test, since: start).allSatisfy { $0 })
    }

    @Test func `a read transaction that a loop of finds shares ends by itself`() async throws {
        let test = try await people()
        let context = test.stack.newContext()
        let start = test.recorder.events.count
        // Some reads follow each other at once, even if the machine delays the loop now and then.
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

    @Test func `each read of a loop outside save blocks sees the latest commit`() async throws {
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
    func `each read in a save block sees every commit made before the read`(by writer: String)
        async throws
    {
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

    @Test func `a checkpoint succeeds while a save block pauses between its reads`() async throws {
        let test = try await people()
        let program = try ForeignProgram(path: try #require(test.path))
        try await test.stack.saveWithBlock { context in
            for _ in 0..<5 { _ = try Person.find(in: context) }
            // The block reads nothing meanwhile, so a checkpoint of the other program succeeds in
            // the end.
            while try program.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first != "0" {}
            #expect(try Person.find(in: context).count == 10)
        }
    }

    @Test func `checkpoints succeed while a save block keeps reading`() async throws {
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
        // A busy machine may fail one attempt by suspending a reading thread for longer than the
        // attempt waits. If a read burst kept the WAL, every attempt would fail.
        let (attempts, failures) = test.recorder.events.reduce(into: (0, 0)) { counts, event in
            if case .checkpoint = event { counts.0 += 1 }
            if case .logGrowth = event { counts.1 += 1 }
        }
        #expect(attempts > failures)
    }
}
