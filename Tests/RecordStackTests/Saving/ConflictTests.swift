import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Saves of objects that were changed elsewhere, under the default policy.
@Suite("Conflicts") struct ConflictTests {
    private func prepare() async throws -> (TestStack, ManagedObjectContext, Person) {
        let test = try TestStack(for: Person.self, at: .temporaryFile)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann", name: "base", age: 1)
        try await context.save()
        return (test, context, ann)
    }

    private func failure(_ context: ManagedObjectContext) async -> RecordStackError? {
        do {
            try await context.save()
            return nil
        } catch {
            return error as? RecordStackError
        }
    }

    /// Makes a change that no context notices.
    private func change(_ test: TestStack, _ assignment: String) throws {
        try ForeignProgram(path: #require(test.path)).run(
            "UPDATE Person SET \(assignment), _version = _version + 1")
    }

    @Test func `edits of different properties in two contexts are both kept`() async throws {
        let (test, context, ann) = try await prepare()
        try change(test, "age = 2")
        ann.name = "ours"
        #expect(try await context.save() == .saved(.updating(1)))
        #expect(ann.name == "ours" && ann.age == 2 && !context.hasChanges)
        let other = try Person.findFirst(in: test.stack.newContext())
        #expect(other?.name == "ours" && other?.age == 2)
        ann.age = 3
        #expect(try await context.save() == .saved(.updating(1)))
    }

    @Test(arguments: [false, true])
    func `a conflict names the original value and both edited values`(
        isMerged: Bool
    ) async throws {
        let (test, context, ann) = try await prepare()
        let id = ann.objectID
        ann.name = "ours"
        if isMerged {
            try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "theirs" }
        } else {
            try change(test, "name = 'theirs'")
        }
        let error = try #require(await failure(context))
        #expect(error.code == .conflict)
        let conflict = try #require(error.conflicts.first)
        #expect(conflict.objectID == id && conflict.kind == .changedOnBothSides)
        #expect(
            conflict.properties == [
                MergeConflict.Property(
                    name: "name", base: .text("base"), ours: .text("ours"), theirs: .text("theirs"))
            ])
        #expect(ann.name == "ours" && context.hasChanges)
        try context.refresh(ann)
        #expect(ann.name == "ours")
        #expect(try await context.save() == .saved(.updating(1)))
        #expect(try Person.findFirst(in: test.stack.newContext())?.name == "ours")
    }

    @Test(arguments: [false, true])
    func `equal increments in two contexts are a conflict`(isMerged: Bool) async throws {
        let (test, context, ann) = try await prepare()
        let id = ann.objectID
        ann.age! += 1
        if isMerged {
            try await test.stack.saveWithBlock { try Person.existing(id, in: $0).age! += 1 }
        } else {
            try change(test, "age = age + 1")
        }
        let error = try #require(await failure(context))
        #expect(error.code == .conflict)
        let both = MergeConflict.Property(
            name: "age", base: .integer(1), ours: .integer(2), theirs: .integer(2))
        #expect(error.conflicts.map(\.properties) == [[both]])
        try context.refresh(ann, mergingChanges: false)
        #expect(ann.age == 2)
        ann.age! += 1
        try await context.save()
        #expect(try Person.findFirst(in: test.stack.newContext())?.age == 3)
    }

    @Test(arguments: [false, true])
    func `a change by another program is noticed only if it raises _version`(
        isCounted: Bool
    ) throws {
        let test = try TestStack(for: Person.self, at: .temporaryFile) { context in
            for email in ["a", "b"] { try Person.create(in: context, email: email, name: "base") }
        }
        let context = test.stack.newContext()
        let people = try Person.find(sortedBy: .ascending(\.email), in: context)
        people[0].name = "ours"
        let version = isCounted ? ", _version = _version + 1" : ""
        try ForeignProgram(path: #require(test.path)).run(
            "UPDATE Person SET name = 'theirs'" + version)
        _ = try Person.find(in: context)
        #expect(people[1].name == (isCounted ? "theirs" : "base"))
        var code: RecordStackError.Code?
        do { try context.saveAndWait() } catch let error as RecordStackError { code = error.code }
        #expect(code == (isCounted ? .conflict : nil))
        let stored = try Person.values(
            of: \.name, sortedBy: .ascending(\.email), in: test.stack.newContext())
        #expect(stored == [isCounted ? "theirs" : "ours", "theirs"])
    }

    @Test func `equal increments in a parent and its child are a conflict`() async throws {
        let (_, parent, ann) = try await prepare()
        let child = parent.newChild()
        let childAnn = try Person.existing(ann.objectID, in: child)
        childAnn.age! += 1
        ann.age! += 1
        let error = #expect(throws: RecordStackError.self) { try child.push() }
        #expect(error?.code == .conflict)
        try child.refresh(childAnn, mergingChanges: false)
        childAnn.age! += 1
        try child.push()
        #expect(ann.age == 3)
    }

    private func relateInTwoContexts(
        _ change: (Person, Team, Team) throws -> Void
    ) async throws -> [(ManagedObjectContext, Person)] {
        let test = try TestStack(for: Team.self, Person.self)
        let contexts = [test.stack.newContext(), test.stack.newContext()]
        let first = try Team.create(in: contexts[0], title: "first")
        let second = try Team.create(in: contexts[0], title: "second")
        let player = try Person.create(in: contexts[0], email: "eva")
        player.team = first
        try await contexts[0].save()
        return try contexts.map { context in
            let player = try player.in(context)
            try change(player, first.in(context), second.in(context))
            return (context, player)
        }
    }

    /// No value depends on the members of a deleted team.
    @Test func `deleting the same related object in two contexts is no conflict`() async throws {
        let sides = try await relateInTwoContexts { _, first, _ in try first.delete() }
        for (context, _) in sides { try await context.save() }
        for (context, player) in sides {
            #expect(try Person.count(in: context) == 1)
            #expect(player.team == nil && !context.hasChanges)
        }
    }

    /// Each side may have counted one member more.
    @Test(arguments: [false, true])
    func `setting a to-one to the same object in two contexts is a conflict`(
        isCut: Bool
    ) async throws {
        let sides = try await relateInTwoContexts { player, _, second in
            player.team = isCut ? nil : second
        }
        try await sides[0].0.save()
        let error = await #expect(throws: RecordStackError.self) { try await sides[1].0.save() }
        #expect(error?.code == .conflict)
        #expect(error?.conflicts.first?.properties.map(\.name) == ["team"])
        sides[1].0.rollback()
        #expect(sides[1].1.team?.title == (isCut ? nil : "second"))
    }

    @Test func `a rollback of a conflicting edit shows the value saved elsewhere`() async throws {
        let (test, context, ann) = try await prepare()
        let id = ann.objectID
        ann.name = "ours"
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).name = "theirs" }
        #expect(try Person.count(in: context) == 1)
        context.rollback()
        #expect(ann.name == "theirs" && !context.hasChanges)
    }

    @Test func `an edit equal to a saved one is saved with storeTrump or objectTrump`() async throws
    {
        for policy in [MergePolicy.storeTrump, .objectTrump] {
            let (test, context, ann) = try await prepare()
            ann.name = "same"
            try change(test, "name = 'same'")
            try await context.save(mergePolicy: policy)
            #expect(ann.name == "same" && !context.hasChanges)
        }
    }

    @Test func `editing an object that was deleted elsewhere is a conflict`() async throws {
        let (test, context, ann) = try await prepare()
        let id = ann.objectID
        ann.name = "ours"
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).delete() }
        let error = try #require(await failure(context))
        #expect(error.code == .conflict && error.conflicts.first?.kind == .deletedElsewhere)
        context.rollback()
        #expect(ann.objectState == .detached)
        #expect(try await context.save() == .noChanges)
    }

    @Test func `deleting an object that was changed elsewhere is a conflict`() async throws {
        let (test, context, ann) = try await prepare()
        try ann.delete()
        try change(test, "age = 9")
        let error = try #require(await failure(context))
        #expect(error.code == .conflict && error.conflicts.first?.kind == .deletedHere)
        #expect(ann.objectState == .deleted)
        context.rollback()
        try context.refresh(ann)
        #expect(ann.age == 9)
        try ann.delete()
        #expect(try await context.save() == .saved(.deleting(1)))
    }

    @Test func `an edit that is set back takes the value that another save wrote`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann", name: "1")
        try await context.save()
        ann.name = "2"
        try await test.stack.saveWithBlock { try Person.findFirst(in: $0)?.name = "3" }
        _ = try Person.count(in: context)
        ann.name = "1"
        #expect(try Person.count(in: context) { $0.name == "3" } == 1)
        #expect(ann.name == "3" && !context.hasChanges)
    }

    @Test func `a deletion conflicts with a change that the commit log has dropped`()
        async throws
    {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        try await context.save()
        try ann.delete()
        try await test.stack.saveWithBlock { try Person.findFirst(in: $0)?.name = "3" }
        try await test.stack.saveWithBlock { context in
            for index in 0..<20_001 { try Person.create(in: context, email: "\(index)") }
        }
        _ = try Person.count(in: context)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict)
    }

    /// This stack does not notice other saves. It finds stale rows only when it writes.
    @Test(arguments: [true, false])
    func `a save notices a row changed elsewhere even if a unique value clashes`(deletes: Bool)
        async throws
    {
        let test = try TestStack(
            entities: [Person.self], at: .temporaryFile, options: .hearingOfNobody)
        let other = try ContextStack(for: Person.self, at: .file(#require(test.path)))
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        let bob = try Person.create(in: context, email: "bob")
        try await context.save()
        if deletes { try ann.delete() } else { ann.email = "free" }
        bob.email = "ann"
        try await other.saveWithBlock { context in
            try Person.findFirst(by: \.email, "ann", in: context)?.name = "theirs"
        }
        if deletes {
            let error = await #expect(throws: RecordStackError.self) { try await context.save() }
            #expect(error?.code == .conflict && error?.objectID == ann.objectID)
        } else {
            #expect(try await context.save() == .saved(.updating(2)))
            #expect(ann.name == "theirs" && ann.email == "free" && bob.email == "ann")
        }
        try other.close()
    }

    @Test func `deleting an object in two contexts is no conflict`() async throws {
        let (test, context, ann) = try await prepare()
        let id = ann.objectID
        try ann.delete()
        try await test.stack.saveWithBlock { try Person.existing(id, in: $0).delete() }
        #expect(try await context.save() == .noChanges)
        #expect(ann.objectState == .detached)
    }
}

/// Contexts below other contexts.
@Suite("Child contexts") struct ChildContextTests {
    @Test func `a child shows its ancestors' unsaved changes and their rollback`() async throws {
        let test = try TestStack(for: Person.self)
        let parent = test.stack.newContext()
        let ann = try Person.create(in: parent, email: "ann", age: 1)
        let bob = try Person.create(in: parent, email: "bob", age: 1)
        try await parent.save()
        let child = parent.newChild().newChild()
        #expect(try Person.count(in: child) { $0.age == 1 } == 2)
        let childAnn = try Person.existing(ann.objectID, in: child)
        ann.age = 2
        try bob.delete()
        let eve = try Person.create(in: parent, email: "eve", age: 2)
        #expect(try Person.find(in: child) { $0.age == 2 }.map(\.email) == ["ann", "eve"])
        #expect(childAnn.age == 2 && !child.hasChanges)
        #expect(throws: RecordStackError.self) { try Person.existing(bob.objectID, in: child) }
        #expect(try Person.existing(eve.objectID, in: child).objectState == .pending)
        parent.rollback()
        #expect(try Person.find(in: child) { $0.age == 1 }.map(\.email) == ["ann", "bob"])
        #expect(childAnn.age == 1)
        #expect(try Person.count(in: child) == 2)
    }

    @Test func `a push hands changes to the parent, whose save writes them`() async throws {
        let test = try TestStack(for: Person.self)
        let parent = test.stack.newContext()
        let ann = try Person.create(in: parent, email: "ann", age: 1)
        let bob = try Person.create(in: parent, email: "bob")
        try await parent.save()
        let form = parent.newChild()
        let formAnn = try Person.existing(ann.objectID, in: form)
        formAnn.age = 2
        try Person.existing(bob.objectID, in: form).delete()
        let eve = try Person.create(in: form, email: "eve")
        #expect(ann.age == 1 && !parent.hasChanges)
        _ = try form.push()
        #expect(!form.hasChanges && parent.hasChanges)
        #expect(ann.age == 2 && bob.objectState == .deleted)
        #expect(try Person.find(in: parent).map(\.email) == ["ann", "eve"])
        #expect(try Person.find(in: form).map(\.email) == ["ann", "eve"])
        #expect(try Person.count(in: test.stack.newContext()) == 2)
        try await parent.save()
        #expect(!parent.hasChanges)
        #expect(try Person.count(in: form) == 2 && eve.objectState == .persistent)
        #expect(try Person.find(in: test.stack.newContext()).map(\.email) == ["ann", "eve"])
        formAnn.age = 3
        #expect(try await form.save() == .saved(.updating(1)))
        #expect(ann.age == 3)
    }

    @Test func `a child that is dropped leaves its parent unchanged`() async throws {
        let test = try TestStack(for: Person.self)
        let parent = test.stack.newContext()
        let ann = try Person.create(in: parent, email: "ann", age: 1)
        try await parent.save()
        do {
            let form = parent.newChild()
            try Person.existing(ann.objectID, in: form).age = 2
            try Person.create(in: form, email: "eve")
        }
        #expect(ann.age == 1 && !parent.hasChanges)
        #expect(try Person.count(in: parent) == 1)
    }

    @Test func `an edit in a child conflicts with a later edit of its parent`() async throws {
        let test = try TestStack(for: Person.self)
        let parent = test.stack.newContext()
        let ann = try Person.create(in: parent, email: "ann", name: "base", age: 1)
        try await parent.save()
        let child = parent.newChild()
        let childAnn = try Person.existing(ann.objectID, in: child)
        childAnn.name = "child"
        ann.name = "parent"
        ann.age = 2
        #expect(throws: RecordStackError.self) { try child.push() }
        await #expect(throws: RecordStackError.self) { try await child.save() }
        #expect(ann.name == "parent" && childAnn.name == "child")
        ann.name = "base"
        #expect(try await child.save() == .saved(.updating(1)))
        #expect(ann.name == "child" && ann.age == 2 && !parent.hasChanges)
    }

    @Test func `a child's save with an ancestor's invalid edit names the ancestor`() async throws {
        let test = try TestStack(for: Person.self)
        let parent = test.stack.newContext()
        parent.name = "the parent"
        try parent.create(Person.self)
        let child = parent.newChild()
        try Person.create(in: child, email: "child")
        do {
            try await child.save()
            Issue.record("the save did not throw")
        } catch let error as RecordStackError {
            #expect(error.code == .validation && error.message.contains("the parent"))
        }
        #expect(child.hasChanges)
    }

    @MainActor @Test(arguments: StackArchitecture.allCases)
    func `a child of the root context or the coordinator cannot push`(
        architecture: StackArchitecture
    ) throws {
        let test = try TestStack(
            for: Person.self, at: .temporaryFile, architecture: architecture)
        let stack = test.stack
        let hasRoot = architecture == .savingRoot || architecture == .nested
        let above = hasRoot ? "child of root" : "child of coordinator"
        for context in [stack.newContext(), stack.defaultContext] {
            try Person.create(in: context, email: "ann")
            let error = Self.refusal(of: context)
            #expect(error?.code == .misuse && error?.message.contains("a \(above)") == true)
        }
        let error = try stack.newPrivateQueueContext().performAndWait { Self.refusal(of: $0) }
        #expect(error?.code == .misuse && error?.message.contains("a \(above)") == true)
        #expect(try stack.rootSavingContext.performAndWait { $0.name } == above)
    }

    private nonisolated static func refusal(of context: ManagedObjectContext) -> RecordStackError? {
        #expect(throws: RecordStackError.self) { try context.push() }
    }

    @Test func `a save block of a context shows and saves the context's changes`() async throws {
        let test = try TestStack(for: Person.self)
        let context = test.stack.newContext()
        let ann = try Person.create(in: context, email: "ann")
        let count = try await context.saveWithBlock { child in
            try Person.create(in: child, email: "bob")
            return try Person.count(in: child)
        }
        #expect(count == 2 && ann.objectState == .persistent)
        #expect(try Person.count(in: context) == 2)
        let value: Int = try await withCheckedThrowingContinuation { continuation in
            context.saveWithBlock { child in
                try Person.create(in: child, email: "eve")
                return 7
            } completion: {
                continuation.resume(with: $0)
            }
        }
        #expect(value == 7)
        #expect(try Person.count(in: test.stack.newContext()) == 3)
    }
}
