import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// To-many relationships in files that another program has damaged.
@Suite("Members of damaged files")
struct DamagedMemberTests {
    /// Creates a novel with ten chapters and labels in a file, and runs SQL in a program that
    /// checks no foreign keys.
    private func makeStack(_ sql: String) throws -> TestStack {
        let test = try makeNovelStack(.temporaryFile)
        try test.seed { context in
            let novel = try Novel.create(in: context, title: "N")
            for number in 0..<10 {
                let chapter = try Chapter.create(in: context)
                chapter.title = "\(number)"
                novel.chapters.append(chapter)
                novel.labels.insert(try Label.create(in: context, text: "\(number)"))
            }
        }
        try ForeignProgram(path: #require(test.path)).run("PRAGMA foreign_keys = OFF; \(sql)")
        return test
    }

    @Test(arguments: [
        "DELETE FROM Chapter WHERE _key % 3 = 0; DELETE FROM Label WHERE _key % 3 = 0",
        "UPDATE Chapter SET title = x'00' WHERE _key = 4; UPDATE Label SET text = x'01' WHERE _key = 4",
        "UPDATE Chapter SET _version = -1 WHERE _key = 4",
        "UPDATE Chapter SET _novel_position = NULL WHERE _key = 4",
        "DELETE FROM Chapter; DELETE FROM Label",
        "ALTER TABLE Chapter RENAME TO Chapter2; ALTER TABLE Novel_labels RENAME TO Other",
        "ALTER TABLE Chapter RENAME COLUMN title TO other",
    ])
    func `collection algorithms on members terminate even if the file is damaged`(_ sql: String)
        throws
    {
        let test = try makeStack("")
        let context = test.stack.newContext()
        let novel = try #require(try Novel.findFirst(in: context))
        // Some members are loaded before the damage, and some after it.
        let early = novel.chapters.prefix(2).map(\.title)
        try? ForeignProgram(path: #require(test.path)).run("PRAGMA foreign_keys = OFF; \(sql)")
        check(novel)
        #expect(early == ["0", "1"])
        let later = test.stack.newContext()
        if let novel = try? Novel.findFirst(in: later) { check(novel) }
    }

    private func check(_ novel: Novel) {
        for algorithm in CollectionAlgorithm.allCases {
            let result = algorithm.run(on: novel.chapters)
            #expect(result == algorithm.run(on: Array(novel.chapters)), "\(algorithm)")
        }
        let count = novel.chapters.count
        #expect(Array(novel.chapters).count == count)
        #expect(novel.chapters.map(\.title).count == count)
        #expect((0..<count).map { novel.chapters[$0].title }.count == count)
        let labels = novel.labels.count
        #expect(Array(novel.labels).count == labels && novel.labels.map(\.text).count == labels)
    }
}
