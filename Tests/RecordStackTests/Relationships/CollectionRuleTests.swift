import RecordStack
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// The rules of `Collection`, while other contexts and programs write.
@Suite("Relationships as collections during saves")
struct CollectionRuleTests {
    private static let size = 12

    /// Creates a stack with a novel, its chapters, notes on the first chapter, and labels.
    private func makeStack(_ location: TestStack.Location = .memory) throws -> TestStack {
        let test = try makeNovelStack(location)
        try test.seed { context in
            let novel = try Novel.create(in: context, title: "N")
            for number in 0..<Self.size {
                let chapter = try Chapter.create(in: context)
                chapter.title = "\(number)"
                novel.chapters.append(chapter)
                let label = try Label.create(in: context, text: "\(number)")
                novel.labels.insert(label)
                novel.chapters[0].notes.append(label)
            }
        }
        return test
    }

    private func novel(in context: ManagedObjectContext) throws -> Novel {
        try #require(try Novel.findFirst(in: context))
    }

    /// Deletes and moves some members, as another context does.
    private func change(_ stack: ContextStack) throws {
        try stack.saveWithBlockAndWait { context in
            let novel = try #require(try Novel.findFirst(in: context))
            for chapter in novel.chapters.suffix(3) { try chapter.delete() }
            novel.chapters.move(from: 0, to: 4)
            for label in Array(novel.labels).suffix(4) { try label.delete() }
        }
    }

    @Test func `a to-many's count and indexes stay valid until the next operation`() throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let novel = try novel(in: context)
        let count = novel.chapters.count
        try change(test.stack)
        #expect(novel.chapters.count == count && novel.chapters.endIndex == count)
        let chapters = (0..<count).map { novel.chapters[$0] }
        #expect(chapters.filter { $0.objectState == .detached }.count == 3)
        #expect(chapters.prefix(9).map(\.title) == (0..<9).map { "\($0)" })
    }

    @Test(arguments: CollectionAlgorithm.allCases)
    func `a collection algorithm gives the same for members as for an array`(
        _ algorithm: CollectionAlgorithm
    ) throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let novel = try novel(in: context)
        let count = novel.chapters.count
        try change(test.stack)
        let result = algorithm.run(on: novel.chapters)
        #expect(result == algorithm.run(on: Array(novel.chapters)))
        #expect(novel.chapters.count == count && Array(novel.chapters).count == count)
    }

    @Test(arguments: CollectionAlgorithm.allCases)
    func `a collection algorithm gives the same for lazy results as for arrays`(
        _ algorithm: CollectionAlgorithm
    ) throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let results = try Chapter.findLazily(batch: 5, in: context)
        try change(test.stack)
        #expect(algorithm.run(on: results) == algorithm.run(on: Array(results)))
        #expect(results.count == Self.size)
    }

    @Test func `an unordered to-many relationship yields as many members as it counts`() throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let novel = try novel(in: context)
        let count = novel.labels.count
        try change(test.stack)
        #expect(count == Self.size && novel.labels.count == count)
        #expect(Array(novel.labels).count == count && novel.labels.map(\.text).count == count)
        #expect(novel.labels.objectIDs.count == count && !novel.labels.isEmpty)
        #expect(novel.labels.sorted { $0.text < $1.text }.count == count)
    }

    @Test func `countWithoutLoading is current and leaves the members unloaded`() throws {
        let test = try makeStack()
        let context = test.stack.newContext()
        let novel = try novel(in: context)
        #expect(novel.chapters.countWithoutLoading == Self.size)
        try change(test.stack)
        #expect(novel.chapters.countWithoutLoading == Self.size - 3)
        #expect(novel.labels.countWithoutLoading == Self.size - 4)
        test.expectStatements(1) { _ = novel.chapters.count }
        test.expectStatements(0) { _ = novel.chapters.countWithoutLoading }
        novel.chapters.append(try Chapter.create(in: context))
        #expect(novel.chapters.countWithoutLoading == novel.chapters.count)
    }

    @Test @MainActor func `an index taken in a to-many before an awaited save can still be read`()
        async throws
    {
        let test = try makeStack()
        let novel = try novel(in: test.stack.defaultContext)
        let count = novel.chapters.count
        try await test.stack.saveWithBlock { context in
            try #require(try Novel.findFirst(in: context)).chapters.last?.delete()
        }
        #expect(novel.chapters.count == count - 1)
        let gone = novel.chapters[count - 1]
        #expect(gone.objectState == .detached && gone.title == "")
        #expect(novel.chapters.remove(at: count - 1).objectState == .detached)
        novel.chapters.move(from: count - 1, to: 0)
        #expect(novel.chapters.count == count - 1)
        let error = #expect(throws: RecordStackError.self) {
            try Novel.count(in: test.stack.defaultContext)
        }
        #expect(error?.code == .notFound && error?.property == "chapters")
        #expect(error?.message.contains("index \(count - 1)") == true)
        #expect(try Novel.count(in: test.stack.defaultContext) == 1)
    }

    @Test func `an index beyond the members of a to-many stops the process`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let context = try makeNovelStack().stack.newContext()
            let novel = try Novel.create(in: context, title: "N")
            novel.chapters.append(try Chapter.create(in: context))
            _ = novel.chapters[novel.chapters.count]
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("The relationship has 1 members, none at the index 1."))
    }

    @Test func `collection algorithms on members work while another thread saves`() async throws {
        let test = try makeStack(.temporaryFile)
        let isDone = Atomic(false)
        async let saves = Self.write(to: test.stack, until: { isDone.load(ordering: .relaxed) })
        let rounds = Seeded.rounds(40, full: 2_000)
        for round in 0..<rounds {
            let context = test.stack.newContext()
            let novel = try novel(in: context)
            let algorithm = CollectionAlgorithm.allCases[
                round % CollectionAlgorithm.allCases.count]
            let count = novel.chapters.count
            #expect(algorithm.run(on: novel.chapters) == algorithm.run(on: Array(novel.chapters)))
            #expect(novel.chapters.count == count)
            let labels = novel.labels.count
            #expect(Array(novel.labels).count == labels)
            await Task.yield()
        }
        isDone.store(true, ordering: .relaxed)
        #expect(try await saves > 0)
    }

    /// Creates and deletes members without a pause, and returns the number of saves.
    @concurrent private static func write(
        to stack: ContextStack, until isDone: @Sendable () -> Bool
    ) async throws -> Int {
        var saves = 0
        while !isDone() || saves == 0 {
            try await stack.saveWithBlock { context in
                let novel = try #require(try Novel.findFirst(in: context))
                if novel.chapters.count > 6 {
                    try novel.chapters.last?.delete()
                    try novel.chapters.first?.delete()
                } else {
                    for _ in 0..<8 { novel.chapters.append(try Chapter.create(in: context)) }
                }
                if let label = novel.labels.first(where: { _ in true }) {
                    novel.labels.remove(label)
                } else {
                    novel.labels.formUnion(try Label.find(in: context))
                }
            }
            saves += 1
        }
        return saves
    }
}
