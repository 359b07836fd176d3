import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Messages say what is true of the operation that failed.
@Suite("Messages of failures") struct MessageTests {
    @Test func `an empty file is no store and is not removed`() throws {
        let folder = try TemporaryFolder("doors")
        let path = folder.file("empty")
        try Data().write(to: URL(fileURLWithPath: path))
        for suffix in ["-wal", "-shm", "-journal"] {
            try Data().write(to: URL(fileURLWithPath: path + suffix))
        }
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack.destroyStore(at: .file(path))
        }
        #expect(error?.code == .notADatabase && error?.message.contains("left as it is") == true)
        #expect(try folder.names.count == 4)
    }

    @Test func `a store that was opened and never written to is removed`() throws {
        let folder = try TemporaryFolder("doors")
        let path = folder.file("store")
        try ContextStack(for: Box.self, Chest.self, at: .file(path)).close()
        #expect(try ContextStack.destroyStore(at: .file(path)))
        #expect(try folder.names.isEmpty)
    }
}
