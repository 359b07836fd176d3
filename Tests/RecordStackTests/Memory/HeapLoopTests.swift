import Foundation
import TestSupport
import Testing

/// Loops that use as much memory in the last tenth of their rounds as in the second.
@Suite("Memory of loops", .serialized)
struct HeapLoopTests {
    private static let rounds = Seeded.rounds(3_000, full: 100_000)
    private static let loops = [
        "createAndSave", "createAndSaveMany", "createAndPush", "createInChildren", "childSaves",
        "edit", "editAndRollBack", "editBack", "find", "findFirst", "count", "page", "pageByKey",
        "lazily", "values", "importRows", "importSameRows", "upsert", "deleteAndSave", "relate",
        "reorder", "joinRows", "faults", "saveBlocks", "blockOnContext", "queues", "contexts",
        "snapshots", "refresh", "batchUpdate",
    ]

    /// True if a sanitizer runs, which keeps freed memory.
    private static let isSanitized =
        ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] != nil

    @Test(.disabled(if: isSanitized), arguments: loops)
    func `repeating the same work thousands of times does not grow the heap`(_ loop: String) throws
    {
        // Under load, deferred work can be pending when the memory is measured. A leak grows in
        // every run.
        for attempt in 1...3 {
            let growth = try growth(of: loop)
            // A table that doubles once, or a cache that fills up, does not depend on the number of
            // rounds.
            if growth < 300_000 { return }
            #expect(attempt < 3, "\(growth) bytes more")
        }
    }

    /// Returns how many more bytes are in use in the last tenth of the rounds than in the second.
    private func growth(of loop: String) throws -> Int {
        let folder = try TemporaryFolder("heap-loops")
        let child = try ChildProgram(
            "HeapLoops", [loop, "\(Self.rounds)", "\(folder.path)/loop.sqlite"])
        let words = try #require(child.nextLine()).split(separator: " ").compactMap { Int($0) }
        #expect(child.wait().status == 0)
        try #require(words.count == 3)
        #expect(words[2] < 6_000, "registered objects")
        return words[1] - words[0]
    }
}
