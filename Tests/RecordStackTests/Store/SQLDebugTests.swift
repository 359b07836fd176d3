import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// The SQL that a stack reports at each level.
@Suite("SQL debugging") struct SQLDebugTests {
    /// A listener that keeps the events it gets.
    private final class Listener: Sendable {
        private let heard = Mutex<[SQLDebugEvent]>([])
        var events: [SQLDebugEvent] { heard.withLock { $0 } }

        func options(_ level: SQLDebugLevel?) -> StoreOptions {
            StoreOptions(sqlDebugLevel: level) { [self] event in
                heard.withLock { $0.append(event) }
            }
        }

        func events(during body: () throws -> Void) rethrows -> [SQLDebugEvent] {
            let before = events.count
            try body()
            return Array(events.dropFirst(before))
        }
    }

    private func makeStack(
        _ level: SQLDebugLevel?, _ location: TestStack.Location = .temporaryFile
    ) throws -> (TestStack, Listener) {
        let listener = Listener()
        let test = try TestStack(
            entities: [Person.self, Team.self], at: location, options: listener.options(level))
        return (test, listener)
    }

    @Test(arguments: [TestStack.Location.temporaryFile, .memory])
    func `SQL debug level 1 reports each statement as it begins, without values`(
        location: TestStack.Location
    ) throws {
        let (test, listener) = try makeStack(.statements, location)
        try savePeople(3, in: test.stack)
        _ = try peopleCount(test.stack)
        let told = listener.events.filter { $0.kind == .statement }
        #expect(told.map(\.text) == test.recorder.allStatements)
        #expect(told.allSatisfy { $0.values.isEmpty && $0.duration == nil && $0.plan.isEmpty })
        #expect(told.allSatisfy { $0.path == test.path })
        #expect(!listener.events.contains { $0.description.contains("Person 1") })
    }

    @Test(arguments: [TestStack.Location.temporaryFile, .memory])
    func `SQL debug level 2 reports the same statements as level 1`(location: TestStack.Location)
        async throws
    {
        func texts(_ level: SQLDebugLevel) async throws -> [String] {
            let (test, listener) = try makeStack(level, location)
            try savePeople(3, in: test.stack)
            _ = try peopleCount(test.stack)
            _ = try test.stack.storeSize
            _ = try await test.stack.integrityCheck()
            try test.stack.close()
            return listener.events.filter { $0.kind == .statement }.map(\.text).sorted()
        }
        let told = try await texts(.statements)
        #expect(told.count > 20)
        #expect(try await texts(.values) == told)
    }

    @Test func `SQL debug level 2 reports values, row counts and durations`() throws {
        let (test, listener) = try makeStack(.values)
        let inserted = try listener.events { try savePeople(2, in: test.stack) }
        let insert = try #require(inserted.last { $0.text.hasPrefix("INSERT OR FAIL") })
        #expect(insert.values.contains("'p1'") && insert.values.contains("'Person 1'"))
        #expect(insert.values.contains("NULL"))
        #expect(insert.connection == 1 && insert.duration != nil && insert.rowCount == nil)
        let context = test.stack.newContext()
        let found = try listener.events {
            _ = try Person.find(in: context) { $0.email.hasPrefix("p") && $0.isActive == true }
        }
        let select = try #require(found.last { $0.text.hasPrefix("SELECT") })
        #expect(
            select.rowCount == 2 && select.values.contains("'p'") && select.values.contains("1"))
        #expect(select.connection != 1 && select.failure == nil)
        #expect(select.description.contains("2 rows"))
        #expect(try #require(select.duration) < .seconds(60))
        #expect(try #require(select.duration) > .zero)
        let one = try listener.events { _ = try Person.findFirst(by: \.email, "p0", in: context) }
        #expect(one.map(\.rowCount) == [1] && one.map(\.values) == [["'p0'"]])
    }

    @Test func `SQL debugging reports a failed statement with the reason`() throws {
        let (test, listener) = try makeStack(.values)
        try savePeople(1, in: test.stack)
        let events = listener.events {
            expect(.constraint) {
                try test.stack.saveWithBlockAndWait { context in
                    _ = try Person.create(in: context, email: "p0")
                }
            }
        }
        let failed = events.filter { $0.failure != nil }
        #expect(failed.count == 1 && failed[0].text.hasPrefix("INSERT"))
        #expect(failed[0].description.contains("UNIQUE constraint failed"))
    }

    @Test func `SQL debug level 3 reports query plans and changes nothing else`() throws {
        let (test, listener) = try makeStack(.plans)
        try savePeople(5, in: test.stack)
        let context = test.stack.newContext()
        let statistics = test.stack.storeStatistics
        let byEmail = try listener.events {
            _ = try Person.findFirst(by: \.email, "p0", in: context)
        }
        // The events of opening the connection come first.
        let plan = try #require(byEmail.last).plan
        #expect(plan.count == 1 && plan[0].contains("SEARCH") && plan[0].contains("INDEX"))
        let scan = try listener.events { _ = try Person.count(in: context) { $0.name != "x" } }
        #expect(try #require(scan.last).plan.contains { $0.contains("SCAN") })
        #expect((test.stack.storeStatistics - statistics).statements == 2)
        #expect(!test.recorder.statements.contains { $0.contains("EXPLAIN") })
        // A save counts the rows of its statements, and reading the plans must not change that.
        for person in try Person.find(in: context) { person.name = "changed" }
        let saved = try listener.events { try context.saveAndWait() }
        let updates = saved.filter { $0.text.hasPrefix("UPDATE \"Person\"") }
        #expect(updates.count == 5)
        #expect(updates.allSatisfy { $0.plan.contains { $0.contains("SEARCH") } })
        #expect(try Person.count(in: test.stack.newContext()) { $0.name == "changed" } == 5)
    }

    @Test func `SQL debug level off reports nothing`() throws {
        let (test, listener) = try makeStack(.off)
        try savePeople(2, in: test.stack)
        #expect(listener.events.isEmpty)
    }

    @Test func `SQL debugging shortens values and keeps them on one line`() throws {
        let (test, listener) = try makeStack(.values)
        let long = String(repeating: "ä", count: 100_000)
        try test.stack.saveWithBlockAndWait { context in
            _ = try Person.create(in: context, email: "it's\nme\u{1B}[31m", name: long)
        }
        let insert = try #require(listener.events.last { $0.text.hasPrefix("INSERT OR FAIL") })
        #expect(insert.description.utf8.count < 1_000)
        #expect(insert.description.contains("…' (200000 bytes)"))
        #expect(insert.values.contains("'it''s␊me␛[31m'"))
        #expect(insert.description.split(separator: "\n").count == 1)
        let token = try #require(
            listener.events.last { $0.text.contains("SET value = ? WHERE id") })
        #expect(
            token.values[0].wholeMatch(of: /x'[0-9a-f]{32,}…' \([0-9]+ bytes\)/) != nil, "\(token)")
    }

    @Test func `SQL debugging uses colours only in text for terminals`() {
        let event = SQLDebugEvent(
            .statement, path: nil, connection: 2, text: "SELECT 1", values: ["'a'"],
            duration: .microseconds(1_234), rowCount: 1, plan: ["SCAN t"])
        #expect(event.description == "SQL 2 1.234 ms, 1 row SELECT 1 ← 'a'\n    SCAN t")
        #expect(event.text(isColored: true).contains("\u{1B}["))
        let plain = event.text(isColored: true).replacing(/\x{1B}\[[0-9]+m/, with: "")
        #expect(plain == event.description)
    }

    @Test(
        arguments: [
            (nil, .off), ("", .off), ("0", .off), ("1", .statements), ("2", .values), ("3", .plans),
            ("9", .plans), ("-1", .off), ("yes", .off),
        ] as [(String?, SQLDebugLevel)])
    func `the environment variable sets the SQL debug level`(value: String?, level: SQLDebugLevel) {
        #expect(SQLDebugLevel(environment: value) == level)
    }
}
