import Foundation
import RecordStack
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Imports into one file from two stacks, where the other stack saves first.
@Suite("Racing imports") struct ImportRaceTests {
    private let test: TestStack
    private let other: ContextStack

    init() throws {
        var options = StoreOptions()
        options.remoteSaveInterval = nil
        test = try TestStack(
            entities: [Brick.self, Wall.self], at: .temporaryFile, options: options)
        try test.seed { try Wall.create(in: $0, name: "old") }
        other = try ContextStack(for: Brick.self, Wall.self, at: .file(#require(test.path)))
    }

    private static let text =
        #"[{"number": 1, "wall": "w"}, {"number": 2, "wall": "w"}, {"number": 3, "wall": "old"}]"#

    /// Makes the other stack save the same objects before the import saves them, `rivals` times.
    private func load(rivals: Int, commit: ImportCommit = .everyBatch) async throws -> (
        report: ImportReport, calls: Int
    ) {
        let calls = Mutex(0)
        let other = other
        let report = try await test.stack.importJSON(
            Data(Self.text.utf8), into: Brick.self, commit: commit,
            hooks: { hooks in
                hooks.didImport(Brick.self) { brick, _ in
                    let call = calls.withLock { count in
                        count += 1
                        return count
                    }
                    guard brick.number == 1, call <= (rivals - 1) * 3 + 1 else { return }
                    let number = call == 1 ? 2 : 3
                    try other.saveWithBlockAndWait { context in
                        _ = try Brick.create(in: context, number: number, name: "theirs")
                    }
                }
            })
        return (report, calls.withLock { $0 })
    }

    @Test(arguments: [1, 2])
    func `an import updates an object that another stack inserts meanwhile`(rivals: Int)
        async throws
    {
        let (report, calls) = try await load(rivals: rivals)
        // Every attempt calls the hooks.
        #expect(calls == 3 * (rivals + 1))
        #expect(report.inserted == 3 - rivals && report.updated == rivals)
        #expect(report.problems.isEmpty)
        let context = other.newContext()
        let bricks = try Brick.find(sortedBy: .ascending(\.number), in: context)
        #expect(bricks.map(\.number) == [1, 2, 3])
        #expect(bricks.map(\.name) == ["", "theirs", rivals == 2 ? "theirs" : ""])
        #expect(bricks.map { $0.wall?.name } == ["w", "w", "old"])
        #expect(try Wall.count(in: context) == 2)
    }

    @Test func `an import with commit once throws if another stack inserts its object`()
        async throws
    {
        let error = await #expect(throws: RecordStackError.self) {
            _ = try await load(rivals: 1, commit: .once)
        }
        #expect(error?.code == .constraint)
        #expect(try Brick.count(in: other.newContext()) == 1)
    }
}
