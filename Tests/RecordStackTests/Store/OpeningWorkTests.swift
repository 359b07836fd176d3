import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// The work that opening a store does, and the work that it leaves until it is needed.
@Suite("Work of opening a store") struct OpeningWorkTests {
    private func open(
        _ path: String, _ recorder: StatementRecorder, busyTimeout: Double = 5
    ) throws -> ContextStack {
        var options = StoreOptions(busyTimeout: busyTimeout)
        options.observer = { recorder.record($0) }
        return try ContextStack(for: Person.self, at: .file(path), options: options)
    }

    /// Returns the numbers of the connections that were opened. The writer has number 1.
    private func connections(_ recorder: StatementRecorder) -> [Int] {
        recorder.events.compactMap { if case .opened(let number) = $0 { number } else { nil } }
    }

    @Test func `a stack reuses the connection that inspected its file for later reads`() throws {
        let folder = try TemporaryFolder("looked")
        let path = try folder.makeStore()
        let (first, second) = (StatementRecorder(), StatementRecorder())
        let stack = try open(path, first)
        #expect(try peopleCount(stack) == 3)
        #expect(connections(first) == [0, 2], "without a log, one looks that can make no file")
        let other = try open(path, second)
        #expect(try peopleCount(other) == 3)
        #expect(connections(second) == [2])
        try savePeople(1, in: other)
        #expect(connections(second) == [2, 1])
        #expect(try peopleCount(stack) == 4)
        try stack.close()
        try other.close()
        #expect(try folder.names == ["store.sqlite"])
    }

    @Test func `opening a store waits for no other program's lock, but saving does`() throws {
        let folder = try TemporaryFolder("writer")
        let path = try folder.makeStore()
        let lock = try ForeignLock(path: path)
        let stack = try open(path, StatementRecorder(), busyTimeout: 0.1)
        #expect(try peopleCount(stack) == 3)
        expect(.busy, saying: "busy time-out") { try savePeople(1, in: stack) }
        try lock.release()
        try savePeople(1, in: stack)
        #expect(try peopleCount(stack) == 4)
        try stack.close()
    }

    @Test func `a writable stack that only reads writes back a WAL left by a crash`() throws {
        let folder = try TemporaryFolder("found")
        let original = try ContextStack(for: Person.self, at: .file(folder.file("original")))
        try savePeople(3, in: original)
        // The files as a killed process leaves them.
        try folder.copy("original", to: "left")
        try folder.copy("original-wal", to: "left-wal")
        try original.close()
        let recorder = StatementRecorder()
        let stack = try open(folder.file("left"), recorder)
        #expect(try peopleCount(stack) == 3)
        try stack.close()
        #expect(try folder.names.sorted() == ["left", "original"])
        #expect(connections(recorder) == [2, 1])
        let rows = try ForeignProgram(path: folder.file("left")).rows(
            "SELECT count(*) FROM Person")
        #expect(rows == [["3"]])
    }

    @Test func `opening a store whose header forbids writing throws corrupt`() throws {
        let folder = try TemporaryFolder("header")
        let path = try folder.makeStore()
        for hasLog in [false, true] {
            var bytes = try folder.bytes("store.sqlite")
            bytes[18] = 3
            try bytes.write(to: URL(fileURLWithPath: path))
            if hasLog { try Data().write(to: URL(fileURLWithPath: path + "-wal")) }
            expect(.corrupt, saying: "must not be written to") {
                _ = try open(path, StatementRecorder())
            }
        }
    }

    @Test func `a stored model with extra spaces is the same model`() throws {
        let folder = try TemporaryFolder("spaces")
        let path = try folder.makeStore()
        try ForeignProgram(path: path).run(
            "UPDATE _recordstack SET value = replace(value, ',', ' , ') WHERE name = 'model'")
        let stack = try open(path, StatementRecorder())
        try savePeople(1, in: stack)
        #expect(try peopleCount(stack) == 4)
        try stack.close()
    }

    @Test func `the model is stored as JSONEncoder writes it`() throws {
        let folder = try TemporaryFolder("text")
        for entities in [[Oddly.self], [Dog.self, Person.self]] as [[ManagedObject.Type]] {
            let path = folder.file("\(entities.count)")
            let stack = try ContextStack(
                entities: entities, at: .file(path), options: StoreOptions())
            let program = try ForeignProgram(path: path)
            let rows = try program.rows("SELECT value FROM _recordstack WHERE name = 'model'")
            let text = try #require(rows.first?.first)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let model = try JSONDecoder().decode(StoredModel.self, from: Data(text.utf8))
            #expect(try encoder.encode(model) == Data(text.utf8), "\(text)")
            try stack.close()
        }
    }
}

/// An entity whose names have everything that JSON escapes.
@Entity(.stored(as: "a \"table\" / \\ \u{1}")) private final class Oddly: ManagedObject {
    @Attribute(.indexed, .stored(as: "\u{8}\t\n\u{C}\r\u{F}\u{10}\u{1F}\u{7F}é😀")) var text: String?
    @Relationship var other: Oddly?
}

/// The description of the model in a store.
private struct StoredModel: Codable {
    struct Column: Codable {
        let name: String
        let type: String
        let storage: String
        let isOptional: Bool
        let isUnique: Bool
        let index: String?
        let destination: String?
    }

    struct Entity: Codable {
        let name: String
        let superentity: String?
        let table: String
        let columns: [Column]
        let unique: [[String]]
        let indexed: [[String]]
    }

    let entities: [Entity]
}
