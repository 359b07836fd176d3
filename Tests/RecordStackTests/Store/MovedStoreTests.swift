import Foundation
import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// A store file that is moved or removed while the store is open.
@Suite("Moved stores") struct MovedStoreTests {
    private func open(_ path: String, checking interval: Double = 0) throws -> ContextStack {
        var options = StoreOptions()
        options.moveCheckInterval = interval
        return try ContextStack(entities: [Person.self], at: .file(path), options: options)
    }

    enum Fault: CaseIterable {
        case removed, renamed, replaced, folderRenamed

        func happen(_ folder: TemporaryFolder) throws {
            let path = folder.file("in/a.sqlite")
            switch self {
            case .removed: unlink(path)
            case .renamed: rename(path, folder.file("elsewhere"))
            case .replaced: rename(folder.file("other"), path)
            case .folderRenamed: rename(folder.file("in"), folder.file("out"))
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func `reads and saves of a moved store throw storeMoved and keep edits`(fault: Fault) throws {
        let folder = try TemporaryFolder("moved")
        try FileManager.default.createDirectory(
            atPath: folder.file("in"), withIntermediateDirectories: false)
        _ = try folder.makeStore("other", people: 7)
        let stack = try open(folder.file("in/a.sqlite"))
        try savePeople(3, in: stack)
        let context = stack.newContext()
        let person = try #require(try Person.findFirst(by: \.email, "p1", in: context))
        person.name = "edited"
        try fault.happen(folder)
        let words = ["removed, renamed or replaced", "Put the file back"]
        expect(.storeMoved, saying: words[0], words[1]) { try context.saveAndWait() }
        expect(.storeMoved, saying: words[0], words[1]) { _ = try peopleCount(stack) }
        expect(.storeMoved) { try savePeople(1, in: stack) }
        expect(.storeMoved) { _ = try stack.storeSize }
        #expect(person.name == "edited" && context.hasChanges)
        let replacement =
            fault == .replaced ? try Data(contentsOf: url(folder, "in/a.sqlite")) : nil
        try stack.close()
        if let replacement {
            #expect(try Data(contentsOf: url(folder, "in/a.sqlite")) == replacement)
        }
    }

    private func url(_ folder: TemporaryFolder, _ name: String) -> URL {
        URL(fileURLWithPath: folder.file(name))
    }

    @Test(arguments: [Fault.removed, .replaced])
    func `a save to a removed or replaced file throws storeMoved`(fault: Fault) throws {
        let folder = try TemporaryFolder("moved")
        try FileManager.default.createDirectory(
            atPath: folder.file("in"), withIntermediateDirectories: false)
        _ = try folder.makeStore("other", people: 7)
        // The stack does not check whether the path leads elsewhere.
        let stack = try open(folder.file("in/a.sqlite"), checking: 1_000_000)
        try savePeople(3, in: stack)
        try fault.happen(folder)
        expect(.storeMoved) { try savePeople(1, in: stack) }
        try stack.close()
    }

    @Test func `a save made between renaming a store file away and back is kept`() throws {
        let folder = try TemporaryFolder("moved")
        let stack = try open(folder.file("a"), checking: 1_000_000)
        try savePeople(3, in: stack)
        rename(folder.file("a"), folder.file("away"))
        try savePeople(1, in: stack)
        rename(folder.file("away"), folder.file("a"))
        try stack.close()
        let again = try open(folder.file("a"))
        #expect(try peopleCount(again) == 4)
        try again.close()
    }

    @Test func `a save succeeds once the store file is back`() throws {
        let folder = try TemporaryFolder("moved")
        let stack = try open(folder.file("a"))
        try savePeople(3, in: stack)
        let context = stack.newContext()
        try Person.findFirst(by: \.email, "p1", in: context)?.name = "edited"
        rename(folder.file("a"), folder.file("away"))
        expect(.storeMoved) { try context.saveAndWait() }
        rename(folder.file("away"), folder.file("a"))
        #expect(try context.saveAndWait() != .noChanges)
        #expect(try Person.count(in: stack.newContext()) { $0.name == "edited" } == 1)
        try stack.close()
    }

    @Test func `a stack never reads another file at the path of its store`() async throws {
        let folder = try TemporaryFolder("moved")
        _ = try folder.makeStore("other", people: 7)
        // A read itself does not check the path, so opening the connection must.
        let stack = try open(folder.file("a"), checking: 1_000_000)
        rename(folder.file("other"), folder.file("a"))
        expect(.storeMoved) { _ = try peopleCount(stack) }
        try stack.close()
    }

    @Test func `reads start to throw soon after the store file is removed`() throws {
        let folder = try TemporaryFolder("moved")
        let stack = try ContextStack(for: Person.self, at: .file(folder.file("a")))
        try savePeople(1, in: stack)
        #expect(try peopleCount(stack) == 1)
        unlink(folder.file("a"))
        var reads = 0
        let isNoticed = (0..<1_000).contains { _ in
            reads += 1
            usleep(10_000)
            return (try? peopleCount(stack)) == nil
        }
        #expect(isNoticed, "after \(reads) reads in ten seconds and more")
        try stack.close()
    }

    @Test(arguments: ["-wal", "-shm"], [false, true])
    func `a removed WAL or WAL index is noticed, and no save is lost`(
        suffix: String, isReplaced: Bool
    ) throws {
        let folder = try TemporaryFolder("moved")
        let stack = try open(folder.file("a"))
        try savePeople(3, in: stack)
        let context = stack.newContext()
        let person = try #require(try Person.findFirst(by: \.email, "p1", in: context))
        person.name = "edited"
        unlink(folder.file("a" + suffix))
        if isReplaced { try Data().write(to: url(folder, "a" + suffix)) }
        expect(.storeMoved, saying: "a" + suffix, "Close this stack") {
            try context.saveAndWait()
        }
        expect(.storeMoved) { _ = try peopleCount(stack) }
        #expect(person.name == "edited" && context.hasChanges)
        try stack.close()
        let again = try open(folder.file("a"))
        #expect(try peopleCount(again) == 3)
        try savePeople(1, in: again)
        try again.close()
        #expect(
            try ForeignProgram(path: folder.file("a")).rows("PRAGMA integrity_check") == [["ok"]])
    }

    @Test func `the WAL and its index stay the same files during a stack's work`() async throws {
        let folder = try TemporaryFolder("moved")
        var options = StoreOptions()
        options.moveCheckInterval = 0
        options.checkpointPages = 10
        let location = StoreLocation.file(folder.file("a"))
        let stack = try ContextStack(entities: [Person.self], at: location, options: options)
        for round in 0..<5 {
            try savePeople(500, in: stack)
            let other = try open(folder.file("a"))
            try savePeople(1, in: other)
            try other.close()
            try await stack.vacuum()
            try ForeignProgram(path: folder.file("a")).run("PRAGMA wal_checkpoint(TRUNCATE)")
            try await stack.backup(to: folder.file("b\(round)"))
        }
        #expect(try peopleCount(stack) == 2_505)
        try stack.close()
        #expect(try peopleCount(try open(folder.file("a"))) == 2_505)
    }
}
