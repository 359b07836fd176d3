import RecordStack
import RecordStackTesting
import Testing

@Suite("Changes of relationships") struct RelationshipChangeTests {
    @Test func `changes(of:) lists inserted and removed members and a new order`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let novels = try ["A", "B"].map { try Novel.create(in: context, title: $0) }
        ann.novels.insert(novels[0])
        let chapters = try (0..<3).map { _ in try Chapter.create(in: context) }
        novels[0].chapters.append(contentsOf: chapters.prefix(2))
        try await context.save()
        #expect(ann.changes(of: \.novels).isEmpty && novels[0].changes(of: \.chapters).isEmpty)

        ann.novels.replaceAll(with: [novels[1]])
        #expect(ann.changes(of: \.novels).inserted == [novels[1].objectID])
        #expect(ann.changes(of: \.novels).removed == [novels[0].objectID])
        #expect(novels[0].changes(of: \.writers).removed == [ann.objectID])
        #expect(ann.hasChanges && novels[0].hasChanges && ann.changedValues().isEmpty)
        #expect(Set(context.updatedObjects.map(\.objectID)).count == 3)

        novels[0].chapters.move(from: 1, to: 0)
        let move = novels[0].changes(of: \.chapters)
        #expect(move.isReordered && move.inserted.isEmpty && move.removed.isEmpty)
        novels[0].chapters.append(chapters[2])
        novels[0].chapters.remove(chapters[0])
        let change = novels[0].changes(of: \.chapters)
        #expect(
            change.inserted == [chapters[2].objectID] && change.removed == [chapters[0].objectID])
        #expect(chapters[0].changedValues() == ["novel": .null])
        context.rollback()
        #expect(ann.changes(of: \.novels).isEmpty && !context.hasChanges)
        #expect(context.updatedObjects.isEmpty)
    }

    @Test func `an object with a changed join row is kept alive and counts as changed`()
        async throws
    {
        let test = try makeNovelStack()
        try await test.stack.saveWithBlock { context in
            let novel = try Novel.create(in: context, title: "A")
            novel.writers.insert(try Writer.create(in: context, name: "Ann"))
            try Novel.create(in: context, title: "B")
        }
        func relate(in context: ManagedObjectContext) throws {
            let novel = try #require(try Novel.findFirst(by: \.title, "B", in: context))
            novel.writers.insert(try #require(try Writer.findFirst(by: \.name, "Ann", in: context)))
        }
        func changed(_ context: ManagedObjectContext) throws -> Set<String> {
            // These operations release everything that nothing references.
            for _ in 0..<3 { _ = try Label.count(in: context) }
            return Set(context.updatedObjects.map { "\($0.objectID.entityName)" })
        }
        let context = test.stack.newContext()
        try relate(in: context)
        #expect(try changed(context) == ["Novel", "Writer"])
        context.rollback()
        #expect(try changed(context).isEmpty)
        let child = context.newChild()
        try relate(in: child)
        #expect(try changed(child) == ["Novel", "Writer"] && changed(context).isEmpty)
        try child.push()
        #expect(try changed(child).isEmpty && changed(context) == ["Novel", "Writer"])
        try await context.save()
        #expect(try changed(context).isEmpty)
    }

    @Test func `in(_:) returns the same object in another context once it is saved`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let child = context.newChild()
        #expect(try ann.in(child).name == "Ann" && ann.in(context) === ann)
        let other = test.stack.newContext()
        let error = #expect(throws: RecordStackError.self) { try ann.in(other) }
        #expect(error?.code == .notFound && error?.message.contains("Save it first") == true)
        try await context.save()
        #expect(try ann.in(other).objectID == ann.objectID)
        let foreign = try makeNovelStack().stack.newContext()
        #expect(throws: RecordStackError.self) { try ann.in(foreign) }
    }

    @Test func `a copy of an object has its values and the named relationships`() async throws {
        let test = try makeNovelStack()
        let context = test.stack.newContext()
        let ann = try Writer.create(in: context, name: "Ann")
        let novel = try Novel.create(in: context, title: "A")
        let cover = try Cover.create(in: context)
        (cover.color, novel.cover) = ("red", cover)
        novel.writers.insert(ann)
        for title in ["x", "y"] {
            let chapter = try Chapter.create(in: context)
            chapter.title = title
            novel.chapters.append(chapter)
        }
        novel.labels.insert(try Label.create(in: context, text: "l"))
        try await context.save()
        let copy = try novel.copy(with: \.chapters, \.writers, \.cover)
        #expect(!copy.isSet(\Novel.title) && copy.labels.isEmpty)
        #expect(copy.chapters.map(\.title) == ["x", "y"] && novel.chapters.count == 2)
        #expect(ann.novels.count == 2 && copy.cover?.color == "red" && copy.cover !== cover)
        #expect(novel.cover === cover)
        copy.title = "B"
        try await context.save()
        #expect(try Chapter.count(in: context) == 4 && Cover.count(in: context) == 2)
        #expect(throws: RecordStackError.self) { try novel.copy(with: \.title) }
        let favourite = try ann.copy()
        #expect(!favourite.isSet(\Writer.name))
    }

    @Test func `copy(with:) of a property that is no relationship throws and names it`() throws {
        let test = try makeNovelStack()
        let sea = try Novel.create(in: test.stack.newContext(), title: "Sea")
        let error = #expect(throws: RecordStackError.self) { _ = try sea.copy(with: \.title) }
        #expect(error?.code == .misuse && error?.property == "title")
        #expect(error?.message.hasPrefix("title is no relationship of Novel.") == true)
    }

    @Test func `objects that require each other in a cycle can be saved at once`() async throws {
        let test = try TestStack(for: Left.self, Right.self)
        let context = test.stack.newContext()
        let left = try context.create(Left.self)
        left.code = 1
        let right = try Right.create(in: context, left: left)
        left.right = right
        try await context.save()
        let second = try Left.create(in: context, code: 2, right: right)
        try await context.save()
        (left.code, second.code) = (second.code, left.code)
        try await context.save()
        #expect(left.code == 2 && second.code == 1)
        // One save deletes a unique value and inserts the same value.
        try second.delete()
        try Left.create(in: context, code: 1, right: right)
        try await context.save()
        #expect(try Left.count(in: test.stack.newContext()) == 2)
        try left.delete()
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .validation && error?.property == "left")
    }
}

@Entity final class Left: ManagedObject {
    @Attribute(.unique) var code: Int
    @Relationship(.required, .oneWay) var right: Right?
}

@Entity final class Right: ManagedObject {
    @Relationship(.required) var left: Left?
}
