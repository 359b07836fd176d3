import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Options of a store: their effects, and the values that are refused.
@Suite("Store options") struct StoreOptionsTests {
    @Test func `store options reach every connection`() throws {
        let folder = try TemporaryFolder("options")
        let recorder = StatementRecorder()
        var options = StoreOptions(busyTimeout: 0.2, cacheSize: 333)
        options.observer = { recorder.record($0) }
        let stack = try ContextStack(
            for: Person.self, at: .file(folder.file("a.sqlite")), options: options)
        _ = try peopleCount(stack)
        let told = recorder.allStatements.filter { $0 == "PRAGMA cache_size=-333" }
        #expect(told.count == 2, "the connection that writes and one that reads")
        let lock = try ForeignLock(path: folder.file("a.sqlite"))
        expect(.busy, saying: "busy time-out") { try savePeople(1, in: stack) }
        try lock.release()
        try savePeople(1, in: stack)
        try stack.close()
    }

    @Test(arguments: [-1, .infinity, .nan] as [Double])
    func `an invalid busy timeout throws misuse`(seconds: Double) {
        expect(.misuse, saying: "busyTimeout", "0 or more") {
            _ = try ContextStack(
                for: Person.self, at: .inMemory, options: StoreOptions(busyTimeout: seconds))
        }
    }

    @Test(arguments: [0, -1, Int.max])
    func `an invalid cache size throws misuse`(size: Int) {
        expect(.misuse, saying: "cacheSize", "1 or more") {
            _ = try ContextStack(
                for: Person.self, at: .inMemory, options: StoreOptions(cacheSize: size))
        }
    }

    @Test func `a save's error names an object that is too large, and the remedy`() async throws {
        var options = StoreOptions()
        options.valueLimit = 100_000
        let test = try TestStack(entities: [Person.self], at: .memory, options: options)
        let context = test.stack.newContext()
        let people = try (0..<40).map { try Person.create(in: context, email: "\($0)") }
        people[7].name = String(repeating: "n", count: 100_001)
        func expectTooLarge() async {
            let error = await RecordStackError.of { try await context.save() }
            #expect(error?.code == .store && error?.objectID == people[7].objectID)
            #expect(error?.message.contains("up to 100000 bytes") == true)
            #expect(error?.message.contains("file of its own") == true)
        }
        await expectTooLarge()
        people[7].name = ""
        try await context.save()
        people[7].name = String(repeating: "n", count: 100_001)
        await expectTooLarge()
        people[7].name = String(repeating: "n", count: 90_000)
        try await context.save()
        #expect(try Person.count(in: test.stack.newContext()) == 40)
    }

    @Test func `an error's text contains SQLite's message once`() async throws {
        let folder = try TemporaryFolder("options")
        let text = folder.file("text")
        try Data(repeating: 65, count: 5_000).write(to: URL(fileURLWithPath: text))
        let notDatabase = try #require(
            await RecordStackError.of { _ = try ContextStack(for: Person.self, at: .file(text)) })
        let context = try TestStack(for: Person.self).stack.newContext()
        for _ in 0..<2 { try Person.create(in: context, email: "a") }
        let constraint = try #require(await RecordStackError.of { try await context.save() })
        for error in [notDatabase, constraint] {
            let parts = "\(error)".components(separatedBy: "SQLite says: ")
            #expect(parts.count == 2 && !"\(error)".contains("SQLiteFailure"), "\(error)")
        }
        #expect("\(constraint)".contains("UNIQUE constraint failed: Person.email"))
    }
}
