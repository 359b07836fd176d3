import Dispatch
import Foundation
import RecordStack
import RecordStackModel
import RecordStackSQLite
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Readers and writers elsewhere that keep the WAL from being written back.
@Suite("Growth of the WAL") struct LogGrowthTests {
    private struct Setting {
        let test: TestStack
        let path: String
        let told = Told()

        init() throws {
            let told = told
            var options = StoreOptions(busyTimeout: 0.3, sqlDebugLevel: .statements) { event in
                told.add(event)
            }
            options.checkpointPages = 40
            test = try TestStack(entities: [Person.self], at: .temporaryFile, options: options)
            path = try #require(test.path)
        }

        var events: [StoreEvent] { test.recorder.events }

        var growths: [Int] {
            events.compactMap { if case .logGrowth(let pages) = $0 { pages } else { nil } }
        }

        var modes: [String] {
            events.compactMap { if case .checkpoint(_, let mode) = $0 { mode } else { nil } }
        }

        /// Saves until the writer has attempted `count` checkpoints.
        func save(untilCheckpoints count: Int) throws {
            var rounds = 0
            while modes.count < count && rounds < 500 {
                rounds += 1
                try savePeople(20, in: test.stack)
            }
            #expect(modes.count >= count)
        }
    }

    private final class Told: Sendable {
        private let heard = Mutex<[SQLDebugEvent]>([])
        func add(_ event: SQLDebugEvent) { heard.withLock { $0.append(event) } }
        var growths: [SQLDebugEvent] { heard.withLock { $0.filter { $0.kind == .logGrowth } } }
    }

    @Test func `a stack runs no checkpoint if another process has the checkpoint lock`() throws {
        let setting = try Setting()
        let stack = setting.test.stack
        try savePeople(1, in: stack)
        // The lock belongs to another open file, as in another process.
        let log = open(setting.path + "-wal", O_RDONLY)
        #expect(flock(log, LOCK_EX | LOCK_NB) == 0)
        var rounds = 0
        while setting.growths.isEmpty && rounds < 500 {
            rounds += 1
            try savePeople(20, in: stack)
        }
        #expect(!setting.growths.isEmpty && setting.modes.isEmpty)
        close(log)
        try setting.save(untilCheckpoints: 1)
        // The stack releases the lock after the checkpoint.
        let other = open(setting.path + "-wal", O_RDONLY)
        var naps = 0
        while flock(other, LOCK_EX | LOCK_NB) != 0 && naps < 1_000 {
            naps += 1
            usleep(10_000)
        }
        #expect(naps < 1_000)
        close(other)
    }

    /// If the file were closed twice, its number could belong to another thread's file the second
    /// time.
    @Test func `failing to take the checkpoint lock closes the WAL file only once`() throws {
        let folder = try TemporaryFolder("lock")
        let path = folder.file("a.sqlite")
        let log = open(path + "-wal", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(log) }
        #expect(flock(log, LOCK_EX | LOCK_NB) == 0)
        errno = 0
        let isMine = CheckpointLock(path: path) != nil
        #expect(!isMine && errno == EWOULDBLOCK)
    }

    @Test func `another program's endless read lets the WAL grow and is reported`() throws {
        let setting = try Setting()
        let stack = setting.test.stack
        try savePeople(1, in: stack)
        let reader = try ForeignProgram(path: setting.path)
        try reader.run("BEGIN; SELECT count(*) FROM Person")
        try setting.save(untilCheckpoints: 3)
        try savePeople(1, in: stack)
        // Each time, the WAL must be twice as long, so saves do not wait for the reader every time.
        #expect(setting.growths.count >= 2)
        #expect(zip(setting.growths, setting.growths.dropFirst()).allSatisfy { $1 >= 2 * $0 })
        #expect(setting.told.growths.count == setting.growths.count)
        #expect(setting.told.growths.first?.text.contains("cannot be written back") == true)
        let grown = try stack.storeSize.logBytes
        #expect(grown > 100 * 4_096)
        // The reader still sees what it saw, because no checkpoint has passed it.
        #expect(try reader.rows("SELECT count(*) FROM Person") == [["1"]])
        try reader.run("COMMIT")
        let before = setting.modes.count
        try setting.save(untilCheckpoints: before + 1)
        try savePeople(1, in: stack)
        #expect(setting.modes.last == "TRUNCATE" && !setting.modes.contains("PASSIVE"))
        #expect(try stack.storeSize.logBytes < grown / 4, "one checkpoint has cut it off")
        let count = try peopleCount(stack)
        try stack.close()
        #expect(
            try peopleCount(try ContextStack(for: Person.self, at: .file(setting.path))) == count)
    }

    @Test func `consecutive reads do not keep the WAL from being written back`() throws {
        let setting = try Setting()
        let stack = setting.test.stack
        try savePeople(200, in: stack)
        let isOver = Atomic(false)
        let readers = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: readers) {
                let context = stack.newContext()
                while !isOver.load(ordering: .relaxed) {
                    do { _ = try Person.find(limit: 1_000, in: context) } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        var rounds = 0
        while setting.modes.count < 150 && rounds < 1_000 {
            rounds += 1
            try savePeople(1_000, in: stack)
        }
        isOver.store(true, ordering: .relaxed)
        readers.wait()
        #expect(setting.modes.count >= 150)
        // A reader that a busy machine suspends blocks one checkpoint. A WAL that is never written
        // back would reach thousands of pages, and each doubling would be reported.
        #expect(setting.growths.allSatisfy { $0 < 400 }, "\(setting.growths)")
    }

    /// A reader that begins to read the last save just before a checkpoint begins, and goes on for
    /// some milliseconds.
    ///
    /// - Note: `@unchecked Sendable`, because one thread after another uses the reader.
    private final class ShortReader: @unchecked Sendable {
        private let reader: ForeignProgram
        private let isArmed = Mutex(false)
        private let reading = DispatchGroup()

        init(path: String) throws { reader = try ForeignProgram(path: path) }

        func arm() { isArmed.withLock { $0 = true } }

        func observe(_ event: StoreEvent) {
            guard case .checkpoint = event, isArmed.withLock({ $0 }) else { return }
            isArmed.withLock { $0 = false }
            try? reader.run("BEGIN; SELECT count(*) FROM Person")
            reading.enter()
            // A thread instead of a queue, because a queue has to wait for its turn while other
            // tests run.
            Thread.detachNewThread { [self] in
                usleep(5_000)
                try? reader.run("COMMIT")
                reading.leave()
            }
        }

        func wait() { reading.wait() }
    }

    /// The read does not keep pages from being written back, but keeps the WAL from being
    /// restarted. SQLite then reports at once that it is busy.
    @Test func `a checkpoint waits for another program's short read to end`() throws {
        let folder = try TemporaryFolder("log")
        let path = folder.file("a.sqlite")
        let recorder = StatementRecorder()
        let observer = Mutex<ShortReader?>(nil)
        var options = StoreOptions()
        options.checkpointPages = 40
        options.observer = { event in
            recorder.record(event)
            observer.withLock { $0 }?.observe(event)
        }
        let stack = try ContextStack(entities: [Person.self], at: .file(path), options: options)
        try savePeople(1, in: stack)
        let reader = try ShortReader(path: path)
        observer.withLock { $0 = reader }
        var (seen, waits) = (0, 0)
        // A busy machine may take longer than a save waits.
        for _ in 0..<20 where waits == 0 {
            reader.arm()
            try savePeople(1_000, in: stack)
            stack.coordinator.waitForCheckpoint()
            reader.wait()
            let events = recorder.events[seen...]
            seen = recorder.events.count
            let isTried = events.contains { if case .checkpoint = $0 { true } else { false } }
            let isLeft = events.contains { if case .logGrowth = $0 { true } else { false } }
            if isTried && !isLeft { waits += 1 }
        }
        #expect(waits > 0)
    }

    /// An observer that takes the write lock just before a checkpoint begins.
    ///
    /// - Note: `@unchecked Sendable`, because everything is under the lock.
    private final class Trap: @unchecked Sendable {
        private let state = Mutex(false)
        private var lock: ForeignLock?
        private(set) var fileBefore: Data?

        func arm() { state.withLock { $0 = true } }

        func observe(_ event: StoreEvent, path: String) {
            guard case .checkpoint = event else { return }
            state.withLock { isArmed in
                guard isArmed else { return }
                isArmed = false
                lock = try? ForeignLock(path: path)
                fileBefore = try? Data(contentsOf: URL(fileURLWithPath: path))
            }
        }

        func release() throws {
            try state.withLock { _ in
                try #require(lock).release()
                lock = nil
            }
        }
    }

    @Test func `a checkpoint writes nothing if another program takes the lock first`() throws {
        let folder = try TemporaryFolder("log")
        let path = folder.file("a.sqlite")
        let trap = Trap()
        let recorder = StatementRecorder()
        var options = StoreOptions(busyTimeout: 0.3)
        // So many pages that the WAL is not long by itself when it can be written back.
        options.checkpointPages = 40
        options.observer = { event in
            recorder.record(event)
            trap.observe(event, path: path)
        }
        let stack = try ContextStack(entities: [Person.self], at: .file(path), options: options)
        trap.arm()
        try savePeople(4_000, in: stack)
        // The checkpoint follows that save, and the next save waits for the lock.
        stack.coordinator.waitForCheckpoint()
        expect(.busy) { try savePeople(1, in: stack) }
        let isAssigned = recorder.events.contains {
            if case .logGrowth = $0 { true } else { false }
        }
        #expect(isAssigned)
        // A PASSIVE checkpoint, to which SQLite silently falls back, would have written pages.
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == trap.fileBefore)
        let log = try stack.storeSize.logBytes
        try trap.release()
        func modes() -> [String] {
            recorder.events.compactMap {
                if case .checkpoint(_, let mode) = $0 { mode } else { nil }
            }
        }
        let before = modes().count
        var saved = 4_000
        while modes().count == before && saved < 20_000 {
            try savePeople(50, in: stack)
            saved += 50
            stack.coordinator.waitForCheckpoint()
        }
        try savePeople(1, in: stack)
        #expect(modes().dropFirst(before) == ["TRUNCATE"])
        #expect(try stack.storeSize.logBytes < log, "one checkpoint has cut the log off")
        #expect(try stack.storeSize.fileBytes > log / 2, "the log was written back after all")
        #expect(try peopleCount(stack) == saved + 1)
        try stack.close()
    }

    @Test func `a save throws busy if another program holds the lock past the timeout`() throws {
        let setting = try Setting()
        let stack = setting.test.stack
        try savePeople(1, in: stack)
        let lock = try ForeignLock(path: setting.path)
        let before = try Data(contentsOf: URL(fileURLWithPath: setting.path))
        let context = stack.newContext()
        try Person.create(in: context, email: "late")
        expect(.busy, saying: "Try again") { try context.saveAndWait() }
        #expect(try peopleCount(stack) == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: setting.path)) == before)
        try lock.release()
        try context.saveAndWait()
        #expect(try peopleCount(stack) == 2)
    }
}
