import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Triggers of other tools that ignore a change, which SQLite reports as success.
@Suite("Triggers that ignore") struct IgnoringTriggerTests {
    private func shelf() throws -> (TestStack, ForeignProgram, String) {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self, at: .temporaryFile)
        try test.stack.saveWithBlockAndWait { context in
            let rack = try Rack.create(in: context, name: "a")
            for number in 0..<3 { rack.crates.append(try Crate.create(in: context, whole: number)) }
            rack.labels.insert(try Label.create(in: context, title: "first"))
            try Label.create(in: context, title: "second")
        }
        let program = try ForeignProgram(path: try #require(test.path))
        let links = try program.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN "
                + "('Crate', 'Rack', 'Label', '_recordstack') AND name NOT LIKE 'sqlite%'")
        return (test, program, try #require(links.first?.first))
    }

    private typealias Change = @Sendable (ManagedObjectContext) throws -> Void

    /// The changes, each with the table and the event of the trigger that ignores it.
    private static let changes: [(name: String, table: String, event: String, change: Change)] = [
        ("insert one", "Crate", "INSERT", { _ = try Crate.create(in: $0) }),
        ("insert many", "Crate", "INSERT", { for _ in 0..<100 { try Crate.create(in: $0) } }),
        (
            "insert one of many", "Crate", "INSERT-77",
            { for number in 0..<100 { try Crate.create(in: $0, whole: number) } }
        ),
        ("update one", "Crate", "UPDATE", { try Crate.find(in: $0)[0].whole = 9 }),
        (
            "update many", "Crate", "UPDATE",
            { for crate in try Crate.find(in: $0) { crate.whole += 9 } }
        ),
        ("delete one", "Crate", "DELETE", { try Crate.find(in: $0)[0].delete() }),
        (
            "delete many", "Crate", "DELETE",
            { for crate in try Crate.find(in: $0) { try crate.delete() } }
        ),
        (
            "link", "links", "INSERT",
            { context in
                let label = try #require(try Label.find(in: context) { $0.title == "second" }.first)
                try Rack.find(in: context)[0].labels.insert(label)
            }
        ),
        (
            "unlink", "links", "DELETE",
            { context in
                let rack = try Rack.find(in: context)[0]
                for label in Array(rack.labels) { rack.labels.remove(label) }
            }
        ),
        (
            "move", "Crate", "UPDATE",
            { context in
                let rack = try Rack.find(in: context)[0]
                let last = rack.crates[2]
                rack.crates.remove(last)
                rack.crates.insert(last, at: 0)
            }
        ),
    ]

    @Test(arguments: changes.indices)
    func `a save throws constraint if a trigger ignores one of its changes`(index: Int) throws {
        let (name, table, event, change) = Self.changes[index]
        let (test, program, links) = try shelf()
        let parts = event.split(separator: "-")
        let condition = parts.count > 1 ? " WHEN NEW.whole = \(parts[1])" : ""
        try program.run(
            "CREATE TRIGGER ignoring BEFORE \(parts[0]) ON \"\(table == "links" ? links : table)\"\(condition) "
                + "BEGIN SELECT RAISE(IGNORE); END")
        let before =
            try program.rows("SELECT * FROM Crate") + program.rows("SELECT * FROM \"\(links)\"")
        let context = test.stack.newContext()
        try change(context)
        for _ in 0..<2 {
            let error = #expect(throws: RecordStackError.self, "\(name)") {
                try context.saveAndWait()
            }
            #expect(error?.code == .constraint, "\(name): \(String(describing: error))")
            #expect(
                error?.message.contains("a trigger") == true,
                "\(name): \(String(describing: error))")
            #expect(context.hasChanges, "\(name)")
        }
        let after =
            try program.rows("SELECT * FROM Crate") + program.rows("SELECT * FROM \"\(links)\"")
        #expect(before == after, "\(name)")
        try program.run("DROP TRIGGER ignoring")
        try context.saveAndWait()
        #expect(!context.hasChanges, "\(name)")
    }

    @Test func `a save's error names the object whose insert a trigger ignores`() throws {
        let (test, program, _) = try shelf()
        try program.run(
            "CREATE TRIGGER ignoring BEFORE INSERT ON Crate WHEN NEW.whole = 40 "
                + "BEGIN SELECT RAISE(IGNORE); END")
        let context = test.stack.newContext()
        let crates = try (0..<60).map { try Crate.create(in: context, whole: $0) }
        let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(error?.objectID == crates[40].objectID && error?.entity == "Crate")
    }

    @Test func `a save throws constraint if a trigger ignores its save token`() throws {
        let (test, program, _) = try shelf()
        try program.run("DELETE FROM _recordstack WHERE name LIKE 'token:%'")
        try program.run(
            "CREATE TRIGGER ignoring BEFORE INSERT ON _recordstack BEGIN SELECT RAISE(IGNORE); END")
        let stack = try ContextStack(
            for: Crate.self, Rack.self, Label.self, at: .file(try #require(test.path)))
        let error = #expect(throws: RecordStackError.self) {
            try stack.saveWithBlockAndWait { _ = try Crate.create(in: $0, whole: 9) }
        }
        #expect(error?.code == .constraint && error?.message.contains("a trigger") == true)
        try stack.close()
    }

    @Test func `a batch deletion deletes nothing if a trigger ignores one row`() throws {
        let (test, program, _) = try shelf()
        try program.run(
            "CREATE TRIGGER ignoring BEFORE DELETE ON Crate WHEN OLD.whole = 1 "
                + "BEGIN SELECT RAISE(IGNORE); END")
        let error = #expect(throws: RecordStackError.self) {
            try test.stack.deleteAndWait(Crate.all)
        }
        #expect(error?.code == .constraint)
        #expect(try Crate.count(in: test.stack.newContext()) == 3)
        let other = #expect(throws: RecordStackError.self) {
            try test.stack.deleteAndWait(Crate.where { $0.whole >= 0 })
        }
        #expect(other?.code == .constraint)
        #expect(try Crate.count(in: test.stack.newContext()) == 3)
    }
}
