import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Options of a store: what they do, and which make no sense.
@Suite struct StoreOptionsTests {
    @Test func `options reach every connection`() throws {
        let folder = try TemporaryFolder("options")
        let recorder = StatementRecorder()
        var options = StoreOptions(busyTimeout: 0.2, cacheSize: 333)
        options.observer = { recorder.record($0) }
        let stack = try ContextStack(
            for: Person.self, at: .file(folder.file("a.sqlite")), options: options)
        _ = try peopleCount(stack)
        let told = recorder.allStatements.filter { $0 == "PRAGMA cache_size=-333" }
        #expect(told.count == 2, "the connection that writes and one that reads")
        let lock = try ForeignLock(path: folder.file("a.sqlite"))
        expect(.busy, saying: "busy time-out") { try savePeople(1, in: stack) }
        try lock.release()
        try savePeople(1, in: stack)
        try stack.close()
    }

    @Test(arguments: [-1, .infinity, .nan] as [Double])
    func `a busy time-out that makes no sense`(seconds: Double) {
        expect(.misuse, saying: "busyTimeout", "0 or more") {
            _ = try ContextStack(
                for: Person.self, at: .inMemory, options: StoreOptions(busyTimeout: seconds))
        }
    }

    @Test(arguments: [0, -1, Int.max])
    func `a cache size that makes no sense`(size: Int) {
        expect(.misuse, saying: "cacheSize", "1 or more") {
            _ = try ContextStack(
                for: Person.self, at: .inMemory, options: StoreOptions(cacheSize: size))
        }
    }
}
