import RecordStack
import RecordStackTesting
import Testing

/// Chains of contexts that are thousands deep.
@Suite("Deep chains of contexts")
struct DeepChainTests {
    private static let depth = 10_000

    @Test func `a chain of 10,000 contexts finds, edits, pushes and saves`() throws {
        let test = try makeNovelStack()
        var chain = [test.stack.newContext()]
        for _ in 1..<Self.depth { chain.append(chain[chain.count - 1].newChild()) }
        let last = chain[chain.count - 1]
        let novel = try Novel.create(in: last, title: "deep")
        novel.chapters.append(try Chapter.create(in: last))
        try last.push()
        #expect(try Novel.count(in: chain[Self.depth - 2]) == 1)
        #expect(try last.saveAndWait() == .saved(.inserting(2)))
        #expect(try Novel.findFirst(in: chain[0])?.chapters.count == 1)
        let above = try #require(try Novel.findFirst(in: chain[1]))
        above.title = "changed"
        #expect(try Novel.findFirst(in: last)?.title == "changed")
        novel.title = "mine"
        above.title = "changed again"
        #expect(throws: RecordStackError.self) { try last.saveAndWait() }
        try novel.resolveConflict(on: \.title, keeping: .ours)
        #expect(try last.saveAndWait() == .saved(.updating(1)))
        #expect(try Novel.findFirst(in: test.stack.newContext())?.title == "mine")
    }
}
