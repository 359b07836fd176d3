import RecordStack
import RecordStackTesting
import Synchronization
import Testing

@Suite("To-many and one-to-one relationships") struct ToManyTests {
    private func names(_ writers: some Sequence<Writer>) -> [String] {
        writers.map(\.name).sorted()
    }
    private func titles(_ novels: some Sequence<Novel>) -> [String] { novels.map(\.title).sorted() }

    @Test
    func `an edit of a many-to-many relationship updates and saves both sides`() async throws {
        let test = try makeNovelStack(.temporaryFile)
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let bob = try Writer.create(in: context, name: "Bob")
        let sea = try Novel.create(in: context, title: "Sea")
        let sky = try Novel.create(in: context, title: "Sky")
        ann.novels.insert(sea)
        sky.writers.formUnion([ann, bob])
        #expect(titles(ann.novels) == ["Sea", "Sky"] && titles(bob.novels) == ["Sky"])
        #expect(names(sea.writers) == ["Ann"] && names(sky.writers) == ["Ann", "Bob"])
        try await context.save()
        #expect(!context.hasChanges)

        let other = test.stack.newContext()
        let there = try #require(try Writer.findFirst(by: \.name, "Ann", in: other))
        #expect(titles(there.novels) == ["Sea", "Sky"])
        #expect(there.novels.count == 2 && there.novels.objectIDs.count == 2)

        ann.novels.remove(sea)
        #expect(sea.writers.isEmpty && context.hasChanges)
        try await context.save()
        _ = try Writer.count(in: other)
        #expect(titles(there.novels) == ["Sky"])
        try test.stack.close()
        let reopened = try ContextStack(
            for: Writer.self, Novel.self, Chapter.self, Cover.self, Label.self,
            at: .file(#require(test.path)))
        let again = reopened.newContext()
        let reread = try #require(try Novel.findFirst(by: \.title, "Sky", in: again))
        #expect(names(reread.writers) == ["Ann", "Bob"])
    }

    @Test func `removing a member and adding it again is no change`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let sea = try Novel.create(in: context, title: "Sea")
        ann.novels.insert(sea)
        try await context.save()
        #expect(ann.novels.remove(sea) && context.hasChanges)
        #expect(ann.novels.insert(sea) && !context.hasChanges)
        #expect(!ann.novels.insert(sea) && !context.hasChanges)
        #expect(try await context.save() == .noChanges)
    }

    @Test func `deleting a member removes it from to-manys without an inverse`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let sea = try Novel.create(in: context, title: "Sea")
        let sky = try Novel.create(in: context, title: "Sky")
        let label = try Label.create(in: context, text: "good")
        sea.labels.insert(label)
        sky.labels.insert(label)
        try await context.save()
        #expect(sea.labels.contains(label) && sky.labels.contains(label))
        try label.delete()
        #expect(sea.labels.isEmpty && sky.labels.count == 0)
        try await context.save()
        #expect(try await test.stack.integrityCheck().isEmpty)
    }

    @Test func `adding or removing a .symmetric member changes both objects' members`() async throws
    {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let people = try ["Ann", "Bob", "Eve"].map { try Writer.create(in: context, name: $0) }
        people[0].friends.insert(people[1])
        people[2].friends.insert(people[0])
        #expect(names(people[0].friends) == ["Bob", "Eve"])
        #expect(names(people[1].friends) == ["Ann"] && names(people[2].friends) == ["Ann"])
        try await context.save()
        let other = test.stack.newContext()
        let bob = try #require(try Writer.findFirst(by: \.name, "Bob", in: other))
        #expect(names(bob.friends) == ["Ann"])
        bob.friends.removeAll()
        try await other.save()
        _ = try Writer.count(in: context)
        #expect(names(people[0].friends) == ["Eve"] && people[1].friends.isEmpty)
    }

    @Test func `setting a one-to-one relationship clears the previous partners`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let sea = try Novel.create(in: context, title: "Sea")
        let sky = try Novel.create(in: context, title: "Sky")
        let red = try Cover.create(in: context)
        let blue = try Cover.create(in: context)
        sea.cover = red
        #expect(red.novel === sea)
        red.novel = sky
        #expect(sea.cover == nil && sky.cover === red)
        sea.cover = blue
        sea.cover = red
        #expect(blue.novel == nil && sky.cover == nil && red.novel === sea)
        try await context.save()

        let other = test.stack.newContext()
        let there = try #require(try Novel.findFirst(by: \.title, "Sky", in: other))
        let taken = try #require(try Novel.findFirst(by: \.title, "Sea", in: other)?.cover)
        there.cover = taken
        #expect(taken.novel === there)
        try await other.save()
        _ = try Novel.count(in: context)
        #expect(sea.cover == nil && sky.cover === red && red.novel === sky)
    }

    @Test func `a one-to-one stays consistent when another context changes one end`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let sea = try Novel.create(in: context, title: "Sea")
        let red = try Cover.create(in: context)
        let blue = try Cover.create(in: context)
        try await context.save()
        let other = test.stack.newContext()
        try sea.in(other).cover = try red.in(other)
        sea.cover = blue
        try await other.save()
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict)
        try context.refresh(sea)
        try await context.save()
        #expect(sea.cover === blue && blue.novel === sea && red.novel == nil)
        let third = test.stack.newContext()
        #expect(try red.in(third).novel == nil && blue.in(third).novel?.title == "Sea")
    }

    /// The ways in which the other context's reference wins.
    private static let decisions = ["storeTrump", "rollback", "resolve", "push", "unheard"]

    @Test(arguments: decisions, [false, true])
    func `a one-to-one stays consistent if another context wins a conflict`(
        decision: String, isOtherEnd: Bool
    ) async throws {
        let test = try makeNovelStack()
        let parent = test.stack.newContext()
        let context = decision == "push" ? parent.newChild() : parent
        try test.seed { context in
            for title in ["Sea", "Sky"] {
                try Novel.create(in: context, title: title).cover = try Cover.create(in: context)
            }
            try Cover.create(in: context).color = "third"
            try Cover.create(in: context).color = "red"
            try Cover.create(in: context).color = "blue"
        }
        let novels = try Novel.find(sortedBy: .ascending(\.title), in: context)
        let sky = try #require(novels.last)
        let red = try #require(try Cover.findFirst(by: \.color, "red", in: context))
        let blue = try #require(try Cover.findFirst(by: \.color, "blue", in: context))
        if isOtherEnd { blue.novel = sky } else { sky.cover = blue }
        let (skyID, redID) = (sky.objectID, red.objectID)
        try await test.stack.saveWithBlock {
            try Novel.existing(skyID, in: $0).cover = try Cover.existing(redID, in: $0)
        }
        if decision != "unheard" { #expect(try Novel.count(in: context) == 2) }
        switch decision {
        case "rollback": try await context.save(mergePolicy: .rollback)
        case "push":
            try context.push(mergePolicy: .storeTrump)
            try await parent.save()
        case "resolve":
            try sky.resolveConflict(on: \.cover, keeping: .theirs)
            try await context.save(mergePolicy: .storeTrump)
        default: try await context.save(mergePolicy: .storeTrump)
        }
        #expect(sky.cover === red && red.novel === sky && blue.novel == nil)
        #expect(!context.hasChanges)
        let stored = test.stack.newContext()
        #expect(try sky.in(stored).cover === red.in(stored))
        #expect(try red.in(stored).novel === sky.in(stored) && blue.in(stored).novel == nil)
        #expect(try Cover.find(in: stored).compactMap(\.novel).count == 2)
    }

    @Test func `both ends of a one-to-one agree after a merge`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let sea = try Novel.create(in: context, title: "Sea")
        let sky = try Novel.create(in: context, title: "Sky")
        let red = try Cover.create(in: context)
        try await context.save()
        let other = test.stack.newContext()
        try sky.in(other).cover = try red.in(other)
        sea.cover = red
        try await other.save()
        #expect(try Novel.count(in: context) == 2)
        #expect(red.novel === sea && sea.cover === red && sky.cover == nil)
        context.rollback()
        #expect(red.novel === sky && sky.cover === red && sea.cover == nil)
        // The ends also agree in a child, whose parent changes them.
        let child = context.newChild()
        try sea.in(child).cover = try red.in(child)
        let blue = try Cover.create(in: context)
        (sky.cover, sea.cover) = (blue, red)
        sky.cover = red
        let (below, redBelow) = (try sea.in(child), try red.in(child))
        #expect(redBelow.novel === below && below.cover === redBelow)
        #expect(try sky.in(child).cover == nil)
    }

    @Test func `refreshing one end of a one-to-one discards the edit on both ends`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let sea = try Novel.create(in: context, title: "Sea")
        let red = try Cover.create(in: context)
        let blue = try Cover.create(in: context)
        sea.cover = red
        try await context.save()
        sea.cover = blue
        try context.refresh(sea, mergingChanges: false)
        #expect(sea.cover === red && red.novel === sea && blue.novel == nil)
        #expect(!context.hasChanges)
        try sea.delete()
        try context.refresh(sea, mergingChanges: false)
        #expect(sea.cover === red && red.novel === sea && !context.hasChanges)
        try await context.save()
        let other = test.stack.newContext()
        #expect(try red.in(other).novel?.title == "Sea" && blue.in(other).novel == nil)
    }

    @Test func `a child's one-to-one edit returns when the parent undoes a deletion`() async throws
    {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let sea = try Novel.create(in: context, title: "Sea")
        let red = try Cover.create(in: context)
        try await context.save()
        let child = context.newChild()
        let (below, redBelow) = (try sea.in(child), try red.in(child))
        below.cover = redBelow
        try red.delete()
        #expect(try Novel.count(in: child) == 1 && below.cover == nil)
        context.rollback()
        #expect(try Novel.count(in: child) == 1)
        #expect(redBelow.novel === below && below.cover === redBelow)
        try await child.save()
        #expect(sea.cover === red && red.novel === sea)
    }

    @Test func `an entity can have a one-to-one relationship with itself`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let parts = try (1...3).map { try Novel.create(in: context, title: "\($0)") }
        parts[0].sequel = parts[1]
        parts[2].prequel = parts[1]
        #expect(parts[1].prequel === parts[0] && parts[1].sequel === parts[2])
        parts[0].sequel = parts[2]
        #expect(parts[1].prequel == nil && parts[1].sequel == nil)
        #expect(parts[2].prequel === parts[0])
        try await context.save()
        parts[0].sequel = nil
        #expect(parts[2].prequel == nil)
        context.rollback()
        #expect(parts[2].prequel === parts[0] && parts[0].sequel === parts[2])
    }

    @Test func `a rollback restores the members of a relationship`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let novels = try ["A", "B", "C"].map { try Novel.create(in: context, title: $0) }
        ann.novels.formUnion(novels.prefix(2))
        try await context.save()
        ann.novels.replaceAll(with: novels.suffix(2))
        #expect(titles(ann.novels) == ["B", "C"])
        context.rollback()
        #expect(titles(ann.novels) == ["A", "B"] && novels[2].writers.isEmpty)
        #expect(!context.hasChanges)
    }

    @Test func `a child sees its parent's join rows and pushes its own`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let novels = try ["A", "B", "C"].map { try Novel.create(in: context, title: $0) }
        ann.novels.insert(novels[0])
        try await context.save()
        ann.novels.insert(novels[1])
        let child = context.newChild()
        let hers = try child.object(ann.objectID) as! Writer
        #expect(titles(hers.novels) == ["A", "B"])
        let third = try child.object(novels[2].objectID) as! Novel
        hers.novels.insert(third)
        hers.novels.remove(try child.object(novels[0].objectID) as! Novel)
        #expect(titles(ann.novels) == ["A", "B"])
        try child.push()
        #expect(titles(ann.novels) == ["B", "C"] && !child.hasChanges)
        #expect(titles(hers.novels) == ["B", "C"])
        ann.novels.remove(novels[1])
        _ = try Writer.count(in: child)
        #expect(titles(hers.novels) == ["C"])
        hers.novels.removeAll()
        try await child.save()
        #expect(ann.novels.isEmpty && !context.hasChanges)
        let other = test.stack.newContext()
        #expect(try Writer.findFirst(by: \.name, "Ann", in: other)?.novels.isEmpty == true)
    }

    @Test func `edits of one to-many relationship in two contexts are merged`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let novels = try ["A", "B", "C"].map { try Novel.create(in: context, title: $0) }
        ann.novels.formUnion(novels.prefix(2))
        try await context.save()
        let other = test.stack.newContext()
        let there = try other.object(ann.objectID) as! Writer
        there.novels.insert(try other.object(novels[2].objectID) as! Novel)
        ann.novels.remove(novels[0])
        ann.novels.insert(novels[2])
        try await other.save()
        try await context.save()
        #expect(titles(ann.novels) == ["B", "C"])
        _ = try Writer.count(in: other)
        #expect(titles(there.novels) == ["B", "C"] && !other.hasChanges)
    }

    @Test func `an added member that another context deletes leaves no change`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let bob = try Writer.create(in: context, name: "Bob")
        try await context.save()
        ann.friends.insert(bob)
        let other = test.stack.newContext()
        try bob.in(other).delete()
        try await other.save()
        #expect(try Writer.count(in: context) == 1)
        #expect(ann.friends.count == 0 && Array(ann.friends).isEmpty)
        #expect(!context.hasChanges)
        #expect(try await context.save() == .noChanges)
    }

    @Test func `counting members runs one statement and creates no object`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        for title in 0..<10 { ann.novels.insert(try Novel.create(in: context, title: "\(title)")) }
        let novel = try Novel.create(in: context, title: "long")
        for _ in 0..<20 { novel.chapters.append(try Chapter.create(in: context)) }
        try await context.save()
        let other = test.stack.newContext()
        let there = try #require(try Writer.findFirst(by: \.name, "Ann", in: other))
        let long = try #require(try Novel.findFirst(by: \.title, "long", in: other))
        let held = other.registeredObjectCount
        test.expectStatements(1) { #expect(there.novels.count == 10) }
        test.expectStatements(1) { #expect(long.chapters.count == 20) }
        #expect(other.registeredObjectCount == held)
    }

    @Test func `a loop over the members of many objects runs few statements`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        for number in 0..<1_000 {
            let ann = try Writer.create(in: context, name: "\(number)")
            ann.novels.insert(try Novel.create(in: context, title: "\(number)"))
        }
        try await context.save()
        let other = test.stack.newContext()
        let writers = try Writer.find(in: other)
        let novels = try Novel.find(in: other)
        let recorder = test.recorder
        recorder.reset()
        for writer in writers { #expect(writer.novels.map(\.title) == [writer.name]) }
        #expect(recorder.statements.count <= 8, "\(recorder.statements.count)")
        #expect(novels.count == 1_000)
    }

    @Test func `a request for members can be filtered, sorted and counted`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        for title in ["A", "B", "AB"] {
            ann.novels.insert(try Novel.create(in: context, title: title))
        }
        try Novel.create(in: context, title: "A alone")
        let request = ann.novels.request.where { $0.title.hasPrefix("A") }
        #expect(
            try context.find(request.sorted(by: .ascending(\.title))).map(\.title) == ["A", "AB"])
        #expect(try context.count(request) == 2)
    }

    @Test
    func `a deleted object leaves its relationships and cannot be added again`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let novels = try ["A", "B"].map { try Novel.create(in: context, title: $0) }
        ann.novels.formUnion(novels)
        ann.favourite = novels[0]
        try await context.save()
        try novels[0].delete()
        #expect(titles(ann.novels) == ["B"] && ann.favourite == nil)
        context.rollback()
        #expect(titles(ann.novels) == ["A", "B"] && ann.favourite === novels[0])
        try novels[0].delete()
        try await context.save()
        #expect(titles(ann.novels) == ["B"] && ann.favourite == nil)
        let error = Recorded()
        context.faultHandler = { error.note($0) }
        ann.novels.insert(novels[0])
        #expect(error.codes == [.misuse] && titles(ann.novels) == ["B"])
    }
}

/// A recorder of the errors that a fault handler gets.
final class Recorded: Sendable {
    private let errors = Mutex<[RecordStackError]>([])
    func note(_ error: RecordStackError) { errors.withLock { $0.append(error) } }
    var codes: [RecordStackError.Code] { errors.withLock { $0.map(\.code) } }
}
