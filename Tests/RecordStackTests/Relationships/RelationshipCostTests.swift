import RecordStack
import RecordStackTesting
import Testing

/// Edits whose cost depends on what is edited, not on what there is. Time is printed, statements
/// are counted.
@Suite("Cost of relationship edits") struct RelationshipCostTests {
    private func append(_ count: Int, to owners: Int, of test: TestStack) async throws -> Duration {
        let context = test.stack.newContext()
        let novels = try (0..<owners).map {
            try Novel.create(in: context, title: "\(owners) \($0)")
        }
        let chapters = try (0..<count).map { _ in try Chapter.create(in: context) }
        let start = ContinuousClock.now
        for (number, chapter) in chapters.enumerated() {
            novels[number % owners].chapters.append(chapter)
        }
        let time = ContinuousClock.now - start
        try await context.save()
        return time
    }

    @Test func `appending to a list of 10,000 stored members runs one statement`() async throws {
        let test = try makeNovelStack()
        let short = try await append(10_000, to: 10, of: test)
        let long = try await append(10_000, to: 1, of: test)
        print("10,000 appended to one list: \(long / short) times as long as to ten")
        let other = test.stack.newContext()
        let novel = try #require(try Novel.findFirst(by: \.title, "1 0", in: other))
        let chapter = try Chapter.create(in: other)
        // The append reads only the keys of the stored members.
        let statements = test.recorder.statements { novel.chapters.append(chapter) }
        #expect(statements.count == 1, "\(statements)")
        #expect(novel.chapters.count == 10_001 && novel.chapters.last === chapter)
    }

    @Test func `inserting and removing members loads no other members`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let writer = try Writer.create(in: context, name: "Ann")
        let novels = try (0..<1_000).map { try Novel.create(in: context, title: "\($0)") }
        writer.novels.formUnion(novels.dropLast())
        try await context.save()
        let other = test.stack.newContext()
        let ann = try #require(try Writer.findFirst(in: other))
        let first = try #require(try Novel.findFirst(by: \.title, "0", in: other))
        let last = try #require(try Novel.findFirst(by: \.title, "999", in: other))
        let rows = test.stack.storeStatistics.rowsRead
        ann.novels.insert(last)
        ann.novels.remove(first)
        #expect(test.stack.storeStatistics.rowsRead - rows == 2)
        let written = try await test.recorder.statements { _ = try await other.save() }
        #expect(written.filter { $0.contains("Writer_novels") }.count == 2, "\(written)")
    }
}
