import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Orders that were changed and restored, which are no change and nothing to save.
@Suite("Restored orders")
struct TakenBackOrderTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try makeNovelStack()
        context = test.stack.newContext()
        try test.seed { context in
            let novel = try Novel.create(in: context, title: "N")
            let first = try Chapter.create(in: context)
            let writer = try Writer.create(in: context, name: "W")
            for number in 0..<6 {
                let chapter = number == 0 ? first : try Chapter.create(in: context)
                chapter.title = "\(number)"
                novel.chapters.append(chapter)
                first.notes.append(try Label.create(in: context, text: "\(number)"))
                writer.mentors.append(try Writer.create(in: context, name: "\(number)"))
            }
        }
    }

    private func novel() throws -> Novel { try #require(try Novel.findFirst(in: context)) }
    private func writer() throws -> Writer {
        try #require(try Writer.findFirst(by: \.name, "W", in: context))
    }

    private func expectNothing(_ line: Int = #line) throws {
        #expect(!context.hasChanges && context.updatedObjects.isEmpty, "line \(line)")
        #expect(try context.saveAndWait() == .noChanges, "line \(line)")
    }

    @Test func `moving a member to another index and back is no change`() throws {
        let chapters = try novel().chapters
        chapters.move(from: 0, to: 5)
        #expect(try context.hasChanges && novel().changes(of: \.chapters).isReordered)
        chapters.move(from: 5, to: 0)
        #expect(try novel().changes(of: \.chapters).isEmpty)
        try expectNothing()
    }

    @Test func `moving members until they have their saved order again is no change`() throws {
        let chapters = try novel().chapters
        // Each member moves to the end in turn, which is a full circle.
        for _ in 0..<6 { chapters.move(from: 0, to: 5) }
        try expectNothing()
        chapters.replaceAll(with: Array(chapters.reversed()))
        #expect(chapters.map(\.title) == ["5", "4", "3", "2", "1", "0"] && context.hasChanges)
        chapters.sort { $0.title < $1.title }
        try expectNothing()
    }

    @Test func `removing a many-to-many member and inserting it back is no change`() throws {
        let notes = try novel().chapters[0].notes
        let note = notes.remove(at: 2)
        #expect(context.hasChanges)
        notes.insert(note, at: 2)
        try expectNothing()
        notes.append(notes.remove(at: 5))
        try expectNothing()
    }

    @Test func `removing a one-to-many member and inserting it back is no change`() throws {
        let chapters = try novel().chapters
        let chapter = chapters.remove(at: 2)
        chapters.insert(chapter, at: 2)
        try expectNothing()
        chapters.append(chapters.remove(at: 5))
        try expectNothing()
        chapters.append(chapters.remove(at: 0))
        #expect(chapters.map(\.title) == ["1", "2", "3", "4", "5", "0"] && context.hasChanges)
        chapters.insert(chapters.remove(at: 5), at: 0)
        try expectNothing()
    }

    @Test(arguments: [false, true])
    func `changing the last ordered member's owner and back is no change`(isElsewhere: Bool) throws
    {
        try test.seed { try Novel.create(in: $0, title: "O") }
        let last = try #require(try Chapter.findFirst(by: \.title, "5", in: context))
        let owner = last.novel
        last.novel = isElsewhere ? try Novel.findFirst(by: \.title, "O", in: context) : nil
        last.novel = owner
        try expectNothing()
        #expect(try novel().chapters.map(\.title) == ["0", "1", "2", "3", "4", "5"])
        last.novel = nil
        try #require(try Chapter.findFirst(by: \.title, "2", in: context)).novel = nil
        last.novel = owner
        #expect(try context.saveAndWait() == .saved(.updating(1)))
    }

    @Test func `inserting a member at another index changes and saves the order`() async throws {
        let chapters = try novel().chapters
        chapters.insert(chapters.remove(at: 0), at: 3)
        #expect(chapters.map(\.title) == ["1", "2", "3", "0", "4", "5"])
        try await context.save()
        let other = test.stack.newContext()
        let stored = try #require(try Novel.findFirst(in: other)).chapters.map(\.title)
        #expect(stored == ["1", "2", "3", "0", "4", "5"])
        // The position from before the save is not the stored position now.
        chapters.insert(chapters.remove(at: 3), at: 0)
        #expect(context.hasChanges)
        try await context.save()
        #expect(
            try #require(try Novel.findFirst(in: other)).chapters.map(\.title) == [
                "0", "1", "2", "3", "4", "5",
            ])
    }

    @Test func `removing a member and inserting it back leaves its inverse unchanged`() throws {
        let mentors = try writer().mentors
        let mentor = mentors.remove(at: 1)
        mentors.insert(mentor, at: 1)
        // The mentor has one student, who is the last student again.
        try expectNothing()
    }

    @Test func `a child that moves a member to an index and back has nothing to push`() throws {
        let child = context.newChild()
        let chapters = try #require(try Novel.findFirst(in: child)).chapters
        chapters.move(from: 1, to: 4)
        #expect(child.hasChanges)
        chapters.move(from: 4, to: 1)
        #expect(!child.hasChanges)
        #expect(try child.push() == .noChanges)
        chapters.move(from: 1, to: 4)
        try child.push()
        try novel().chapters.move(from: 4, to: 1)
        try expectNothing()
    }

    @Test func `moves of members are no change only if they give the last saved order`() throws {
        let chapters = try novel().chapters
        chapters.move(from: 0, to: 2)
        try test.stack.saveWithBlockAndWait { context in
            try #require(try Novel.findFirst(in: context)).chapters.move(from: 0, to: 5)
        }
        _ = try Novel.count(in: context)
        #expect(chapters.map(\.title) == ["1", "2", "0", "3", "4", "5"])
        chapters.move(from: 2, to: 0)
        #expect(context.hasChanges)
        chapters.move(from: 0, to: 5)
        try expectNothing()
        let fresh = test.stack.newContext()
        let there = try #require(try Novel.findFirst(in: fresh))
        #expect(there.chapters.map(\.title) == ["1", "2", "3", "4", "5", "0"])
    }

    @Test func `random edits of an order are a change only if the order differs`() throws {
        var random = Seeded.fromEnvironment()
        let seed = random.seed
        var (same, different) = (0, 0)
        for round in 0..<Seeded.rounds(60, full: 2_000) {
            let chapters = try novel().chapters
            let notes = try #require(try Chapter.findFirst(by: \.title, "0", in: context)).notes
            let before = (chapters.map(\.title), notes.map(\.text))
            for _ in 0..<(1 + random.below(6)) { edit(chapters, notes, &random) }
            if random.chance(50) {
                chapters.sort { Self.stands($0.title, before: $1.title, in: before.0) }
                notes.sort { Self.stands($0.text, before: $1.text, in: before.1) }
            }
            let after = (chapters.map(\.title), notes.map(\.text))
            #expect(context.hasChanges == (before != after), "seed \(seed), round \(round)")
            if before == after { same += 1 } else { different += 1 }
            let outcome = try context.saveAndWait()
            #expect((outcome == .noChanges) == (before == after), "seed \(seed), round \(round)")
            let there = test.stack.newContext()
            let stored = try #require(try Novel.findFirst(in: there)).chapters.map(\.title)
            #expect(stored == after.0, "seed \(seed), round \(round)")
        }
        #expect(same > 5 && different > 5)
    }

    private func edit(
        _ chapters: OrderedToMany<Chapter>, _ notes: OrderedToMany<Label>, _ random: inout Seeded
    ) {
        let (from, to) = (random.below(6), random.below(6))
        switch random.below(4) {
        case 0: chapters.move(from: from, to: to)
        case 1: chapters.swapMembers(from, to)
        case 2: notes.move(from: from, to: to)
        default: notes.insert(notes.remove(at: from), at: to)
        }
    }

    private static func stands(_ one: String, before other: String, in order: [String]) -> Bool {
        (order.firstIndex(of: one) ?? 0) < (order.firstIndex(of: other) ?? 0)
    }
}

extension OrderedToMany {
    /// Swaps two members.
    fileprivate func swapMembers(_ one: Int, _ other: Int) {
        let (first, last) = (Swift.min(one, other), Swift.max(one, other))
        move(from: last, to: first)
        if last - first > 1 { move(from: first + 1, to: last) }
    }
}
