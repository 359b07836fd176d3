import RecordStack
import RecordStackTesting
import Testing

/// The indexes of an ordered relationship between two operations, whatever is loaded and whatever
/// other contexts save meanwhile.
@Suite("Stable indexes of members") struct PinnedMembersTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let novel: Novel

    init() throws {
        test = try makeNovelStack(.temporaryFile)
        context = test.stack.newContext()
        try test.seed { context in
            let novel = try Novel.create(in: context, title: "N")
            _ = try Novel.create(in: context, title: "O")
            for number in 0..<5 {
                let chapter = try Chapter.create(in: context)
                chapter.title = "\(number)"
                novel.chapters.append(chapter)
            }
        }
        novel = try #require(try Novel.findFirst(by: \.title, "N", in: context))
    }

    enum Change: CaseIterable { case delete, add, move, moveAway }

    private func make(_ change: Change, of title: String) throws {
        try test.stack.saveWithBlockAndWait { context in
            let novel = try #require(try Novel.findFirst(by: \.title, "N", in: context))
            let chapter = try #require(try Chapter.findFirst(by: \.title, title, in: context))
            switch change {
            case .delete: try chapter.delete()
            case .add: novel.chapters.append(try Chapter.create(in: context))
            case .move: novel.chapters.insert(chapter, at: 0)
            case .moveAway: chapter.novel = try Novel.findFirst(by: \.title, "O", in: context)
            }
        }
    }

    private func keepFaults() throws -> [Chapter] {
        let chapters = Array(novel.chapters)
        context.refreshAllObjects()
        return chapters
    }

    @Test(arguments: Change.allCases)
    func `indexes of members stay the same while faults are loaded one by one`(
        change: Change
    ) throws {
        let held = try keepFaults()
        #expect(novel.chapters.count == 5)
        try make(change, of: "2")
        let titles = held.indices.map { place in
            defer { #expect(novel.chapters.count == 5) }
            return novel.chapters[place].title
        }
        #expect(titles.count == 5 && Set(novel.chapters.indices) == Set(0..<5))
        let count = change == .delete || change == .moveAway ? 4 : change == .add ? 6 : 5
        // The next operation throws the error of a missing row.
        _ = try? Novel.count(in: context)
        _ = try Novel.count(in: context)
        #expect(novel.chapters.count == count)
    }

    @Test(arguments: Change.allCases)
    func `a save elsewhere does not change a loop over members.enumerated()`(
        change: Change
    ) throws {
        let held = try keepFaults()
        let titles = try novel.chapters.enumerated().map { place, chapter in
            if place == 0 { try make(change, of: "3") }
            return "\(place) \(chapter.title)"
        }
        #expect(titles.count == held.count)
    }
}
