import Foundation
import TestSupport
import Testing

/// The memory of indexes and memos of unsaved objects, as the page on the costs of requests states
/// it.
@Suite("Memory of pending indexes") struct PendingHeapTests {
    /// True if a sanitizer runs, which keeps freed memory.
    private static let isSanitized =
        ProcessInfo.processInfo.environment["RECORDSTACK_SANITIZER"] != nil
    /// The number of objects just after the hash table has doubled. It is so large that cached
    /// statements do not count.
    private static let objects = 49_153

    @Test(.disabled(if: isSanitized), arguments: [1, 2, 3, 4, 6, 1_000])
    func `in-memory indexes of unsaved objects are small, and a save frees them`(
        sharing: Int
    ) throws {
        let child = try ChildProgram("PendingHeap", ["\(Self.objects)", "\(sharing)"])
        let costs = try #require(child.nextLine()).split(separator: " ").compactMap { Int($0) }
        let left = try #require(child.nextLine().flatMap { Int($0) })
        let stored = try #require(child.nextLine()).split(separator: " ").compactMap { Int($0) }
        #expect(child.wait().status == 0)
        try #require(costs.count == 2 && stored.count == 2)
        #expect((1...48).contains(costs[0]), "an index has \(costs[0]) bytes an object")
        #expect((1...16).contains(costs[1]), "a memo has \(costs[1]) bytes an object")
        #expect((1...48).contains(stored[0]), "an index of rows has \(stored[0]) bytes an object")
        #expect((1...16).contains(stored[1]), "a memo of rows has \(stored[1]) bytes an object")
        #expect(left <= 1, "\(left) bytes an object are left")
    }
}
