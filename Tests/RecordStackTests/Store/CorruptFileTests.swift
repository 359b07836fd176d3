import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Files that are damaged. A stack throws a typed error, or reads what SQLite itself reads. It
/// never crashes or hangs, and opening never changes the file.
@Suite("Damaged files") struct CorruptFileTests {
    /// A store with tables, indexes, references and free pages, and its bytes.
    private struct Original {
        let folder: TemporaryFolder
        let bytes: [UInt8]
        let pageSize = 4_096

        init() throws {
            folder = try TemporaryFolder("corrupt")
            let path = folder.file("original")
            let stack = try ContextStack(
                for: Person.self, Team.self, Dog.self, at: .file(path))
            try stack.saveWithBlockAndWait { context in
                for number in 0..<20 {
                    let team = try Team.create(in: context, title: "team \(number)")
                    for index in 0..<20 {
                        try Person.create(
                            in: context, email: "\(number)-\(index)",
                            name: String(repeating: "name ", count: index * 8), team: team)
                    }
                    try Dog.create(in: context, name: "dog \(number)").breed = "breed"
                }
            }
            try stack.saveWithBlockAndWait { context in
                _ = try Person.delete(in: context) { $0.name == "" }
            }
            try stack.close()
            bytes = [UInt8](try folder.bytes("original"))
        }

        var pages: Int { bytes.count / pageSize }
    }

    /// A damaged copy of the file, and a description of the damage.
    private struct Damage: CustomStringConvertible {
        let description: String
        var file: [UInt8]
        var log: [UInt8]?

        /// Whether the header says that there is never a WAL, as in a backup. A stack that writes
        /// turns such a file into a store with a WAL.
        var isConverted: Bool { file.count > 20 && file[19] != 2 }
    }

    private struct Reading: Equatable {
        var people: [String: String] = [:]
        var counts: [Int] = []
    }

    private func write(_ damage: Damage, _ path: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try Data(damage.file).write(to: URL(fileURLWithPath: path))
        if let log = damage.log {
            try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
        }
    }

    /// Reads everything in a store.
    private func readAll(_ stack: ContextStack) throws -> Reading {
        let context = stack.newContext()
        var reading = Reading()
        for person in try Person.find(in: context) {
            reading.people[person.email] = person.name
            _ = person.team?.title
        }
        for team in try Team.find(sortedBy: .ascending(\.title), in: context) {
            _ = team.members.count
        }
        _ = try Dog.find(in: context).map(\.name)
        reading.counts = [
            try Person.count(in: context), try Team.count(in: context),
            try Animal.count(in: context),
        ]
        _ = try Person.findFirst(by: \.email, "3-3", in: context)?.name
        return reading
    }

    /// Returns what SQLite itself reads from the same bytes, or nil if it cannot.
    private func oracle(_ damage: Damage, _ folder: TemporaryFolder) throws -> Reading? {
        let path = folder.file("oracle")
        try write(damage, path)
        return PlainReader.people(path).map { Reading(people: $0) }
    }

    private static let codes: Set<RecordStackError.Code> = [
        .corrupt, .notADatabase, .modelMismatch, .newerFormat, .cannotOpen,
    ]

    private func examine(_ damage: Damage, in folder: TemporaryFolder) throws -> Bool {
        let path = folder.file("copy")
        try write(damage, path)
        let stack: ContextStack
        do {
            stack = try ContextStack(for: Person.self, Team.self, Dog.self, at: .file(path))
        } catch let error as RecordStackError {
            #expect(Self.codes.contains(error.code), "\(damage): \(error)")
            if damage.log == nil {
                #expect(try folder.bytes("copy") == Data(damage.file), "\(damage): \(error)")
            }
            return false
        }
        defer { try? stack.close() }
        let isWhole: Bool
        do {
            let reading = try readAll(stack)
            let plain = try oracle(damage, folder)
            if let plain {
                let differing = Set(reading.people.keys).union(plain.people.keys).filter {
                    reading.people[$0] != plain.people[$0]
                }
                #expect(differing.isEmpty, "\(damage)")
            }
            isWhole = true
        } catch let error as RecordStackError {
            // A reference may lead to a lost row.
            #expect(Self.codes.union([.notFound]).contains(error.code), "\(damage): \(error)")
            isWhole = false
        }
        if !damage.isConverted {
            #expect(try folder.bytes("copy") == Data(damage.file), "\(damage): reading has written")
        }
        do {
            try stack.saveWithBlockAndWait { context in
                _ = try Person.create(in: context, email: "new", name: "new")
            }
        } catch let error as RecordStackError {
            #expect(
                Self.codes.union([.constraint, .store]).contains(error.code), "\(damage): \(error)")
        }
        return isWhole
    }

    private func examine(_ damages: [Damage], in folder: TemporaryFolder) throws -> Int {
        try damages.count { try !examine($0, in: folder) }
    }

    @Test func `a stack throws for a store file cut off at any multiple of 512 bytes`() throws {
        let original = try Original()
        let damages = stride(from: 0, to: original.bytes.count, by: 512).map {
            Damage(description: "cut at \($0)", file: Array(original.bytes[..<$0]))
        }
        #expect(damages.count > 100)
        let told = try examine(Array(damages.dropFirst()), in: original.folder)
        #expect(told == damages.count - 1, "what is missing is always noticed")
    }

    @Test func `a stack throws, or reads what SQLite reads, if a header byte changed`() throws {
        let original = try Original()
        var damages: [Damage] = []
        for place in 0..<100 {
            for value in [UInt8(0), 0xFF, original.bytes[place] ^ 0x10] {
                var file = original.bytes
                if file[place] == value { continue }
                file[place] = value
                damages.append(Damage(description: "byte \(place) is \(value)", file: file))
            }
        }
        let told = try examine(damages, in: original.folder)
        #expect(told > 20 && told < damages.count)
    }

    @Test func `a stack throws, or reads what SQLite reads, if a page is overwritten`() throws {
        let original = try Original()
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        var damages: [Damage] = []
        for page in 0..<original.pages {
            let range = (page * original.pageSize)..<((page + 1) * original.pageSize)
            let other = Int.random(in: 0..<original.pages, using: &random) * original.pageSize
            let fillings: [(String, [UInt8])] = [
                ("zeros", Array(repeating: 0, count: original.pageSize)),
                (
                    "noise",
                    (0..<original.pageSize).map { _ in .random(in: 0...255, using: &random) }
                ),
                ("bytes from \(other)", Array(original.bytes[other..<(other + original.pageSize)])),
            ]
            for (name, bytes) in fillings {
                var file = original.bytes
                file.replaceSubrange(range, with: bytes)
                damages.append(Damage(description: "page \(page + 1): \(name)", file: file))
            }
        }
        #expect(damages.count > 30)
        #expect(try examine(damages, in: original.folder) > 10, "seed \(random.seed)")
    }

    @Test func `a stack throws, or reads what SQLite reads, if random bytes changed`() throws {
        let original = try Original()
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        let damages = (0..<Seeded.rounds(200, full: 5_000)).map { round in
            var file = original.bytes
            for _ in 0...Int.random(in: 0..<8, using: &random) {
                // Half of the changes are at the beginning of a page, which describes the rest of
                // the page.
                let page = Int.random(in: 0..<original.pages, using: &random) * original.pageSize
                let within = Int.random(
                    in: 0..<(random.chance(50) ? 64 : original.pageSize), using: &random)
                file[page + within] = .random(in: 0...255, using: &random)
            }
            return Damage(description: "seed \(random.seed), round \(round)", file: file)
        }
        #expect(try examine(damages, in: original.folder) > 20, "seed \(random.seed)")
    }

    @Test func `a damaged WAL loses only the saves that it does not hold whole`() throws {
        let original = try Original()
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        let folder = original.folder
        try Data(original.bytes).write(to: URL(fileURLWithPath: folder.file("live")))
        let live = try ContextStack(
            for: Person.self, Team.self, Dog.self, at: .file(folder.file("live")))
        for round in 0..<5 {
            try live.saveWithBlockAndWait { context in
                _ = try Person.create(in: context, email: "logged \(round)")
            }
        }
        let file = [UInt8](try folder.bytes("live"))
        let log = [UInt8](try folder.bytes("live-wal"))
        try live.close()
        var damages = [Damage(description: "whole", file: file, log: log)]
        damages += (0..<100).map { round in
            var bytes = log
            switch round % 3 {
            case 0: bytes = Array(bytes[..<Int.random(in: 0..<bytes.count, using: &random)])
            case 1: bytes[.random(in: 0..<bytes.count, using: &random)] ^= 0x55
            default:
                for place in 0..<32 { bytes[place] = .random(in: 0...255, using: &random) }
            }
            return Damage(
                description: "seed \(random.seed), log \(round)", file: file, log: bytes)
        }
        damages.append(
            Damage(
                description: "zeros", file: file, log: Array(repeating: 0, count: log.count)))
        // A save that the WAL does not hold whole is lost, and everything before it is there.
        for damage in damages {
            let path = folder.file("copy")
            try write(damage, path)
            let stack = try ContextStack(for: Person.self, Team.self, Dog.self, at: .file(path))
            let reading = try readAll(stack)
            let logged = reading.people.keys.filter { $0.hasPrefix("logged") }.sorted()
            #expect(logged == (0..<logged.count).map { "logged \($0)" }, "\(damage)")
            #expect(reading.people.count == 380 + logged.count, "\(damage)")
            #expect(damage.description != "whole" || logged.count == 5)
            try savePeople(1, in: stack)
            try stack.close()
        }
    }

    @Test func `files that are not stores are reported when they are opened`() throws {
        let original = try Original()
        let header = Array(original.bytes[..<100])
        func file(_ name: String, _ bytes: [UInt8]) -> Damage {
            Damage(description: name, file: bytes)
        }
        let damages = [
            file("zeros", Array(repeating: 0, count: 8_192)),
            file("a header alone", header + Array(repeating: 0, count: 412)),
            file("a header and zeros", header + Array(repeating: 0, count: 8_092)),
            file("a header and itself", header + original.bytes),
            file("a gzip file", [0x1F, 0x8B] + Array(repeating: 7, count: 4_094)),
            file("text", Array(String(repeating: "SQLite format 3 ", count: 64).utf8)),
            file("a byte too many before it", [0] + original.bytes),
        ]
        #expect(try examine(damages, in: original.folder) == damages.count)
    }
}
