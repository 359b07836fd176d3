import Foundation
import RecordStack
import RecordStackTesting
import Synchronization
import Testing

@Entity final class Brick: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var name: String = ""
    @Relationship(inverse: \Wall.bricks) var wall: Wall?
}

@Entity final class Wall: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(.notImported) var bricks: ToMany<Brick>
}

/// Imports into a stack, batch by batch.
@Suite("Imports into a stack") struct StackImportTests {
    private let test: TestStack
    private var stack: ContextStack { test.stack }

    init() throws {
        test = try TestStack(for: Brick.self, Wall.self)
    }

    private static func rows(_ numbers: some Sequence<Int>) -> String {
        numbers.map { #"{"number": \#($0), "name": "é \#($0)", "wall": "w\#($0 % 7)"}"# }
            .joined(separator: ",")
    }

    private func options(_ batchSize: Int) -> ImportOptions {
        var options = ImportOptions()
        options.batchSize = batchSize
        return options
    }

    private func count() throws -> Int { try Brick.count(in: stack.newContext()) }

    /// Returns the pieces of a text, each `size` bytes long.
    private static func stream(_ text: String, size: Int) -> AsyncStream<Data> {
        let bytes = Array(text.utf8)
        return AsyncStream { continuation in
            for start in stride(from: 0, to: bytes.count, by: size) {
                continuation.yield(Data(bytes[start..<min(start + size, bytes.count)]))
            }
            continuation.finish()
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64, 100_000])
    func `an import reads a JSON stream cut into pieces of any size`(size: Int) async throws {
        let text =
            #"{"a": [1, {"rows": 2}], "b\n": {"rows": [\#(Self.rows(0..<50))], "c": {"rows": []}}, "d": "x"}"#
        let report = try await stack.importJSON(
            .chunks(Self.stream(text, size: size)), at: "b\n.rows", into: Brick.self,
            options: options(8))
        #expect(report.inserted == 50 && report.rows == 50)
        let context = stack.newContext()
        let bricks = try Brick.find(sortedBy: .ascending(\.number), in: context)
        #expect(bricks.map(\.name) == (0..<50).map { "é \($0)" })
        #expect(bricks.map { $0.wall?.name } == (0..<50).map { "w\($0 % 7)" })
        #expect(try Wall.count(in: context) == 7)
    }

    @Test(arguments: [1, 5, 1_000])
    func `an import reads an NDJSON stream cut into pieces of any size`(size: Int) async throws {
        let text = (0..<30).map { #"{"number": \#($0), "name": "n"}"# }.joined(separator: "\n")
        var options = options(4)
        options.format = .ndjson
        let report = try await stack.importJSON(
            .chunks(Self.stream("\u{FEFF}\(text)\n\nnone\n", size: size)), into: Brick.self,
            options: options)
        #expect(report.inserted == 30 && report.skipped == 1)
        #expect(report.problems[0].row == 30)
    }

    private static let damagedLines = Data(
        "{\"number\": 0}\nnone\n{\"number\": 1}\n{\"number\":".utf8)

    @Test(arguments: [ImportCommit.everyBatch, .once])
    func `an NDJSON import into a stack skips lines that are not JSON`(commit: ImportCommit)
        async throws
    {
        var options = options(1)
        options.format = .ndjson
        let report = try await stack.importJSON(
            Self.damagedLines, into: Brick.self, commit: commit, options: options)
        #expect(report.inserted == 2 && report.problems.map(\.row) == [1, 3])
        #expect(try count() == 2)
    }

    @Test func `an NDJSON import into a context skips lines that are not JSON`() throws {
        var options = options(1)
        options.format = .ndjson
        let context = stack.newContext()
        let report = try Brick.importJSON(Self.damagedLines, in: context, options: options)
        #expect(report.inserted == 2 && report.problems.map(\.row) == [1, 3])
        #expect(context.insertedObjects.count == 2)
    }

    @Test func `an import reads bytes that arrive one by one`() async throws {
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in "[\(Self.rows(0..<5))]".utf8 { continuation.yield(byte) }
            continuation.finish()
        }
        let report = try await stack.importJSON(.bytes(bytes), into: Brick.self)
        #expect(report.inserted == 5)
    }

    /// Scanning the text again for each piece would take minutes.
    @Test func `an import reads long rows that arrive in small pieces`() async throws {
        let name = String(repeating: "é", count: 150_000)
        let rows = (0..<3).map { #"{"name": "\#(name)\#($0)", "number": \#($0)}"# }
        let report = try await stack.importJSON(
            .chunks(Self.stream("[\(rows.joined(separator: ","))]", size: 16)), into: Brick.self)
        #expect(report.inserted == 3)
        let last = try #require(
            try Brick.findFirst(by: \.number, 2, in: stack.newContext()))
        #expect(last.name == name + "2")
    }

    @Test func `an import path can contain array indexes and end at a single row`() async throws {
        let text = #"[[0], [{"number": 1}, {"number": 2}], {"x": 1}]"#
        #expect(
            try await stack.importJSON(Data(text.utf8), at: "1", into: Brick.self).inserted == 2)
        let one = #"[[0], [{"number": 3}, {"number": 4}], {"x": 1}]"#
        #expect(
            try await stack.importJSON(Data(one.utf8), at: "1.1", into: Brick.self).inserted == 1)
        #expect(try count() == 3)
    }

    @Test
    func `an import with everyBatch keeps saved batches when a later row fails`() async throws {
        let text = "[\(Self.rows(0..<25)), {\"number\":"
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.importJSON(Data(text.utf8), into: Brick.self, options: options(10))
        }
        #expect(error?.code == .importFailed)
        #expect(try count() == 20)
    }

    @Test func `an import with commit once saves all rows or none`() async throws {
        let text = "[\(Self.rows(0..<25)), {\"number\":"
        await #expect(throws: RecordStackError.self) {
            try await stack.importJSON(
                Data(text.utf8), into: Brick.self, commit: .once, options: options(10))
        }
        #expect(try count() == 0)
        let whole = "[\(Self.rows(0..<25)), \(Self.rows(20..<30))]"
        let report = try await stack.importJSON(
            .chunks(Self.stream(whole, size: 100)), into: Brick.self, commit: .once,
            options: options(10))
        #expect(report.inserted == 30 && report.unchanged == 5)
        #expect(try count() == 30)
        #expect(report.problems.isEmpty)
    }

    @Test func `an import row that occurs in two batches is one object`() async throws {
        let text = "[\(Self.rows(0..<10)), \(Self.rows(5..<15))]"
        let report = try await stack.importJSON(
            Data(text.utf8), into: Brick.self, options: options(4))
        #expect(report.inserted == 15 && report.unchanged == 5)
    }

    @Test func `four concurrent imports create no object twice`() async throws {
        let text = Data("[\(Self.rows(0..<400))]".utf8)
        let stack = stack
        let options = options(20)
        let made = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await stack.importJSON(text, into: Brick.self, options: options).inserted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(made == 400)
        #expect(try count() == 400)
        #expect(try Wall.count(in: stack.newContext()) == 7)
    }

    @Test func `a save throws if an import has stored objects with its unique values`() async throws
    {
        let context = stack.newContext()
        for number in 0..<30 { try Brick.create(in: context, number: number) }
        let text = Data("[\(Self.rows(0..<30))]".utf8)
        let report = try await stack.importJSON(text, into: Brick.self, options: options(7))
        #expect(report.inserted == 30)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .constraint || error?.code == .conflict)
        #expect(try count() == 30)
    }

    @Test func `other save blocks run between the batches of an import`() async throws {
        let turns = Turns()
        let stack = stack
        let text = Data("[\(Self.rows(0..<100))]".utf8)
        let report = try await stack.importJSON(
            text, into: Brick.self, options: options(10),
            progress: { _ in
                turns.look()
                stack.saveWithBlock { _ in
                    turns.add()
                } completion: { _ in
                }
            })
        #expect(report.inserted == 100)
        try await stack.saveWithBlock { _ in }
        // Every save block that was submitted before a batch has run when the batch is done.
        #expect(turns.seen == Array(0..<10) && turns.count == 10)
    }

    @Test func `import progress reports rows, total bytes and a completed fraction`() async throws {
        let told = Mutex<[ImportProgress]>([])
        let text = Data("[\(Self.rows(0..<25))]".utf8)
        try await stack.importJSON(
            text, into: Brick.self, options: options(10),
            progress: { progress in told.withLock { $0.append(progress) } })
        let progress = told.withLock { $0 }
        #expect(progress.map(\.rows) == [10, 20, 25])
        #expect(progress.allSatisfy { $0.totalBytes == text.count })
        #expect(progress.last?.fraction == 1)
        told.withLock { $0 = [] }
        try await stack.importJSON(
            .values((0..<25).map { ["number": .number($0)] }), into: Brick.self,
            options: options(10), progress: { progress in told.withLock { $0.append(progress) } })
        #expect(told.withLock { $0.map(\.fraction) } == [0.4, 0.8, 1])
    }

    @Test func `a cancelled import ends between two batches`() async throws {
        let stack = stack
        let options = options(10)
        let text = Data("[\(Self.rows(0..<1_000))]".utf8)
        let task = Task {
            try await stack.importJSON(
                text, into: Brick.self, options: options,
                progress: { if $0.rows == 50 { withUnsafeCurrentTask { $0?.cancel() } } })
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try count() == 50)
    }

    @Test(arguments: [1, 100, 1 << 20])
    func `an import keeps batches before a syntax error, however text is cut`(
        size: Int
    ) async throws {
        let text = "[\(Self.rows(0..<23)), {\"number\": x}, \(Self.rows(23..<30))]"
        let (stack, options) = (stack, options(10))
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.importJSON(
                .chunks(Self.stream(text, size: size)), into: Brick.self, options: options)
        }
        #expect(error?.code == .importFailed)
        #expect(try count() == 20)
    }

    @Test(arguments: [ImportCommit.everyBatch, .once], [false, true])
    func `a cancelled import with deletingOthers throws and deletes nothing`(
        commit: ImportCommit, isDryRun: Bool
    ) async throws {
        let stack = stack
        try await stack.saveWithBlock { context in
            for number in 0..<20 { _ = try Brick.create(in: context, number: number) }
        }
        var options = options(10)
        options.format = .ndjson
        options.isDryRun = isDryRun
        // The stream ends when its reader is cancelled, as if it were complete.
        let (pieces, source) = AsyncStream.makeStream(of: Data.self)
        let begun = AsyncStream.makeStream(of: Void.self)
        let task = Task { [options] in
            try await stack.importJSON(
                .chunks(pieces), into: Brick.self, deletingOthers: Brick.all, commit: commit,
                options: options, progress: { _ in begun.continuation.yield() })
        }
        source.yield(
            Data((0..<10).map { "{\"number\": \($0), \"name\": \"new\"}\n" }.joined().utf8))
        for await _ in begun.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try count() == 20)
        let saved = commit == .everyBatch && !isDryRun ? 10 : 0
        #expect(try Brick.count(in: stack.newContext()) { $0.name == "new" } == saved)
    }

    @Test func `a cancelled save block with an import saves nothing`() async throws {
        let stack = stack
        let text = Data("[\(Self.rows(0..<3_000))]".utf8)
        let begun = AsyncStream.makeStream(of: Void.self)
        let isCancelled = DispatchSemaphore(value: 0)
        let task = Task {
            try await stack.saveWithBlock { context in
                _ = try Brick.importJSON(text, in: context) { progress in
                    if progress.rows > 1_000 { return }
                    begun.continuation.yield()
                    isCancelled.wait()
                }
            }
        }
        for await _ in begun.stream { break }
        task.cancel()
        isCancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try count() == 0)
    }

    @Test func `a dry run of an import into a stack reports and saves nothing`() async throws {
        var options = options(4)
        options.isDryRun = true
        let text = "[\(Self.rows(0..<10)), \(Self.rows(0..<5))]"
        let report = try await stack.importJSON(Data(text.utf8), into: Brick.self, options: options)
        #expect(report.inserted == 10 && report.unchanged == 5)
        #expect(try count() == 0)
    }

    @Test func `too many problems end an import before the batch is saved`() async throws {
        var options = options(2)
        options.mostProblems = 2
        let text = #"[{"number": 1}, {}, {"number": 2}, {}, {"number": 3}, {}, {"number": 4}]"#
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.importJSON(Data(text.utf8), into: Brick.self, options: options)
        }
        #expect(error?.message.contains("more than 2 problems") == true)
        #expect(try count() == 2)
    }

    @Test func `an import's hooks apply to the rows of every batch`() async throws {
        let text = Data("[\(Self.rows(0..<25))]".utf8)
        let report = try await stack.importJSON(text, into: Brick.self, options: options(10)) {
            $0.shouldImport(Brick.self) { ($0["number"]?.int ?? 0) % 2 == 0 }
            $0.didImport(Brick.self) { brick, row in brick.name = "hooked \(row.number)" }
        }
        #expect(report.inserted == 13 && report.declined == 12)
        let context = stack.newContext()
        #expect(try Brick.findFirst(by: \.number, 24, in: context)?.name == "hooked 24")
    }

    @Test func `importJSONAndWait imports data synchronously and refuses a stream`() throws {
        let text = Data("[\(Self.rows(0..<25))]".utf8)
        let report = try stack.importJSONAndWait(
            .data(text), into: Brick.self, options: options(10))
        #expect(report.inserted == 25)
        let again = try stack.importJSONAndWait(.data(text), into: Brick.self, commit: .once)
        #expect(again.unchanged == 25)
        let error = #expect(throws: RecordStackError.self) {
            try stack.importJSONAndWait(
                .chunks(Self.stream("[]", size: 1)), into: Brick.self)
        }
        #expect(error?.code == .misuse)
    }

    @Test func `the error for a missing import file names the file`() async throws {
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.importJSON(
                .file(URL(fileURLWithPath: "/nowhere/x.json")), into: Brick.self)
        }
        #expect(error?.message.contains("/nowhere/x.json") == true)
    }

    @Test func `a streamed import refuses a second array of rows at the path`() async throws {
        let text = #"{"rows": [{"number": 1}], "other": {"rows": []}, "rows": [{"number": 2}]}"#
        let error = await #expect(throws: RecordStackError.self) {
            try await stack.importJSON(Data(text.utf8), at: "rows", into: Brick.self)
        }
        #expect(error?.message.contains("“rows” twice") == true)
    }
}

private final class Turns: Sendable {
    private let turns = Mutex((count: 0, seen: [Int]()))

    var count: Int { turns.withLock { $0.count } }
    /// The number of turns at each look.
    var seen: [Int] { turns.withLock { $0.seen } }

    func add() { turns.withLock { $0.count += 1 } }

    func look() { turns.withLock { $0.seen.append($0.count) } }
}
