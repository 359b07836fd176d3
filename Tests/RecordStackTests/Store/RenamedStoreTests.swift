import Foundation
import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// A file that is renamed while its store is open. It keeps all acknowledged saves.
@Suite("Renamed stores")
struct RenamedStoreTests {
    private func open(_ path: String, checking interval: Double = 1_000_000) throws -> ContextStack
    {
        var options = StoreOptions()
        options.moveCheckInterval = interval
        return try ContextStack(entities: [Person.self], at: .file(path), options: options)
    }

    @Test func `a renamed file has all acknowledged saves after the stack closes`() throws {
        let folder = try TemporaryFolder("renamed")
        let stack = try open(folder.file("a"))
        try savePeople(3, in: stack)
        rename(folder.file("a"), folder.file("b"))
        try savePeople(1, in: stack)
        try stack.close()
        #expect(try peopleCount(try open(folder.file("b"))) == 4)
        #expect(try peopleCount(try open(folder.file("a"))) == 0)
    }

    @Test func `a save that finds its file renamed has put earlier saves into the file`() throws {
        let folder = try TemporaryFolder("renamed")
        let stack = try open(folder.file("a"), checking: 0)
        try savePeople(3, in: stack)
        let context = stack.newContext()
        try Person.findFirst(by: \.email, "p1", in: context)?.name = "edited"
        rename(folder.file("a"), folder.file("b"))
        expect(.storeMoved) { try context.saveAndWait() }
        // A copy of the file has only what is in the file itself.
        try FileManager.default.copyItem(atPath: folder.file("b"), toPath: folder.file("copy"))
        #expect(try peopleCount(try open(folder.file("copy"))) == 3)
        try stack.close()
    }

    @Test func `neither name of a renamed file can be opened while a stack uses it`() throws {
        let folder = try TemporaryFolder("renamed")
        let stack = try open(folder.file("a"))
        try savePeople(3, in: stack)
        rename(folder.file("a"), folder.file("b"))
        for name in ["a", "b"] {
            expect(.storeMoved, saying: "Close that stack") { _ = try open(folder.file(name)) }
        }
        try savePeople(1, in: stack)
        rename(folder.file("b"), folder.file("a"))
        #expect(try peopleCount(try open(folder.file("a"))) == 4)
        try stack.close()
        #expect(try peopleCount(try open(folder.file("a"))) == 4)
    }

    @Test func `opening a path with a WAL but without its file keeps the WAL`() throws {
        let folder = try TemporaryFolder("renamed")
        let stack = try open(folder.file("a"))
        try savePeople(3, in: stack)
        // The files as a killed program leaves them.
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.copyItem(
                atPath: folder.file("a" + suffix), toPath: folder.file("k" + suffix))
        }
        try stack.close()
        rename(folder.file("k"), folder.file("elsewhere"))
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.file("k-wal")))
        expect(.storeMoved, saying: "k-wal", "Put the file back") { _ = try open(folder.file("k")) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("k-wal"))) == log)
        rename(folder.file("elsewhere"), folder.file("k"))
        #expect(try peopleCount(try open(folder.file("k"))) == 3)
    }

    @Test func `closing a stack whose file was removed leaves no WAL behind`() throws {
        let folder = try TemporaryFolder("renamed")
        let stack = try open(folder.file("a"))
        try savePeople(3, in: stack)
        unlink(folder.file("a"))
        try stack.close()
        #expect(try peopleCount(try open(folder.file("a"))) == 0)
    }
}
