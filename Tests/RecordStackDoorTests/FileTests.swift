import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Damaged and crafted files, which must not crash a program or look like a busy store.
@Suite("Damaged and crafted files") struct FileTests {
    /// Creates a store and returns the bytes of its file and of its log.
    private static func original(_ folder: TemporaryFolder) throws -> (file: [UInt8], log: [UInt8])
    {
        let path = folder.file("original")
        let stack = try ContextStack(for: Crate.self, Rack.self, Label.self, at: .file(path))
        for round in 0..<2 {
            try stack.saveWithBlockAndWait { context in
                for _ in 0..<2 {
                    let rack = try Rack.create(in: context, name: "rack \(round)")
                    for number in 0..<6 {
                        let crate = try Crate.create(
                            in: context, whole: number,
                            text: String(repeating: "é", count: number * 40),
                            price: Decimal(number))
                        rack.crates.append(crate)
                    }
                    rack.labels.insert(try Label.create(in: context, title: "label"))
                }
            }
        }
        let log = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
        try stack.close()
        return (try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))), log)
    }

    /// Uses a file in every way that a program does.
    private static func exercise(_ path: String) throws {
        let stack = try ContextStack(for: Crate.self, Rack.self, Label.self, at: .file(path))
        defer { try? stack.close() }
        let steps: [(ManagedObjectContext) throws -> Void] = [
            { context in
                for rack in try Rack.find(in: context) {
                    for crate in rack.crates { _ = crate.text }
                    for label in rack.labels { _ = label.title }
                }
            },
            {
                _ = try Crate.find(sortedBy: .descending(\.price), in: $0) {
                    $0.price > 1 && $0.rack.name != "x"
                }
            },
            { _ = try $0.sum(of: \.price, for: Crate.all) },
            { _ = try Crate.page(after: nil, size: 3, sortedBy: .ascending(\.text), in: $0) },
            { context in
                for crate in try Crate.find(in: context) { crate.whole &+= 1 }
                try Crate.create(in: context)
                try context.saveAndWait()
            },
            { context in
                for rack in try Rack.find(in: context) where rack.crates.endIndex > 1 {
                    let crate = rack.crates[0]
                    rack.crates.remove(crate)
                    rack.crates.append(crate)
                }
                try context.saveAndWait()
            },
            { context in
                try Crate.find(in: context).first?.delete()
                try context.saveAndWait()
            },
        ]
        for step in steps { try tolerating { try step(stack.newContext()) } }
        try tolerating { try stack.updateAndWait(Crate.all) { $0.whole += 1 } }
        try tolerating { try stack.deleteAndWait(Crate.where { $0.whole > 3 }) }
    }

    /// - Throws: any error that is not a `RecordStackError`, and `busy`.
    private static func tolerating(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as RecordStackError where error.code != .busy {}
    }

    private static func examine(_ path: String, _ what: String) {
        do {
            try tolerating { try exercise(path) }
        } catch {
            Issue.record("\(what): \(error)")
        }
    }

    private static func write(_ file: [UInt8], _ log: [UInt8]?, _ path: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        try Data(file).write(to: URL(fileURLWithPath: path))
        if let log { try Data(log).write(to: URL(fileURLWithPath: path + "-wal")) }
    }

    @Test func `a randomly damaged store file is read or throws, without a crash`() throws {
        let folder = try TemporaryFolder("doors")
        let (file, log) = try Self.original(folder)
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        let path = folder.file("copy")
        for round in 0..<Seeded.rounds(150, full: 50_000) {
            var (bytes, logBytes) = (file, random.chance(25) ? log : nil)
            for _ in 0...random.below(6) {
                var place = random.below(bytes.count / 4_096) * 4_096
                place += random.below(random.chance(50) ? 100 : 4_096)
                let noise: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &random)]
                for index in place..<min(bytes.count, place + 1 + random.below(8)) {
                    bytes[index] = noise[random.below(noise.count)]
                }
            }
            if logBytes != nil {
                for _ in 0...random.below(3) {
                    logBytes![random.below(min(log.count, random.chance(50) ? 64 : log.count))] =
                        .random(in: 0...255, using: &random)
                }
            }
            if random.chance(5) { bytes = Array(bytes[..<random.below(bytes.count)]) }
            try Self.write(bytes, logBytes, path)
            Self.examine(path, "seed \(random.seed), round \(round)")
        }
    }

    /// Values that other programs may write into columns without a type.
    private static let values = [
        "NULL", "0", "1", "-1", "2", "1.5", "1e300", "-1e308", "9e999", "9223372036854775807",
        "-9223372036854775808", "4611686018427387904", "''", "'abc'", "'[[[['", "'é'", "x''",
        "x'00'", "x'FF'",
        "zeroblob(16)", "CAST(x'FF' AS TEXT)", "'1.0'", "'-0'", "'1' || hex(zeroblob(300))",
        "replace(hex(zeroblob(600)), '0', '[')", "'{\"a\":1}'", "'Chest'", "_key", "_version",
        "-_key",
    ]

    @Test func `a store file with crafted values is read or throws, without a crash`() throws {
        let folder = try TemporaryFolder("doors")
        let (file, _) = try Self.original(folder)
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        let path = folder.file("copy")
        try Self.write(file, nil, path)
        let columns = try ForeignProgram(path: path).rows(
            "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        )
        for round in 0..<Seeded.rounds(150, full: 50_000) {
            try Self.write(file, nil, path)
            do {
                let program = try ForeignProgram(path: path)
                for _ in 0...random.below(3) {
                    let column = columns[random.below(columns.count)]
                    let value = Self.values[random.below(Self.values.count)]
                    let rows = random.chance(50) ? "" : " WHERE rowid % 3 = \(random.below(3))"
                    // Some columns do not accept every value.
                    program.attempt(
                        "UPDATE OR IGNORE \"\(column[0])\" SET \"\(column[1])\" = \(value)\(rows)")
                    if random.chance(10) { program.attempt("DELETE FROM \"\(column[0])\"\(rows)") }
                }
            }
            Self.examine(path, "seed \(random.seed), round \(round)")
        }
    }

    @Test func `a store file with a damaged header or WAL index never throws busy`() throws {
        let folder = try TemporaryFolder("doors")
        let (file, log) = try Self.original(folder)
        let path = folder.file("copy")
        for place in 0..<100 {
            for value in [UInt8(0), 0x7F, 0xFF, file[place] ^ 1] where value != file[place] {
                var bytes = file
                bytes[place] = value
                for log in [nil, log] {
                    try Self.write(bytes, log, path)
                    Self.examine(path, "byte \(place) is \(value), \(log == nil ? "no " : "")log")
                }
            }
        }
        for index in [
            [UInt8](), [UInt8](repeating: 0, count: 32_768),
            [UInt8](repeating: 0xFF, count: 32_768),
        ] {
            for journal in [nil, [UInt8](repeating: 0xD9, count: 512)] as [[UInt8]?] {
                try Self.write(file, log, path)
                try Data(index).write(to: URL(fileURLWithPath: path + "-shm"))
                if let journal {
                    try Data(journal).write(to: URL(fileURLWithPath: path + "-journal"))
                }
                Self.examine(path, "an index of \(index.count) bytes")
            }
        }
    }
}
