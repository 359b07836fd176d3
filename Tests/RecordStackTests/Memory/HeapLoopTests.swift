import Foundation
import TestSupport
import Testing

/// Loops that keep as much memory at the end as in the second tenth of their rounds.
@Suite("Memory of loops", .serialized)
struct HeapLoopTests {
    private static let rounds = Seeded.rounds(3_000, full: 100_000)
    private static let loops = [
        "createAndSave", "createAndSaveMany", "createAndPush", "createInChildren", "childSaves",
        "edit", "editAndRollBack", "editBack", "find", "findFirst", "count", "page", "pageByKey",
        "lazily", "values", "importRows", "importSameRows", "upsert", "deleteAndSave", "relate",
        "reorder", "pairs", "faults", "saveBlocks", "blockOnContext", "queues", "contexts",
        "snapshots", "refresh", "batchUpdate",
    ]

    /// A sanitizer keeps what is freed.
    private static let isSanitized =
        ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] != nil

    @Test(.disabled(if: isSanitized), arguments: loops)
    func `the heap stays level`(_ loop: String) throws {
        let folder = try TemporaryFolder("heap-loops")
        let child = try ChildProgram(
            "HeapLoops", [loop, "\(Self.rounds)", "\(folder.path)/loop.sqlite"])
        let words = try #require(child.nextLine()).split(separator: " ").compactMap { Int($0) }
        #expect(child.wait().status == 0)
        try #require(words.count == 3)
        let growth = words[1] - words[0]
        // A table that doubles once, and caches that fill up, do not depend on the rounds.
        #expect(growth < 300_000, "\(growth) bytes more, \(words[2]) objects registered")
        #expect(words[2] < 6_000)
    }
}
