import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Damage that does not go away with time, and so must never be reported as a busy store.
@Suite("Lasting damage") struct LastingDamageTests {
    /// The damage that another program has done to the files of a store.
    enum Damage: String, CaseIterable {
        case logIsFolder, indexIsFolder, journalIsFolder, logIsPipe, indexIsPipe, journalIsPipe
        case logIsDanglingLink, indexIsDanglingLink, logIsNoise, indexIsNoise, journalIsNoise
        case journalIsHot, journalNamesAnother, journalIsCut
        case writeVersion, readVersion, bothVersions, pageSize, reservedBytes, fractions,
            schemaFormat
        case encoding, pageCount, freeList, changeCounter, noLogInHeader
        case leases, tokens, nextToken, model, uuid, sharedRoot, rootOfSchema, wrongRoot

        /// True if something other than a file has the name of one of SQLite's files.
        var isOtherKindOfFile: Bool {
            [
                .logIsFolder, .indexIsFolder, .journalIsFolder, .logIsPipe, .indexIsPipe,
                .journalIsPipe, .logIsDanglingLink, .indexIsDanglingLink,
            ].contains(self)
        }

        /// Damages the files of a store that nobody has open.
        func apply(_ path: String, _ log: Data) throws {
            let url = { (suffix: String) in URL(fileURLWithPath: path + suffix) }
            let noise = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
            switch self {
            case .logIsFolder: try Self.makeFolder(path + "-wal")
            case .indexIsFolder: try Self.makeFolder(path + "-shm")
            case .journalIsFolder: try Self.makeFolder(path + "-journal")
            case .logIsPipe: mkfifo(path + "-wal", 0o600)
            case .indexIsPipe: mkfifo(path + "-shm", 0o600)
            case .journalIsPipe: mkfifo(path + "-journal", 0o600)
            case .logIsDanglingLink: symlink("/nowhere/at/all", path + "-wal")
            case .indexIsDanglingLink: symlink("/nowhere/at/all", path + "-shm")
            case .logIsNoise: try noise.write(to: url("-wal"))
            case .indexIsNoise:
                try log.write(to: url("-wal"))
                try noise.write(to: url("-shm"))
            case .journalIsNoise: try noise.write(to: url("-journal"))
            case .journalIsHot: try Self.journal(pages: 1, noise).write(to: url("-journal"))
            case .journalNamesAnother:
                var journal = Self.journal(pages: 1, noise)
                let name = Data("/nowhere/at/all-mj".utf8)
                journal.append(contentsOf: [0x40, 0, 0, 1])
                journal.append(name)
                journal.append(contentsOf: [0, 0, 0, UInt8(name.count)])
                let sum = name.reduce(0) { $0 + Int($1) }
                journal.append(contentsOf: [0, 0, UInt8(sum >> 8), UInt8(sum & 0xFF)])
                journal.append(contentsOf: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
                try journal.write(to: url("-journal"))
            case .journalIsCut: try Self.journal(pages: 900, noise).write(to: url("-journal"))
            case .writeVersion: try Self.poke(path, 18, [9])
            case .readVersion: try Self.poke(path, 19, [9])
            case .bothVersions: try Self.poke(path, 18, [9, 9])
            case .pageSize: try Self.poke(path, 16, [0x03, 0x07])
            case .reservedBytes: try Self.poke(path, 20, [255])
            case .fractions: try Self.poke(path, 21, [1, 2, 3])
            case .schemaFormat: try Self.poke(path, 44, [0, 0, 0, 77])
            case .encoding: try Self.poke(path, 56, [0, 0, 0, 9])
            case .pageCount: try Self.poke(path, 28, [0x7F, 0xFF, 0xFF, 0xFF])
            case .freeList: try Self.poke(path, 32, [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 9])
            case .changeCounter: try Self.poke(path, 24, [0xFF, 0xFF, 0xFF, 0xFF])
            case .noLogInHeader: try Self.poke(path, 18, [1, 1])
            case .leases:
                try Self.sql(
                    path, "UPDATE _recordstack SET value = x'00FF' WHERE name LIKE 'lease:%'")
            case .tokens:
                try Self.sql(
                    path,
                    "UPDATE _recordstack SET value = zeroblob(99999) WHERE name LIKE 'token:%'")
            case .nextToken:
                try Self.sql(path, "UPDATE _recordstack SET value = -7 WHERE name = 'token'")
            case .model:
                try Self.sql(path, "UPDATE _recordstack SET value = '{' WHERE name = 'model'")
            case .uuid:
                try Self.sql(path, "UPDATE _recordstack SET value = 'x' WHERE name = 'uuid'")
            case .sharedRoot:
                try Self.sql(
                    path,
                    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM "
                        + "sqlite_schema WHERE name = 'Rack') WHERE name = 'Crate'")
            case .rootOfSchema:
                try Self.sql(
                    path,
                    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'Crate'"
                )
            case .wrongRoot:
                try Self.sql(
                    path,
                    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'Crate'"
                )
            }
        }

        private static func makeFolder(_ path: String) throws {
            try FileManager.default.createDirectory(
                atPath: path + "/in it", withIntermediateDirectories: true)
        }

        private static func poke(_ path: String, _ offset: UInt64, _ bytes: [UInt8]) throws {
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
        }

        private static func sql(_ path: String, _ sql: String) throws {
            _ = try ForeignProgram(path: path).attempt(sql)
        }

        /// Returns the journal of a killed program, with nonsense for pages.
        private static func journal(pages: UInt32, _ noise: Data) -> Data {
            var data = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
            for number in [pages, 7, 4, 512, 4_096] {
                withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
            }
            data.append(Data(count: 512 - data.count))
            data.append(contentsOf: [0, 0, 0, 2])
            data.append(noise.prefix(4_096))
            data.append(contentsOf: [1, 2, 3, 4])
            return data
        }
    }

    private static func codes(_ path: String) async -> [(String, RecordStackError?)] {
        var found: [(String, RecordStackError?)] = []
        func note(_ what: String, _ body: () async throws -> Void) async {
            do {
                try await body()
                found.append((what, nil))
            } catch let error as RecordStackError {
                found.append((what, error))
            } catch {
                Issue.record(error)
            }
        }
        var options = StoreOptions(busyTimeout: 0.1)
        await note("read only") {
            options.isReadOnly = true
            let stack = try ContextStack(
                for: Crate.self, Rack.self, Label.self, at: .file(path), options: options)
            defer { try? stack.close() }
            _ = try Crate.find(in: stack.newContext())
        }
        options.isReadOnly = false
        var stack: ContextStack?
        await note("open") {
            stack = try ContextStack(
                for: Crate.self, Rack.self, Label.self, at: .file(path), options: options)
        }
        if let stack {
            await note("find") { _ = try Crate.find(in: stack.newContext()) }
            await note("create") { _ = try Crate.create(in: stack.newContext()) }
            await note("save") {
                let context = stack.newContext()
                for crate in try Crate.find(in: context) { crate.whole += 1 }
                try Label.create(in: context)
                try await context.save()
            }
            await note("update") { _ = try await stack.update(Crate.all) { $0.whole += 1 } }
            await note("delete") { _ = try await stack.delete(Label.all) }
            await note("vacuum") { try await stack.vacuum() }
            await note("close") { try stack.close() }
        }
        await note("destroy") { _ = try ContextStack.destroyStore(at: .file(path)) }
        return found
    }

    @Test(arguments: Damage.allCases)
    func `an operation on a damaged or replaced store file never throws busy`(
        _ damage: Damage
    ) async throws {
        let folder = try TemporaryFolder("damage")
        let path = folder.file("store")
        let stack = try ContextStack(for: Crate.self, Rack.self, Label.self, at: .file(path))
        try await stack.saveWithBlock { context in
            for number in 0..<20 { try Crate.create(in: context, whole: number) }
            try Label.create(in: context, title: "l")
        }
        let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
        try stack.close()
        try damage.apply(path, log)
        for (what, error) in await Self.codes(path) {
            #expect(error?.code != .busy, "\(what): \(error as Any)")
            if damage.isOtherKindOfFile {
                #expect(error?.code == .cannotOpen, "\(what): \(error as Any)")
                #expect(error?.message.contains("no regular file") == true, "\(what)")
            } else if let error {
                let codes: [RecordStackError.Code] = [.corrupt, .notADatabase, .cannotOpen]
                #expect(codes.contains(error.code), "\(what): \(error)")
            }
        }
    }
}
