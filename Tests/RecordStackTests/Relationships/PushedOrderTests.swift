import RecordStack
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Dancer: ManagedObject {
    @Attribute(.unique) var name: String
    /// The partners of a dancer. Each dancer has an own order of them.
    @Relationship(.symmetric) var partners: OrderedToMany<Dancer>
}

/// Orders that a child has changed and pushed, and that are the same as before.
@Suite("Pushed orders")
struct PushedOrderTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let child: ManagedObjectContext

    init() throws {
        test = try makeNovelStack()
        context = test.stack.newContext()
        child = context.newChild()
        try test.seed { try makeOrderedNovel(in: $0) }
    }

    private func chapters(_ context: ManagedObjectContext) throws -> OrderedToMany<Chapter> {
        try #require(try Novel.findFirst(by: \.title, "N", in: context)).chapters
    }

    private func notes(_ context: ManagedObjectContext) throws -> OrderedToMany<Label> {
        try #require(try Chapter.findFirst(by: \.title, "0", in: context)).notes
    }

    /// - Returns: the parent's objects, which keep their loaded relationships while they live.
    private func load(_ isLoaded: Bool) throws -> [ManagedObject] {
        guard isLoaded else { return [] }
        let novel = try #require(try Novel.findFirst(by: \.title, "N", in: context))
        let chapter = try #require(try Chapter.findFirst(by: \.title, "0", in: context))
        _ = (novel.chapters.map(\.title), chapter.notes.map(\.text))
        return [novel, chapter]
    }

    private func push(_ edit: () throws -> Void) throws {
        try edit()
        try child.push()
    }

    @Test(arguments: [false, true])
    func `a member's pushed move to another index and back leaves no change`(
        isLoaded: Bool
    ) throws {
        let held = try load(isLoaded)
        defer { withExtendedLifetime(held) {} }
        let (chapters, notes) = (try chapters(child), try notes(child))
        try push { chapters.move(from: 1, to: 4) }
        try push { notes.move(from: 0, to: 5) }
        #expect(context.hasChanges)
        try push { chapters.move(from: 4, to: 1) }
        try push { notes.move(from: 5, to: 0) }
        #expect(!context.hasChanges && !child.hasChanges)
        #expect(try context.saveAndWait() == .noChanges)
    }

    @Test(arguments: [false, true])
    func `a member's pushed removal and reinsertion at its index are no change`(
        isLoaded: Bool
    ) throws {
        let held = try load(isLoaded)
        defer { withExtendedLifetime(held) {} }
        let notes = try notes(child)
        let note = notes[3]
        try push { notes.remove(at: 3) }
        #expect(context.hasChanges)
        try push { notes.insert(note, at: 3) }
        #expect(!context.hasChanges)
        #expect(try context.saveAndWait() == .noChanges)
    }

    @Test(arguments: [false, true])
    func `a member's pushed removal and reinsertion at a new index are a change`(
        isLoaded: Bool
    ) throws {
        let held = try load(isLoaded)
        defer { withExtendedLifetime(held) {} }
        let below = try chapters(child)
        let chapter = below[2]
        try push { below.remove(at: 2) }
        try push { below.append(chapter) }
        let mine = try chapters(context)
        let wanted = ["0", "1", "3", "4", "5", "2"]
        #expect(mine.map(\.title) == wanted && context.hasChanges)
        // A further move and its reversal keep the pushed change.
        mine.move(from: 0, to: 3)
        mine.move(from: 3, to: 0)
        #expect(mine.map(\.title) == wanted && context.hasChanges)
        mine.move(from: 5, to: 2)
        mine.move(from: 2, to: 5)
        try context.saveAndWait()
        let fresh = test.stack.newContext()
        #expect(try chapters(fresh).map(\.title) == wanted)
    }

    @Test(arguments: [false, true])
    func `a child's pushed reordering keeps the owner a parent gave a member`(
        isLoaded: Bool
    ) throws {
        try test.seed { context in
            let other = try Novel.create(in: context, title: "O")
            for title in ["a", "b"] {
                let chapter = try Chapter.create(in: context)
                chapter.title = title
                other.chapters.append(chapter)
            }
        }
        let held = try load(isLoaded)
        defer { withExtendedLifetime(held) {} }
        try chapters(context)[0].novel = try Novel.findFirst(by: \.title, "O", in: context)
        let below = try #require(try Novel.findFirst(by: \.title, "O", in: child)).chapters
        #expect(below.map(\.title) == ["a", "b", "0"])
        let chapter = below[2]
        try push { below.remove(at: 2) }
        try push { below.append(chapter) }
        try push { below.move(from: 2, to: 0) }
        try push { below.move(from: 0, to: 2) }
        try context.saveAndWait()
        let fresh = test.stack.newContext()
        let stored = try #require(try Novel.findFirst(by: \.title, "O", in: fresh)).chapters
        #expect(stored.map(\.title) == ["a", "b", "0"])
        #expect(stored.indices.allSatisfy { stored[$0].novel?.title == "O" })
    }

    @Test func `pushing random moves of members is a change only if the order differs`() throws {
        var random = Seeded.fromEnvironment()
        let seed = random.seed
        var (same, different) = (0, 0)
        for round in 0..<Seeded.rounds(60, full: 2_000) {
            // An order that is not loaded counts as unchanged only if each member has its exact
            // position again.
            let isLoaded = random.chance(50)
            let held = try load(isLoaded)
            defer { withExtendedLifetime(held) {} }
            let (below, notesBelow) = (try chapters(child), try notes(child))
            let before = (below.map(\.title), notesBelow.map(\.text))
            for _ in 0..<(1 + random.below(4)) {
                try edit(below, &random)
                try edit(notesBelow, &random, pushes: true)
                if random.chance(70) { try child.push() }
            }
            if random.chance(50) {
                below.sort { Self.stands($0.title, before: $1.title, in: before.0) }
                notesBelow.sort { Self.stands($0.text, before: $1.text, in: before.1) }
            }
            try child.push()
            let after = (below.map(\.title), notesBelow.map(\.text))
            let place: Comment = "seed \(seed), round \(round)"
            if context.hasChanges { different += 1 } else { same += 1 }
            if before != after { #expect(context.hasChanges, place) }
            if before == after, isLoaded { #expect(!context.hasChanges, place) }
            try context.saveAndWait()
            let stored = test.stack.newContext()
            #expect(try chapters(stored).map(\.title) == after.0, place)
            #expect(try notes(stored).map(\.text) == after.1, place)
        }
        #expect(same > 5 && different > 5)
    }

    private func edit<Member: ManagedObject>(
        _ members: OrderedToMany<Member>, _ random: inout Seeded, pushes: Bool = false
    ) throws {
        let (from, to) = (random.below(6), random.below(6))
        if random.chance(50) {
            members.move(from: from, to: to)
        } else {
            let member = members.remove(at: from)
            if pushes && random.chance(30) { try child.push() }
            members.insert(member, at: to)
        }
    }

    private static func stands(_ one: String, before other: String, in order: [String]) -> Bool {
        (order.firstIndex(of: one) ?? 0) < (order.firstIndex(of: other) ?? 0)
    }

    @Test func `reinserting a .symmetric to-many's member at its index is no change`() throws {
        let test = try TestStack(for: Dancer.self)
        try test.seed { context in
            let all = try (0..<4).map { try Dancer.create(in: context, name: "\($0)") }
            for other in all.dropFirst() { all[0].partners.append(other) }
        }
        let context = test.stack.newContext()
        let dancer = try #require(try Dancer.findFirst(by: \.name, "0", in: context))
        for place in [0, 1, 2] {
            let partner = dancer.partners.remove(at: place)
            #expect(context.hasChanges)
            dancer.partners.insert(partner, at: place)
            #expect(!context.hasChanges)
        }
        #expect(try context.saveAndWait() == .noChanges)
    }
}
