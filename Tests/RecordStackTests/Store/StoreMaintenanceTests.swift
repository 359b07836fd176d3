import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Checks, vacuums, sizes and the removal of a store.
@Suite("Store maintenance") struct StoreMaintenanceTests {
    private func open(_ path: String) throws -> ContextStack {
        try ContextStack(for: Person.self, at: .file(path))
    }

    @Test(arguments: [TestStack.Location.temporaryFile, .memory])
    func `a vacuum frees unused pages and keeps every object`(
        location: TestStack.Location
    ) async throws {
        let test = try TestStack(for: Person.self, at: location)
        let stack = test.stack
        try savePeople(5_000, in: stack)
        let full = try stack.storeSize
        #expect(full.pageSize == 4_096 && full.pageCount > 50 && full.freePageCount == 0)
        let kept = try await stack.read { context in
            try Person.findFirst(by: \.email, "p7", in: context)?.objectID
        }
        _ = try await stack.saveWithBlock { context in
            try Person.delete(in: context) { $0.email != "p7" }
        }
        let loose = try stack.storeSize
        #expect(loose.freePageCount > full.pageCount / 2 && loose.pageCount == full.pageCount)
        try await stack.vacuum()
        let tight = try stack.storeSize
        #expect(tight.freePageCount == 0 && tight.pageCount < full.pageCount / 2)
        #expect(tight.fileBytes == tight.pageCount * tight.pageSize && tight.logBytes == 0)
        #expect(
            try await stack.read { try Person.findFirst(by: \.email, "p7", in: $0)?.objectID }
                == kept)
        try savePeople(1, in: stack)
        #expect(try await stack.integrityCheck().isEmpty)
        #expect(try peopleCount(stack) == 2)
    }

    @Test func `storeSize reports the sizes of the file and of its WAL`() throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let path = try #require(test.path)
        let empty = try test.stack.storeSize
        try savePeople(1_000, in: test.stack)
        let size = try test.stack.storeSize
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
        #expect(size.logBytes == attributes[.size] as? Int && size.logBytes > empty.logBytes)
        #expect(size.pageCount > empty.pageCount)
    }

    @Test func `a vacuum waits for another program's lock and then throws busy`() async throws {
        let folder = try TemporaryFolder("maintenance")
        let stack = try ContextStack(
            for: Person.self, at: .file(folder.file("a")), options: StoreOptions(busyTimeout: 0.2))
        try savePeople(1, in: stack)
        let lock = try ForeignLock(path: folder.file("a"))
        #expect(await RecordStackError.of { try await stack.vacuum() }?.code == .busy)
        #expect(try peopleCount(stack) == 1)
        try lock.release()
        try await stack.vacuum()
        #expect(try peopleCount(stack) == 1)
    }

    @Test func `an integrity check finds dangling references and damage`() async throws {
        let folder = try TemporaryFolder("maintenance")
        let path = try folder.makeStore(people: 50)
        let program = try ForeignProgram(path: path)
        try program.run("PRAGMA foreign_keys=OFF; UPDATE Person SET team = 99 WHERE email = 'p3'")
        let stack = try open(path)
        let problems = try await stack.integrityCheck()
        #expect(problems.map(\.kind) == [.danglingReference])
        #expect(problems[0].description.contains("Person"))
        try stack.close()
        // The last page is overwritten with zeros.
        var bytes = try folder.bytes("store.sqlite")
        let pages = bytes.count / 4_096
        #expect(pages > 4)
        bytes.replaceSubrange((pages - 1) * 4_096..<pages * 4_096, with: Data(count: 4_096))
        try bytes.write(to: URL(fileURLWithPath: path))
        let damaged = try open(path)
        let damage = try await damaged.integrityCheck()
        #expect(damage.contains { $0.kind == .damage }, "\(damage)")
        try damaged.close()
    }

    @Test func `destroyStore removes a store with its WAL`() throws {
        let folder = try TemporaryFolder("maintenance")
        let path = try folder.makeStore("a.sqlite")
        #expect(try ContextStack.destroyStore(at: .file(path)))
        #expect(try folder.names.isEmpty)
        #expect(try !ContextStack.destroyStore(at: .file(path)))
        #expect(try !ContextStack.destroyStore(at: .inMemory))
        // A new store at the same path is empty.
        let stack = try open(path)
        #expect(try peopleCount(stack) == 0)
        try stack.close()
    }

    @Test func `destroyStore removes the files that a crash has left`() throws {
        let folder = try TemporaryFolder("maintenance")
        let live = try open(folder.file("live"))
        try savePeople(4, in: live)
        for suffix in ["", "-wal"] { try folder.copy("live" + suffix, to: "crashed" + suffix) }
        try folder.copy("live-wal", to: "orphan-wal")
        #expect(try ContextStack.destroyStore(at: .file(folder.file("crashed"))))
        #expect(try ContextStack.destroyStore(at: .file(folder.file("orphan"))))
        try live.close()
        #expect(try folder.names == ["live"])
    }

    @Test func `opening a new store throws if another store's WAL lies at its path`() async throws {
        let folder = try TemporaryFolder("maintenance")
        let live = try open(folder.file("live"))
        try savePeople(40, in: live)
        try folder.copy("live-wal", to: "fresh-wal")
        expect(.storeMoved, saying: "fresh-wal") { _ = try open(folder.file("fresh")) }
        #expect(try ContextStack.destroyStore(at: .file(folder.file("fresh"))))
        let fresh = try open(folder.file("fresh"))
        #expect(try peopleCount(fresh) == 0)
        #expect(try await fresh.integrityCheck().isEmpty)
        try savePeople(2, in: fresh)
        try fresh.close()
        #expect(try peopleCount(try open(folder.file("fresh"))) == 2)
        // A backup is not written beside such a WAL either.
        try folder.copy("live-wal", to: "copy-wal")
        let error = await RecordStackError.of { try await live.backup(to: folder.file("copy")) }
        #expect(error?.code == .busy && error?.message.contains("copy-wal") == true)
    }

    @Test func `destroyStore leaves files that are only named like a store's WAL`() throws {
        let folder = try TemporaryFolder("maintenance")
        for name in ["diary-journal", "diary-wal", "diary-shm"] {
            try Data("Dear diary".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        #expect(try !ContextStack.destroyStore(at: .file(folder.file("diary"))))
        #expect(try folder.names.count == 3)
    }

    @Test func `destroyStore throws busy for a store that is open`() throws {
        let folder = try TemporaryFolder("maintenance")
        let path = folder.file("a.sqlite")
        let stack = try open(path)
        try savePeople(3, in: stack)
        symlink(path, folder.file("link"))
        for name in ["a.sqlite", "./a.sqlite", "link"] {
            expect(.busy, saying: "Close it there") {
                try ContextStack.destroyStore(at: .file(folder.file(name)))
            }
        }
        try savePeople(1, in: stack)
        #expect(try peopleCount(stack) == 4)
        try stack.close()
        let other = try ForeignProgram(path: path)
        #expect(try other.rows("SELECT count(*) FROM Person") == [["4"]])
        expect(.busy, saying: "another process") {
            try ContextStack.destroyStore(at: .file(path))
        }
        #expect(try other.rows("SELECT count(*) FROM Person") == [["4"]])
    }

    @Test func `destroyStore leaves files that are not RecordStack stores`() throws {
        let folder = try TemporaryFolder("maintenance")
        try ForeignProgram(path: folder.file("foreign")).run("CREATE TABLE t (a)")
        try Data(String(repeating: "notes ", count: 500).utf8).write(
            to: URL(fileURLWithPath: folder.file("notes")))
        try Data("short".utf8).write(to: URL(fileURLWithPath: folder.file("short")))
        let before = try folder.contents()
        let open = try ForeignProgram(path: folder.file("foreign"))
        _ = try open.rows("SELECT * FROM t")
        expect(.modelMismatch, saying: "left as it is") {
            try ContextStack.destroyStore(at: .file(folder.file("foreign")))
        }
        for name in ["notes", "short"] {
            expect(.notADatabase) { try ContextStack.destroyStore(at: .file(folder.file(name))) }
        }
        expect(.cannotOpen) { try ContextStack.destroyStore(at: .file(folder.path)) }
        #expect(try folder.contents() == before)
    }

    @Test func `opening and destroyStore keep another program's database and its WAL`() throws {
        let folder = try TemporaryFolder("maintenance")
        let program = try ForeignProgram(path: folder.file("live"))
        try program.run("PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        for suffix in ["", "-wal"] { try folder.copy("live" + suffix, to: "crashed" + suffix) }
        let before = try folder.contents()
        expect(.modelMismatch) {
            try ContextStack.destroyStore(at: .file(folder.file("crashed")))
        }
        expect(.modelMismatch) {
            _ = try ContextStack(for: Person.self, at: .file(folder.file("crashed")))
        }
        for name in ["crashed", "crashed-wal"] {
            #expect(try folder.bytes(name) == before[name], "\(name)")
        }
        #expect(
            try ForeignProgram(path: folder.file("crashed")).rows("SELECT a FROM t") == [["1"]])
    }
}
