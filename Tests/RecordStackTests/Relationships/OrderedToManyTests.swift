import RecordStack
import RecordStackTesting
import Testing

@Suite("Ordered relationships") struct OrderedToManyTests {
    private func makeNovel(
        _ titles: String, in context: ManagedObjectContext
    ) throws -> Novel {
        let novel = try Novel.create(in: context, title: titles)
        for title in titles { novel.chapters.append(try chapter("\(title)", in: context)) }
        return novel
    }

    private func chapter(_ title: String, in context: ManagedObjectContext) throws -> Chapter {
        let chapter = try Chapter.create(in: context)
        chapter.title = title
        return chapter
    }

    private func titles(_ novel: Novel?) -> String {
        novel.map { $0.chapters.map(\.title).joined() } ?? "-"
    }

    private func reread(_ title: String, _ test: TestStack) throws -> String {
        let context = test.stack.newContext()
        return titles(try Novel.findFirst(by: \.title, title, in: context))
    }

    @Test func `an ordered relationship keeps its order through edits and saves`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let novel = try makeNovel("abcd", in: context)
        #expect(titles(novel) == "abcd" && novel.chapters.count == 4)
        try await context.save()
        #expect(try reread("abcd", test) == "abcd")
        novel.chapters.move(from: 3, to: 1)
        novel.chapters.insert(try chapter("e", in: context), at: 0)
        #expect(titles(novel) == "eadbc" && context.hasChanges)
        try await context.save()
        #expect(try reread("abcd", test) == "eadbc")
        #expect(novel.chapters.remove(at: 2).title == "d")
        novel.chapters.append(novel.chapters[0])
        #expect(titles(novel) == "abce")
        novel.chapters.sort { $0.title > $1.title }
        #expect(titles(novel) == "ecba")
        #expect(novel.chapters.firstIndex(of: novel.chapters[2]) == 2)
        #expect(
            novel.chapters.last?.title == "a" && novel.chapters[1...2].map(\.title) == ["c", "b"])
        try await context.save()
        #expect(try reread("abcd", test) == "ecba")
    }

    @Test func `a member that is added through its to-one side comes last`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let novel = try makeNovel("ab", in: context)
        try await context.save()
        let other = test.stack.newContext()
        let there = try other.object(novel.objectID) as! Novel
        let late = try chapter("z", in: other)
        late.novel = there
        #expect(titles(there) == "abz")
        try await other.save()
        _ = try Novel.count(in: context)
        #expect(titles(novel) == "abz")
        #expect(try reread("ab", test) == "abz")
    }

    @Test func `a member inserted into a second ordered to-many is gone from the first`()
        async throws
    {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let first = try makeNovel("abc", in: context)
        let second = try makeNovel("xyz", in: context)
        try await context.save()
        second.chapters.insert(first.chapters[1], at: 1)
        #expect(titles(first) == "ac" && titles(second) == "xbyz")
        context.rollback()
        #expect(titles(first) == "abc" && titles(second) == "xyz")
        second.chapters.insert(first.chapters[1], at: 1)
        try await context.save()
        #expect(try reread("abc", test) == "ac" && reread("xyz", test) == "xbyz")
    }

    @Test func `a many-to-many relationship can be ordered on both sides`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let people = try ["A", "B", "C", "D"].map { try Writer.create(in: context, name: $0) }
        people[0].mentors.append(contentsOf: people[1...])
        people[1].students.insert(people[3], at: 0)
        #expect(people[0].mentors.map(\.name) == ["B", "C", "D"])
        #expect(people[1].students.map(\.name) == ["D", "A"])
        #expect(people[3].mentors.map(\.name) == ["B"])
        try await context.save()
        people[0].mentors.move(from: 2, to: 0)
        #expect(people[1].students.map(\.name) == ["D", "A"])
        try await context.save()
        let other = test.stack.newContext()
        func find(_ name: String) throws -> Writer? {
            try Writer.findFirst(by: \.name, name, in: other)
        }
        #expect(try find("A")?.mentors.map(\.name) == ["D", "B", "C"])
        #expect(try find("B")?.students.map(\.name) == ["D", "A"])
    }

    @Test func `a relationship without an inverse can be ordered`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let chapter = try chapter("a", in: context)
        let labels = try ["x", "y", "z"].map { try Label.create(in: context, text: $0) }
        chapter.notes.replaceAll(with: labels.reversed())
        try await context.save()
        chapter.notes.replaceAll(with: [labels[0], labels[2], labels[0]])
        #expect(chapter.notes.map(\.text) == ["x", "z"])
        try await context.save()
        let other = test.stack.newContext()
        let there = try other.existingObject(chapter.objectID, as: Chapter.self)
        #expect(there.notes.map(\.text) == ["x", "z"])
    }

    @Test func `appending a deleted object to an ordered to-many reports one misuse`() async throws
    {
        let context = try makeNovelStack().stack.newContext()
        let novel = try makeNovel("ab", in: context)
        let removed = novel.chapters[0]
        try removed.delete()
        let error = Recorded()
        context.faultHandler = { error.note($0) }
        novel.chapters.append(removed)
        #expect(error.codes == [.misuse] && titles(novel) == "b")
    }

    @Test func `a move in a list of 2,000 members writes few positions`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let novel = try Novel.create(in: context, title: "long")
        for number in 0..<2_000 { novel.chapters.append(try chapter("\(number)", in: context)) }
        try await context.save()
        var model = novel.chapters.map(\.title)
        var written = 0
        for round in 0..<600 {
            // Each move goes into the same gap, which gets narrower until it is used up.
            let from = 1_999 - round % 7
            model.insert(model.remove(at: from), at: 1_000)
            novel.chapters.move(from: from, to: 1_000)
            test.recorder.reset()
            try await context.save()
            written += test.recorder.statements.filter { $0.contains("_position") }.count
        }
        #expect(novel.chapters.map(\.title) == model)
        #expect(written < 600 * 8, "\(written)")
        let other = test.stack.newContext()
        let there = try #require(try Novel.findFirst(by: \.title, "long", in: other))
        #expect(there.chapters.map(\.title) == model)
    }

    @Test func `reorderings of members by two contexts are merged`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let novel = try makeNovel("abcd", in: context)
        try await context.save()
        let other = test.stack.newContext()
        let there = try other.object(novel.objectID) as! Novel
        there.chapters.move(from: 0, to: 3)
        novel.chapters.move(from: 1, to: 0)
        try await other.save()
        try await context.save()
        #expect(titles(novel) == "bcda")
        _ = try Novel.count(in: other)
        #expect(titles(there) == "bcda")
        #expect(try reread("abcd", test) == "bcda")
    }

    @Test func `reorderings of members by a child and its parent are merged`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let novel = try makeNovel("abcd", in: context)
        try await context.save()
        novel.chapters.move(from: 0, to: 1)
        let child = context.newChild()
        let hers = try child.object(novel.objectID) as! Novel
        #expect(titles(hers) == "bacd")
        hers.chapters.move(from: 3, to: 0)
        hers.chapters.append(try chapter("e", in: child))
        #expect(titles(hers) == "dbace" && titles(novel) == "bacd")
        try child.push()
        #expect(titles(novel) == "dbace" && titles(hers) == "dbace")
        hers.chapters.move(from: 4, to: 0)
        try await child.save()
        #expect(titles(novel) == "edbac" && !context.hasChanges)
        #expect(try reread("abcd", test) == "edbac")
    }
}
