import RecordStack
import RecordStackTesting
import Testing

/// Positions that members had once. An edit that leads back to such a position is a change.
@Suite("Positions in ordered relationships")
struct OrderPlaceTests {
    private let test: TestStack
    /// The topmost context, its child `middle`, and the child of that.
    private let top: ManagedObjectContext
    private let middle: ManagedObjectContext
    private let child: ManagedObjectContext

    init() throws {
        test = try makeNovelStack()
        top = test.stack.newContext()
        middle = top.newChild()
        child = middle.newChild()
        try test.seed { context in
            try makeOrderedNovel(in: context)
            try Novel.create(in: context, title: "O")
        }
    }

    private func novel(_ title: String, _ context: ManagedObjectContext) throws -> Novel {
        try #require(try Novel.findFirst(by: \.title, title, in: context))
    }

    private func chapters(_ context: ManagedObjectContext) throws -> OrderedToMany<Chapter> {
        try novel("N", context).chapters
    }

    private func notes(_ context: ManagedObjectContext) throws -> OrderedToMany<Label> {
        try #require(try Chapter.findFirst(by: \.title, "0", in: context)).notes
    }

    private func chapter(_ title: String, _ context: ManagedObjectContext) throws -> Chapter {
        try #require(try Chapter.findFirst(by: \.title, title, in: context))
    }

    /// Saves what a body does in another context of the stack.
    private func elsewhere(_ body: (ManagedObjectContext) throws -> Void) throws {
        let context = test.stack.newContext()
        try body(context)
        try context.saveAndWait()
    }

    /// Saves everything, and checks the stored order.
    private func expectStored(_ titles: String, _ texts: String = "012345") throws {
        if child.hasChanges { try child.push() }
        if middle.hasChanges { try middle.push() }
        try top.saveAndWait()
        let fresh = test.stack.newContext()
        #expect(try chapters(fresh).map(\.title).joined() == titles)
        #expect(try notes(fresh).map(\.text).joined() == texts)
    }

    @Test func `a child can reinsert a member after another save gives it a new owner`() throws {
        let below = try chapters(child)
        let member = below.remove(at: 2)
        try child.push()
        below.insert(member, at: 2)
        try child.push()
        try elsewhere { context in
            try novel("O", context).chapters.append(try chapter("2", context))
        }
        _ = try Novel.count(in: child)
        if below.count == 5 { below.insert(member, at: 2) }
        try expectStored("012345")
    }

    @Test func `a child's move of a member back to its index undoes an ancestor's move`() throws {
        let below = try chapters(child)
        below.move(from: 2, to: 4)
        try child.push()
        below.move(from: 4, to: 2)
        try child.push()
        #expect(!middle.hasChanges)
        try chapters(top).move(from: 2, to: 5)
        _ = try Novel.count(in: child)
        below.move(from: 5, to: 2)
        #expect(below.map(\.title).joined() == "012345")
        try expectStored("012345")
    }

    @Test func `appending a removed member stores it last, where an ancestor moved it`() throws {
        try chapters(top).move(from: 2, to: 5)
        let below = try chapters(child)
        let member = below.remove(at: 5)
        try child.push()
        try middle.push()
        below.append(member)
        try child.push()
        try expectStored("013452")
    }

    @Test func `a member that a child's pushes append, remove and append again is last`() throws {
        try chapter("2", middle).novel = nil
        let held = try novel("N", middle)
        #expect(held.chapters.map(\.title).joined() == "01345")
        let below = try chapters(child)
        let member = try chapter("2", child)
        below.append(member)
        try child.push()
        _ = below.remove(member)
        try child.push()
        below.append(member)
        try child.push()
        #expect(held.chapters.map(\.title).joined() == "013452")
        try expectStored("013452")
    }

    @Test(arguments: [false, true])
    func `a child's reordering is still pushed after a rollback of the parent`(
        isKeyed: Bool
    ) throws {
        if isKeyed {
            try chapters(middle).move(from: 0, to: 5)
            let below = try chapters(child)
            below.move(from: 5, to: 2)
            middle.rollback()
            below.move(from: below.count - 6 + 2, to: 5)
            let shown = below.map(\.title).joined()
            try child.push()
            try expectStored(shown)
        } else {
            try notes(middle).move(from: 0, to: 5)
            let below = try notes(child)
            below.move(from: 5, to: 2)
            middle.rollback()
            below.move(from: 2, to: 5)
            let shown = below.map(\.text).joined()
            try child.push()
            try expectStored("012345", shown)
        }
    }

    @Test func `a reordered member can be reinserted if another save changed its owner`() throws {
        let mine = try chapters(middle)
        mine.move(from: 2, to: 4)
        try elsewhere { context in
            try novel("O", context).chapters.append(try chapter("2", context))
        }
        _ = try Novel.count(in: middle)
        if mine.count == 5 { mine.insert(try chapter("2", middle), at: 2) }
        let shown = mine.map(\.title).joined()
        try expectStored(shown)
    }

    @Test
    func `a child reinserting a member at its index overrides a parent's move`() throws {
        let below = try chapters(child)
        let member = below.remove(at: 2)
        try chapters(middle).move(from: 2, to: 5)
        below.insert(member, at: 2)
        #expect(below.map(\.title).joined() == "012345")
        try expectStored("012345")
    }

    @Test func `a child's order is saved as shown after its parent merges another one`() throws {
        try notes(middle).move(from: 0, to: 5)
        let below = try notes(child)
        below.move(from: 5, to: 2)
        try elsewhere { try notes($0).move(from: 0, to: 3) }
        _ = try Novel.count(in: child)
        below.move(from: 2, to: 3)
        let shown = below.map(\.text).joined()
        try expectStored("012345", shown)
    }
}
