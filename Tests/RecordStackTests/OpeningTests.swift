import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing
import ThreadIdentity

/// Files that are not a stack's store. The stack refuses them and writes nothing to any of them.
@Suite("Opening files that are not the store") struct OpeningTests {
    private func expect(
        _ code: RecordStackError.Code, opening path: String, in folder: TemporaryFolder,
        _ entities: [ManagedObject.Type] = [Person.self, Team.self],
        mentioning words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try folder.contents()
        do {
            _ = try ContextStack(
                entities: entities, at: .file(path), options: StoreOptions())
            Issue.record("the stack opened", sourceLocation: sourceLocation)
        } catch let error as RecordStackError {
            #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
            for word in words {
                #expect(error.message.contains(word), "\(error)", sourceLocation: sourceLocation)
            }
        }
        #expect(try folder.contents() == before, sourceLocation: sourceLocation)
    }

    @Test func `opening a store of another model throws modelMismatch`() throws {
        let folder = try TemporaryFolder("opening")
        let path = folder.file("store.sqlite")
        try ContextStack(for: Animal.self, Dog.self, at: .file(path)).close()
        try expect(
            .modelMismatch, opening: path, in: folder, mentioning: "Person is new in the model",
            "Dog is in the store only")
        try ContextStack(for: Animal.self, Dog.self, at: .file(path)).close()
        try ContextStack(for: Dog.self, Animal.self, at: .file(path)).close()
    }

    @Test func `a model mismatch names the property that differs`() throws {
        let folder = try TemporaryFolder("opening")
        let path = folder.file("store.sqlite")
        try ContextStack(for: Person.self, at: .file(path)).close()
        try ForeignProgram(path: path).run(
            """
            UPDATE _recordstack SET value = replace(
                value, '"isOptional":false,"isUnique":true,"name":"email"',
                '"isOptional":true,"isUnique":true,"name":"email"')
            WHERE name = 'model'
            """)
        try expect(
            .modelMismatch, opening: path, in: folder,
            mentioning: "Person.email is String unique, in the store String optional unique")
    }

    @Test func `opening a store with another model throws while a stack has it open`() throws {
        let folder = try TemporaryFolder("opening")
        let path = folder.file("store.sqlite")
        let stack = try ContextStack(for: Animal.self, at: .file(path))
        let context = stack.newContext()
        try Animal.create(in: context, name: "Cat")
        _ = try waitedSave(context)
        // The WAL has what the file does not have yet, so it must be read.
        #expect(throws: RecordStackError.self) {
            try ContextStack(for: Person.self, at: .file(path))
        }
        #expect(try Animal.count(in: context) == 1)
        try stack.close()
    }

    @Test func `opening a store of a newer format throws newerFormat`() throws {
        let folder = try TemporaryFolder("opening")
        let path = folder.file("store.sqlite")
        try ContextStack(for: Person.self, at: .file(path)).close()
        try ForeignProgram(path: path).run(
            "UPDATE _recordstack SET value = 99 WHERE name = 'format'")
        try expect(.newerFormat, opening: path, in: folder, mentioning: "99", "Update the program")
    }

    @Test func `opening another program's database throws modelMismatch`() throws {
        let folder = try TemporaryFolder("opening")
        let path = folder.file("store.sqlite")
        try ForeignProgram(path: path).run("CREATE TABLE Person (name TEXT)")
        try expect(.modelMismatch, opening: path, in: folder, mentioning: "another program")
        let logged = folder.file("logged.sqlite")
        let program = try ForeignProgram(path: logged)
        try program.run("PRAGMA journal_mode=WAL; CREATE TABLE Person (name TEXT)")
        #expect(throws: RecordStackError.self) {
            try ContextStack(for: Person.self, at: .file(logged))
        }
        #expect(try program.rows("SELECT count(*) FROM Person") == [["0"]])
    }

    @Test func `opening a file that is not a database throws notADatabase`() throws {
        let folder = try TemporaryFolder("opening")
        let text = folder.file("notes.txt")
        try Data("These are notes, long enough to be looked at. ".utf8).write(
            to: URL(fileURLWithPath: text))
        try expect(.notADatabase, opening: text, in: folder)
        let short = folder.file("short")
        try Data("x".utf8).write(to: URL(fileURLWithPath: short))
        try expect(.notADatabase, opening: short, in: folder)
    }

    @Test func `a directory, a missing folder and an invalid path cannot be opened`() throws {
        let folder = try TemporaryFolder("opening")
        try FileManager.default.createDirectory(
            atPath: folder.file("directory"), withIntermediateDirectories: false)
        try expect(
            .cannotOpen, opening: folder.file("directory"), in: folder, mentioning: "directory")
        try expect(.cannotOpen, opening: folder.file("missing/store.sqlite"), in: folder)
        try expect(.cannotOpen, opening: "", in: folder)
        try expect(.cannotOpen, opening: folder.file("nul\0byte"), in: folder)
    }

    /// Runs a body as a user without privileges, because root may read and write everything.
    private func asNobody<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard getuid() == 0 else { return try body() }
        #expect(thread_become(65_534) == 0)
        defer { #expect(thread_become(0) == 0) }
        return try body()
    }

    @Test(arguments: [0, 0o444] as [mode_t])
    func `opening a file without permission throws cannotOpen`(mode: mode_t) throws {
        let folder = try TemporaryFolder("opening")
        let path = folder.file("store.sqlite")
        try ContextStack(for: Person.self, at: .file(path)).close()
        let before = try folder.contents()
        chmod(path, mode)
        let error = #expect(throws: RecordStackError.self) {
            try asNobody { try ContextStack(for: Person.self, at: .file(path)) }
        }
        chmod(path, 0o600)
        #expect(error?.code == .cannotOpen && error?.message.contains("permission") == true)
        #expect(try folder.contents() == before)
    }

    @Test(arguments: [true, false])
    func `opening a store in a read-only folder throws cannotOpen`(isThere: Bool) throws {
        let folder = try TemporaryFolder("opening")
        let path = folder.file("store.sqlite")
        if isThere {
            try ContextStack(for: Person.self, at: .file(path)).close()
            chmod(path, 0o666)
        }
        let before = try folder.contents()
        // A store has three files, and the other two cannot be created here.
        chmod(folder.path, 0o555)
        let error = #expect(throws: RecordStackError.self) {
            try asNobody { try ContextStack(for: Person.self, at: .file(path)) }
        }
        chmod(folder.path, 0o755)
        #expect(error?.code == .cannotOpen, "\(String(describing: error))")
        #expect(error?.message.contains("folder") == true, "\(String(describing: error))")
        #expect(try folder.contents() == before)
    }

    @Test func `an empty file becomes a store, whatever characters its path has`() async throws {
        let folder = try TemporaryFolder("opening")
        for name in ["empty", "with space ?#%41.sqlite", "für Ännchen 🙂", "100%"] {
            let path = folder.file(name)
            try Data().write(to: URL(fileURLWithPath: path))
            for round in 0..<2 {
                let stack = try ContextStack(for: Person.self, at: .file(path))
                try await stack.saveWithBlock { context in
                    _ = try Person.create(in: context, email: "\(round)")
                }
                #expect(try await stack.read { try Person.count(in: $0) } == round + 1)
                try stack.close()
            }
            #expect(try folder.contents().keys.filter { $0.hasPrefix(name) } == [name])
        }
    }

    @Test func `a store's path can begin with two slashes and contain dot-dot parts`() async throws
    {
        let folder = try TemporaryFolder("opening")
        let path = folder.file("store.sqlite")
        for (round, path) in [path, "/" + path, folder.file("../\(folder.name)//store.sqlite")]
            .enumerated()
        {
            let stack = try ContextStack(for: Person.self, at: .file(path))
            try await stack.saveWithBlock { context in
                _ = try Person.create(in: context, email: "\(round)")
            }
            #expect(try await stack.read { try Person.count(in: $0) } == round + 1)
            try stack.close()
        }
        #expect(try folder.names == ["store.sqlite"])
    }

    @Test func `a model with an invalid column or entity is refused`() throws {
        func message(_ entities: ManagedObject.Type...) -> String? {
            do {
                _ = try ContextStack(
                    entities: entities, at: .inMemory, options: StoreOptions())
                return nil
            } catch {
                return (error as? RecordStackError)?.message
            }
        }
        #expect(message(TwinColumns.self)?.contains("share the column") == true)
        #expect(message(ReservedColumn.self)?.contains("_hidden") == true)
        #expect(message(ManagedObject.self) != nil)
        #expect(message(OfPlainClass.self)?.contains("PlainClass is no entity") == true)
    }

    @Test func `a class without @Entity is refused with the advice to write it`() throws {
        for open in [
            { try ContextStack(for: PlainClass.self, at: .inMemory) },
            { try ContextStack(for: Person.self, Team.self, PlainClass.self, at: .inMemory) },
        ] {
            let error = #expect(throws: RecordStackError.self) { _ = try open() }
            #expect(
                error?.message.contains("PlainClass is no entity. Write @Entity before the class.")
                    == true, "\(String(describing: error))")
        }
    }

    @Test func `using an entity that the model lacks throws and names the remedy`() throws {
        let test = try TestStack(for: Animal.self)
        let context = test.stack.newContext()
        let error = #expect(throws: RecordStackError.self) { try Dog.create(in: context) }
        #expect(error?.code == .misuse && error?.message.contains("Add Dog.self") == true)
        #expect(throws: RecordStackError.self) { try Person.find(in: context) }
    }
}

class PlainClass: ManagedObject {}

@Entity final class OfPlainClass: PlainClass {
    @Attribute var name: String
}

@Entity final class TwinColumns: ManagedObject {
    @Attribute var name: String
    @Attribute(.stored(as: "NAME")) var other: String
}

@Entity final class ReservedColumn: ManagedObject {
    @Attribute(.stored(as: "_hidden")) var name: String
}
