import Foundation
import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// A stack that only reads: the files that it opens, the calls that it refuses, and the files that
/// it leaves alone.
@Suite("Read-only stacks") struct ReadOnlyTests {
    private let options = StoreOptions(isReadOnly: true)

    private func open(_ path: String, _ options: StoreOptions) throws -> ContextStack {
        try ContextStack(for: Person.self, at: .file(path), options: options)
    }

    @Test func `a read-only stack reads, and saving or creating throws with advice`() throws {
        let folder = try TemporaryFolder("readonly")
        let path = try folder.makeStore()
        let before = try folder.bytes("store.sqlite")
        let stack = try open(path, options)
        let context = stack.newContext()
        #expect(try Person.find(sortedBy: .ascending(\.email), in: context).count == 3)
        #expect(try context.saveAndWait() == .noChanges)
        let person = try #require(try Person.findFirst(by: \.email, "p1", in: context))
        person.name = "changed"
        expect(.readOnly, saying: "without isReadOnly") { try context.saveAndWait() }
        #expect(person.name == "changed" && context.hasChanges)
        expect(.readOnly, saying: "without isReadOnly") {
            try Person.create(in: context, email: "new")
        }
        expect(.readOnly, saying: "without isReadOnly") {
            _ = try stack.saveWithBlockAndWait(.durable) { try Person.deleteAll(in: $0) }
        }
        try stack.close()
        #expect(try folder.bytes("store.sqlite") == before)
    }

    @Test func `vacuum on a read-only stack throws and changes nothing`() async throws {
        let folder = try TemporaryFolder("readonly")
        let stack = try open(try folder.makeStore(), options)
        let before = try folder.bytes("store.sqlite")
        #expect(await RecordStackError.of { try await stack.vacuum() }?.code == .readOnly)
        #expect(try await stack.integrityCheck().isEmpty)
        try stack.close()
        #expect(try folder.bytes("store.sqlite") == before)
    }

    @Test func `a read-only stack shows the saves of a writing stack`() throws {
        let folder = try TemporaryFolder("readonly")
        let path = try folder.makeStore()
        let writer = try open(path, StoreOptions())
        let reader = try open(path, options)
        #expect(try peopleCount(reader) == 3)
        try savePeople(2, in: writer)
        #expect(try peopleCount(reader) == 5)
        try writer.close()
        #expect(try peopleCount(reader) == 5)
        try reader.close()
        #expect(try peopleCount(try open(path, StoreOptions())) == 5)
    }

    @Test func `a read-only stack does not create a missing store`() throws {
        let folder = try TemporaryFolder("readonly")
        expect(.cannotOpen, saying: "no file", "without isReadOnly") {
            _ = try open(folder.file("missing"), options)
        }
        try Data().write(to: URL(fileURLWithPath: folder.file("empty")))
        expect(.cannotOpen, saying: "empty", "without isReadOnly") {
            _ = try open(folder.file("empty"), options)
        }
        try ForeignProgram(path: folder.file("bare")).run("PRAGMA user_version=7")
        expect(.cannotOpen, saying: "without tables") { _ = try open(folder.file("bare"), options) }
        #expect(try folder.names == ["empty", "bare"])
        expect(.misuse, saying: "Leave isReadOnly out") {
            _ = try ContextStack(for: Person.self, at: .inMemory, options: options)
        }
    }

    @Test func `a read-only stack throws modelMismatch if a new model needs a write`() throws {
        let folder = try TemporaryFolder("readonly")
        let path = folder.file("store.sqlite")
        try ContextStack(for: Animal.self, at: .file(path)).close()
        let before = try folder.contents()
        expect(.modelMismatch, saying: "Dog is new in the model", "once without isReadOnly") {
            _ = try ContextStack(
                for: Animal.self, Dog.self, at: .file(path), options: options)
        }
        #expect(try folder.bytes("store.sqlite") == before["store.sqlite"])
        try ContextStack(for: Animal.self, Dog.self, at: .file(path)).close()
        try ContextStack(for: Animal.self, Dog.self, at: .file(path), options: options).close()
    }

    @Test func `a read-only stack opens a file and folder without write permission`() throws {
        let folder = try TemporaryFolder("readonly")
        let path = try folder.makeStore()
        chmod(path, 0o444)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        let before = try folder.contents()
        try asNobody {
            let stack = try open(path, options)
            #expect(try peopleCount(stack) == 3)
            expect(.readOnly) { try savePeople(1, in: stack) }
            try stack.close()
            expect(.cannotOpen, saying: "open the store with isReadOnly") {
                _ = try open(path, StoreOptions())
            }
        }
        #expect(try folder.contents() == before)
    }

    @Test func `a stack in a read-only folder throws busy once a writing stack opens`() throws {
        let folder = try TemporaryFolder("readonly")
        let path = try folder.makeStore()
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        let reader = try asNobody { try open(path, options) }
        #expect(try asNobody { try peopleCount(reader) } == 3)
        chmod(folder.path, 0o755)
        let writer = try open(path, StoreOptions())
        try savePeople(1, in: writer)
        chmod(folder.path, 0o555)
        expect(.busy, saying: "Make a new stack") {
            try asNobody { _ = try peopleCount(reader) }
        }
        // With the writer's files beside it, the store can be read with locks.
        let other = try asNobody { try open(path, options) }
        #expect(try asNobody { try peopleCount(other) } == 4)
        try savePeople(1, in: writer)
        #expect(try asNobody { try peopleCount(other) } == 5)
        chmod(folder.path, 0o755)
        try writer.close()
        expect(.busy, saying: "Make a new stack") { _ = try peopleCount(reader) }
    }

    @Test func `opening a store in a read-only folder with an unreadable WAL throws`() throws {
        let folder = try TemporaryFolder("readonly")
        let path = folder.file("live.sqlite")
        let live = try open(path, StoreOptions())
        try savePeople(2, in: live)
        try folder.copy("live.sqlite", to: "copy.sqlite")
        try folder.copy("live.sqlite-wal", to: "copy.sqlite-wal")
        for name in try folder.names { chmod(folder.file(name), 0o644) }
        chmod(folder.path, 0o555)
        expect(.cannotOpen, saying: "copy.sqlite-wal", "copy the file and its log") {
            try asNobody { _ = try open(folder.file("copy.sqlite"), options) }
        }
        chmod(folder.path, 0o755)
        let copy = try open(folder.file("copy.sqlite"), options)
        #expect(try peopleCount(copy) == 2)
        try copy.close()
        try live.close()
    }
}
