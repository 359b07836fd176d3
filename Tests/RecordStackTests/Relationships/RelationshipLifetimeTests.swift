import RecordStack
import RecordStackTesting
import Testing

/// Relationships, which keep no objects alive.
@Suite("Lifetime of related objects") struct RelationshipLifetimeTests {
    /// Creates 10,000 objects that are related to each other in every way.
    private func fill(_ test: TestStack) async throws {
        try await test.stack.saveWithBlock { context in
            for number in 0..<2_000 {
                let writer = try Writer.create(in: context, name: "\(number)")
                let novel = try Novel.create(in: context, title: "\(number)")
                writer.novels.insert(novel)
                writer.favourite = novel
                let cover = try Cover.create(in: context)
                novel.cover = cover
                let chapter = try Chapter.create(in: context)
                novel.chapters.append(chapter)
                let label = try Label.create(in: context, text: "\(number)")
                novel.labels.insert(label)
                chapter.notes.append(label)
            }
            let writers = try Writer.find(in: context)
            for (writer, next) in zip(writers, writers.dropFirst()) {
                writer.mentors.append(next)
                writer.friends.insert(next)
            }
        }
    }

    @Test func `a context releases related objects that nothing else references`() async throws {
        let test = try makeNovelStack()
        try await fill(test)
        let context = test.stack.newContext()
        for writer in try Writer.find(in: context) {
            _ =
                writer.mentors.map(\.name) + writer.students.map(\.name)
                + writer.friends.map(\.name)
            for novel in writer.novels {
                _ = novel.writers.map(\.name)
                #expect(novel.cover?.novel === novel && writer.favourite === novel)
                for chapter in novel.chapters { _ = (chapter.novel, chapter.notes.map(\.text)) }
                _ = novel.labels.map(\.text)
            }
        }
        #expect(context.registeredObjectCount == 10_000)
        _ = try Writer.find(limit: 1, in: context)
        #expect(context.registeredObjectCount <= 1, "\(context.registeredObjectCount)")
    }

    @Test func `a context releases related objects after a save or a rollback`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        for round in 0..<2 {
            for number in 0..<2_000 {
                let writer = try Writer.create(in: context, name: "\(round) \(number)")
                let novel = try Novel.create(in: context, title: "\(round) \(number)")
                writer.novels.insert(novel)
                novel.chapters.append(try Chapter.create(in: context))
            }
            if round == 0 { try await context.save() } else { context.rollback() }
        }
        _ = try Writer.find(limit: 1, in: context)
        #expect(context.registeredObjectCount <= 1, "\(context.registeredObjectCount)")
    }
}
