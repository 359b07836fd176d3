import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// A store file of format 1 with re-inserted rows. Existing programs have such files, but no
/// current version writes them.
@Suite("Re-inserted rows in a format 1 file", .serialized) struct ReinsertedFileTests {
    private static let names = ReinsertedFile.returns.keys.sorted()

    private func keepsakes(_ context: ManagedObjectContext) throws -> [Keepsake] {
        try Keepsake.find(sortedBy: .ascending(\.name), in: context)
    }

    private func failure(_ body: () throws -> Void) -> RecordStackError? {
        do {
            try body()
            return nil
        } catch {
            return error as? RecordStackError
        }
    }

    @Test func `row versions in a format 1 store file count each row's re-insertions`() throws {
        let file = try ReinsertedFile()
        let rows = try ForeignProgram(path: file.path).rows(
            "SELECT name, _version >> 24, _version & 0xFFFFFF FROM Keepsake ORDER BY name")
        #expect(
            rows == [
                ["edited", "0", "2"], ["once", "1", "1"], ["onceEdited", "1", "2"],
                ["plain", "0", "1"], ["twice", "2", "1"],
            ])
    }

    @Test func `opening a format 1 file for writing raises its format to 2`() throws {
        let file = try ReinsertedFile()
        let program = try ForeignProgram(path: file.path)
        let format =
            "SELECT value FROM _recordstack WHERE name IN ('format', 'incarnation') ORDER BY name"
        #expect(try program.rows(format) == [["1"]])
        var options = StoreOptions()
        options.isReadOnly = true
        let reading = try ContextStack(
            entities: ReinsertedFile.entities, at: .file(file.path), options: options)
        #expect(try keepsakes(reading.newContext()).map(\.name) == Self.names)
        try reading.close()
        #expect(try program.rows(format) == [["1"]])
        for _ in 0..<2 { try file.open().close() }
        // New re-insertions start after the highest incarnation in the file.
        #expect(try program.rows(format) == [["2"], ["2"]])
    }

    /// A program with the previous version of the library may still have the file open.
    @Test func `edits conflict with a re-insertion by an older library version`() throws {
        let file = try ReinsertedFile()
        let program = try ForeignProgram(path: file.path)
        let stack = try file.open()
        let context = stack.newContext()
        let held = try #require(try Keepsake.findFirst(by: \.name, "onceEdited", in: context))
        held.note = "ours"
        try program.run(
            "UPDATE Keepsake SET _version = (_version >> 24) + 1 << 24 | 1, note = 'theirs' "
                + "WHERE name = 'onceEdited'")
        let error = try #require(failure { try context.saveAndWait() })
        #expect(error.code == .conflict)
        try context.saveAndWait(mergePolicy: .objectTrump)
        #expect(
            try Keepsake.findFirst(by: \.name, "onceEdited", in: file.open().newContext())?.note
                == "ours")
        // The next re-insertion gets a later incarnation than that one.
        try ReinsertedFile.reinsert("onceEdited", stack)
        #expect(
            try program.rows(
                "SELECT _version >> 24, _version & 0xFFFFFF FROM Keepsake WHERE name = 'onceEdited'"
            )
                == [["3", "1"]])
    }

    @Test func `a stack reads the rows and relationships of a format 1 file`() throws {
        let context = try ReinsertedFile().open().newContext()
        let all = try keepsakes(context)
        #expect(all.map(\.name) == Self.names)
        #expect(all.map(\.worth) == Self.names.map { 1 + ReinsertedFile.returns[$0]! })
        #expect(all.map(\.note) == ["edited", nil, "edited", nil, nil])
        #expect(all.allSatisfy { $0.drawer?.label == "left" })
        let left = try #require(try Drawer.findFirst(by: \.label, "left", in: context))
        #expect(left.keepsakes.count == Self.names.count)
    }

    @Test func `every row of a format 1 file can be edited several times`() throws {
        let file = try ReinsertedFile()
        let stack = try file.open()
        let context = stack.newContext()
        let all = try keepsakes(context)
        let right = try #require(try Drawer.findFirst(by: \.label, "right", in: context))
        for round in 1...3 {
            for keepsake in all { (keepsake.worth, keepsake.drawer) = (100 * round, right) }
            try context.saveAndWait()
            #expect(!context.hasChanges)
        }
        let reader = try file.open().newContext()
        #expect(try keepsakes(reader).map(\.worth) == Self.names.map { _ in 300 })
        #expect(try keepsakes(reader).allSatisfy { $0.drawer?.label == "right" })
    }

    @Test func `every row of a format 1 file can be deleted`() throws {
        let file = try ReinsertedFile()
        let context = try file.open().newContext()
        for keepsake in try keepsakes(context) { try keepsake.delete() }
        try context.saveAndWait()
        #expect(try Keepsake.count(in: file.open().newContext()) == 0)
    }

    @Test func `another stack's save keeps local edits of a format 1 file's rows`() throws {
        let file = try ReinsertedFile()
        let (here, there) = (try file.open(), try file.open())
        let context = here.newContext()
        let all = try keepsakes(context)
        for keepsake in all { keepsake.note = "ours" }
        try there.saveWithBlockAndWait { context in
            for keepsake in try Keepsake.find(in: context) { keepsake.worth = 50 }
        }
        here.coordinator.lookForRemoteSaves()
        here.coordinator.waitForCheckpoint()
        _ = try Keepsake.count(in: context)
        #expect(all.allSatisfy { $0.worth == 50 && $0.note == "ours" && $0.hasChanges })
        try context.saveAndWait()
        let stored = try keepsakes(there.newContext())
        #expect(stored.allSatisfy { $0.worth == 50 && $0.note == "ours" })
    }

    /// - Parameter isHeard: true if the context merges the other stack's save before it saves.
    @Test(arguments: [false, true])
    func `edits of one property in two stacks of a format 1 file conflict`(isHeard: Bool) throws {
        let file = try ReinsertedFile()
        let (here, there) = (try file.open(interval: isHeard ? 0.001 : nil), try file.open())
        let context = here.newContext()
        let all = try keepsakes(context)
        for keepsake in all { keepsake.worth = 60 }
        try there.saveWithBlockAndWait { context in
            for keepsake in try Keepsake.find(in: context) { keepsake.worth = 50 }
        }
        if isHeard {
            here.coordinator.lookForRemoteSaves()
            here.coordinator.waitForCheckpoint()
            _ = try Keepsake.count(in: context)
        }
        let error = try #require(failure { try context.saveAndWait() })
        #expect(error.code == .conflict && error.conflicts.count == all.count)
        for conflict in error.conflicts {
            #expect(conflict.kind == .changedOnBothSides)
            #expect(conflict.properties.map(\.name) == ["worth"])
            #expect(conflict.properties.first?.theirs == .integer(50))
        }
        try context.saveAndWait(mergePolicy: .objectTrump)
        #expect(try keepsakes(there.newContext()).allSatisfy { $0.worth == 60 })
    }

    @Test func `edits in a format 1 file conflict with another stack's re-insertions`() throws {
        let file = try ReinsertedFile()
        let (here, there) = (try file.open(interval: nil), try file.open())
        let context = here.newContext()
        let all = try keepsakes(context)
        for keepsake in all { keepsake.worth = 60 }
        for name in Self.names { try ReinsertedFile.reinsert(name, there) }
        let error = try #require(failure { try context.saveAndWait() })
        #expect(error.code == .conflict && error.conflicts.count == all.count)
        try context.saveAndWait(mergePolicy: .storeTrump)
        #expect(all.map(\.worth) == Self.names.map { 2 + ReinsertedFile.returns[$0]! })
        #expect(!context.hasChanges)
    }
}
