import Foundation
import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Paths of all kinds, which work or are refused with advice.
@Suite("Store paths") struct StorePathTests {
    private func open(_ path: String) throws -> ContextStack {
        try ContextStack(for: Person.self, at: .file(path))
    }

    private let names = [
        "with space", "a?b#c%41", "für Ännchen 🙂", "100%", ":memory:", "file:a.sqlite?mode=memory",
        "file::memory:", "'; DROP TABLE x; --", "back\\slash", "-wal", "~", "$HOME", "new\nline",
        "a&b=c",
        String(repeating: "n", count: 200),
    ]

    @Test func `special characters in a store's path have no special meaning`() async throws {
        let folder = try TemporaryFolder("paths")
        for name in names {
            let stack = try open(folder.file(name))
            try savePeople(2, in: stack)
            #expect(try folder.names.isSuperset(of: [name, name + "-wal"]), "\(name)")
            try await stack.backup(to: folder.file("b " + name))
            try stack.close()
            let readOnly = try ContextStack(
                for: Person.self, at: .file(folder.file(name)),
                options: StoreOptions(isReadOnly: true))
            #expect(try peopleCount(readOnly) == 2)
            try readOnly.close()
            #expect(try ContextStack.destroyStore(at: .file(folder.file(name))))
            #expect(try ContextStack.destroyStore(at: .file(folder.file("b " + name))))
            #expect(try folder.names.isEmpty, "\(name)")
        }
    }

    @Test func `different paths to one file open the same store`() throws {
        let folder = try TemporaryFolder("paths")
        let path = folder.file("store.sqlite")
        let stack = try open(path)
        try FileManager.default.createDirectory(
            atPath: folder.file("sub"), withIntermediateDirectories: false)
        symlink(path, folder.file("link"))
        symlink(folder.path, folder.file("sub/folder"))
        symlink("store.sqlite", folder.file("relative"))
        let spellings = [
            "//" + path, folder.path + "//store.sqlite", folder.file("./store.sqlite"),
            folder.file("sub/../store.sqlite"), folder.file("link"), folder.file("relative"),
            folder.file("sub/folder/store.sqlite"), folder.file("sub/folder/link"),
        ]
        for (index, spelling) in spellings.enumerated() {
            let other = try open(spelling)
            try savePeople(1, in: other)
            #expect(try peopleCount(stack) == index + 1, "\(spelling)")
            try savePeople(0, in: stack)
            expect(.busy) { try ContextStack.destroyStore(at: .file(spelling)) }
            try other.close()
        }
        #expect(
            try folder.names == [
                "store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "sub", "link", "relative",
            ], "there is one log, beside the file itself")
        try stack.close()
    }

    @Test func `redirecting a symbolic link to an open store does not move the store`() throws {
        let folder = try TemporaryFolder("paths")
        let first = try folder.makeStore("first", people: 1)
        let second = try folder.makeStore("second", people: 2)
        symlink(first, folder.file("current"))
        let stack = try open(folder.file("current"))
        unlink(folder.file("current"))
        symlink(second, folder.file("current"))
        try savePeople(3, in: stack)
        #expect(try peopleCount(stack) == 4)
        try stack.close()
        #expect(try peopleCount(try open(first)) == 4)
        #expect(try peopleCount(try open(second)) == 2)
    }

    @Test func `opening a store at an unusable path throws cannotOpen with advice`() throws {
        let folder = try TemporaryFolder("paths")
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("plain")))
        symlink("nowhere", folder.file("dangling"))
        symlink("circle", folder.file("circle"))
        mkfifo(folder.file("pipe"), 0o600)
        let before = try folder.names
        let long =
            folder.path + String(repeating: "/./" + String(repeating: "x", count: 200), count: 3)
        let tooLong = folder.path + "/" + String(repeating: "x", count: 300)
        for (path, words) in [
            ("", ["empty", "name of a file"]), ("a\0b", ["NUL"]),
            (folder.file("new.sqlite/"), ["slash", "name of a file"]),
            (folder.path, ["directory"]), ("/", ["slash"]), (".", ["directory"]),
            ("/dev/null", ["regular file"]), (folder.file("pipe"), ["regular file"]),
            (folder.file("missing/a"), ["does not exist", "Make the folder"]),
            ("~/a", ["the folder ~ does not exist", "only a shell expands ~"]),
            (folder.file("plain/a"), ["file", "another path"]),
            (folder.file("dangling"), ["link", "lead to a store"]),
            (folder.file("circle"), ["circle", "another path"]),
            (tooLong, ["too long", "shorter"]), (long, ["does not exist"]),
            ("/proc/new.sqlite", ["Choose another", "/proc"]),
        ] {
            for options in [StoreOptions(), StoreOptions(isReadOnly: true)] {
                let error = #expect(throws: RecordStackError.self, "\(path)") {
                    _ = try ContextStack(for: Person.self, at: .file(path), options: options)
                }
                #expect(error?.code == .cannotOpen, "\(path): \(String(describing: error))")
                if options.isReadOnly { continue }
                for word in words where !path.hasPrefix("/proc") {
                    #expect(error?.message.contains(word) == true, "\(String(describing: error))")
                }
            }
        }
        #expect(try folder.names == before)
    }

    @Test func `the longest possible path works, and a longer path is refused`() throws {
        let folder = try TemporaryFolder("paths")
        var path = folder.path
        while path.utf8.count < 400 { path += "/" + String(repeating: "d", count: 40) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let name = { path + "/" + String(repeating: "x", count: $0 - path.utf8.count - 1) }
        let stack = try open(name(500))
        try savePeople(2, in: stack)
        #expect(try peopleCount(stack) == 2)
        try stack.close()
        expect(.cannotOpen, saying: "too long") { _ = try open(name(501)) }
    }

    @Test func `a relative store path starts at the working directory`() throws {
        let name = "relative-\(UUID().uuidString).sqlite"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(name + suffix) } }
        let stack = try open(name)
        try savePeople(1, in: stack)
        let whole = FileManager.default.currentDirectoryPath + "/" + name
        #expect(try peopleCount(try open(whole)) == 1)
        try stack.close()
    }

    @Test func `a file with several hard links cannot be opened for writing`() throws {
        let folder = try TemporaryFolder("paths")
        let path = try folder.makeStore("a")
        #expect(link(path, folder.file("b")) == 0)
        let before = try folder.contents()
        for name in ["a", "b"] {
            expect(.cannotOpen, saying: "hard links", "make a copy") {
                _ = try open(folder.file(name))
            }
        }
        #expect(try folder.contents() == before)
        unlink(folder.file("b"))
        #expect(try peopleCount(try open(path)) == 3)
    }
}
