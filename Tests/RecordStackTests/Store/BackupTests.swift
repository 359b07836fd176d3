import Foundation
import RecordStack
import RecordStackModel
import Synchronization
import TestSupport
import Testing

/// Copies of a store that is in use.
@Suite("Backups") struct BackupTests {
    private func open(_ path: String) throws -> ContextStack {
        try ContextStack(for: Person.self, Team.self, at: .file(path))
    }

    private func code(_ body: () async throws -> Void) async -> RecordStackError.Code? {
        await RecordStackError.of(body)?.code
    }

    @Test func `a backup is one file with all saves, and opens as a store`() async throws {
        let folder = try TemporaryFolder("backup")
        let stack = try open(folder.file("a.sqlite"))
        try savePeople(200, in: stack)
        try await stack.backup(to: folder.file("b.sqlite"))
        #expect(try folder.names == ["a.sqlite", "a.sqlite-wal", "a.sqlite-shm", "b.sqlite"])
        // A backup can be read where nothing can be written.
        let readOnly = try ContextStack(
            for: Person.self, Team.self, at: .file(folder.file("b.sqlite")),
            options: StoreOptions(isReadOnly: true))
        #expect(try peopleCount(readOnly) == 200)
        try readOnly.close()
        #expect(try folder.names.count == 4, "no log comes into being")
        let backup = try open(folder.file("b.sqlite"))
        #expect(try await backup.integrityCheck().isEmpty)
        #expect(try peopleCount(backup) == 200)
        #expect(backup.coordinator.storeUUID == stack.coordinator.storeUUID)
        try savePeople(1, in: backup)
        #expect(try peopleCount(stack) == 200)
    }

    @Test func `a backup made during saves contains whole saves only`() async throws {
        let folder = try TemporaryFolder("backup")
        let stack = try open(folder.file("a.sqlite"))
        let isDone = Atomic(false)
        // Each save adds 25 people and writes its number into the team's title, so a torn copy
        // shows.
        try await stack.saveWithBlock { _ = try Team.create(in: $0, title: "0") }
        let writing = Task {
            var saved = 0
            while !isDone.load(ordering: .relaxed) || saved < 20 {
                saved += 1
                try await stack.saveWithBlock { [saved] context in
                    for index in 0..<25 {
                        try Person.create(in: context, email: "\(saved)-\(index)")
                    }
                    try Team.findFirst(in: context)?.title = String(saved)
                }
            }
            return saved
        }
        var last = 0
        for round in 0..<8 {
            let path = folder.file("b\(round)")
            try await stack.backup(to: path)
            let backup = try open(path)
            #expect(try await backup.integrityCheck().isEmpty)
            let team = try await backup.read { try Team.findFirst(in: $0)?.title ?? "" }
            let noted = try #require(Int(team))
            #expect(try peopleCount(backup) == noted * 25 && noted >= last)
            last = noted
            try backup.close()
        }
        isDone.store(true, ordering: .relaxed)
        let saved = try await writing.value
        #expect(try peopleCount(stack) == saved * 25)
        try stack.close()
    }

    @Test func `a backup throws fileExists for an existing file unless told to replace`()
        async throws
    {
        let folder = try TemporaryFolder("backup")
        let stack = try open(folder.file("a.sqlite"))
        try savePeople(2, in: stack)
        try await stack.backup(to: folder.file("b.sqlite"))
        try savePeople(2, in: stack)
        let before = try folder.bytes("b.sqlite")
        let error = await RecordStackError.of {
            try await stack.backup(to: folder.file("b.sqlite"))
        }
        #expect(error?.code == .fileExists && error?.message.contains("replacing: true") == true)
        #expect(try folder.bytes("b.sqlite") == before)
        try await stack.backup(to: folder.file("b.sqlite"), replacing: true)
        let backup = try open(folder.file("b.sqlite"))
        #expect(try peopleCount(backup) == 4)
        // The backup is open now, and a new file would be read with the old file's log.
        let busy = await RecordStackError.of {
            try await stack.backup(to: folder.file("b.sqlite"), replacing: true)
        }
        #expect(busy?.code == .busy && busy?.message.contains("destroyStore") == true)
        try savePeople(1, in: backup)
        try backup.close()
        try await stack.backup(to: folder.file("b.sqlite"), replacing: true)
        #expect(try peopleCount(try open(folder.file("b.sqlite"))) == 4)
    }

    @Test func `a backup to its own store or to a folder throws and creates nothing`() async throws
    {
        let folder = try TemporaryFolder("backup")
        let stack = try open(folder.file("a.sqlite"))
        try savePeople(1, in: stack)
        symlink(folder.file("a.sqlite"), folder.file("link"))
        let names = try folder.names
        for replacing in [false, true] {
            for name in ["a.sqlite", "./a.sqlite", "link", "../\(folderName(folder))/a.sqlite"] {
                #expect(
                    await code {
                        try await stack.backup(to: folder.file(name), replacing: replacing)
                    } == .misuse, "\(name) is the store itself")
            }
            for path in ["", folder.path, folder.file("missing/b"), folder.file("b/"), "/dev/null"]
            {
                #expect(
                    await code { try await stack.backup(to: path, replacing: replacing) }
                        .map { [.cannotOpen, .fileExists].contains($0) } == true, "\(path)")
            }
        }
        #expect(try folder.names == names)
    }

    private func folderName(_ folder: TemporaryFolder) -> String {
        URL(fileURLWithPath: folder.path).lastPathComponent
    }

    @Test func `a cancelled backup leaves no file`() async throws {
        let folder = try TemporaryFolder("backup")
        let stack = try open(folder.file("a.sqlite"))
        try savePeople(30_000, in: stack)
        let names = try folder.names
        let isCancelled = Mutex<Task<Void, any Error>?>(nil)
        let task = Task {
            try await stack.backup(to: folder.file("b.sqlite")) { progress in
                #expect(progress.fraction <= 1 && progress.pagesCopied > 0)
                isCancelled.withLock { $0?.cancel() }
            }
        }
        isCancelled.withLock { $0 = task }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try folder.names == names)
    }

    @Test
    func `a backup removes files that a killed process left of the same backup`() async throws {
        let folder = try TemporaryFolder("backup")
        let stack = try open(folder.file("a.sqlite"))
        try savePeople(1, in: stack)
        // No process has the first number, and this process has the second.
        let dead = ".b.sqlite.999999999-ABCDEFGH.backup"
        let kept = [
            ".b.sqlite.\(getpid())-ABCDEFGH.backup", ".c.sqlite.999999999-A.backup",
            ".b.sqlite.backup",
        ]
        for name in kept + [dead, dead + "-journal"] {
            try Data().write(to: URL(fileURLWithPath: folder.file(name)))
        }
        try await stack.backup(to: folder.file("b.sqlite"))
        let hidden = try folder.names.filter { $0.hasPrefix(".") }
        #expect(hidden == Set(kept))
    }

    @Test func `the progress of a backup increases up to the end`() async throws {
        let folder = try TemporaryFolder("backup")
        let stack = try open(folder.file("a.sqlite"))
        try savePeople(20_000, in: stack)
        let steps = Mutex<[BackupProgress]>([])
        try await stack.backup(to: folder.file("b.sqlite")) { step in
            steps.withLock { $0.append(step) }
        }
        let heard = steps.withLock { $0 }
        #expect(heard.count > 1 && heard.last?.fraction == 1)
        #expect(heard.map(\.pagesCopied) == heard.map(\.pagesCopied).sorted())
        #expect(Set(heard.map(\.pageCount)) == [try stack.storeSize.pageCount])
    }

    @Test func `a backup copies a store in memory to a file`() async throws {
        let folder = try TemporaryFolder("backup")
        let stack = try ContextStack(for: Person.self, at: .inMemory)
        try savePeople(3, in: stack)
        try await stack.backup(to: folder.file("b.sqlite"))
        #expect(try folder.names == ["b.sqlite"])
        #expect(try peopleCount(try open(folder.file("b.sqlite"))) == 3)
        try savePeople(1, in: stack)
        #expect(try peopleCount(stack) == 4)
    }

    @Test func `a backup or maintenance of a closed stack throws closed`() async throws {
        let folder = try TemporaryFolder("backup")
        let stack = try open(folder.file("a.sqlite"))
        try stack.close()
        #expect(await code { try await stack.backup(to: folder.file("b")) } == .closed)
        #expect(await code { _ = try await stack.integrityCheck() } == .closed)
        #expect(await code { try await stack.vacuum() } == .closed)
        #expect(await code { _ = try stack.storeSize } == .closed)
        #expect(try folder.names == ["a.sqlite"])
    }
}
