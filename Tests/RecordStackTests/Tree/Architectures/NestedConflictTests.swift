import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Save blocks that change the default context's unsaved objects, while the default context edits
/// the same objects.
@MainActor @Suite("Conflicts with save blocks") struct NestedConflictTests {
    private func makeStack(_ architecture: StackArchitecture) throws -> TestStack {
        try TestStack(
            for: Person.self, Team.self, at: .temporaryFile, architecture: architecture)
    }

    private func makeAnn(in test: TestStack) async throws -> Person {
        let ann = try Person.create(in: test.stack.defaultContext, email: "ann", name: "base")
        try await test.stack.defaultContext.save()
        return ann
    }

    /// Runs a block that edits an object before the default context does.
    ///
    /// The turn of that edit lasts until the block's save writes. The save contains what was
    /// published before.
    private func run(
        _ edit: @escaping @Sendable (Person) throws -> Void, of ann: Person, in test: TestStack,
        while editHere: () throws -> Void
    ) async throws {
        let barrier = Barrier()
        let id = ann.objectID
        let block = Task {
            try await test.stack.saveWithBlock { context in
                try edit(Person.existing(id, in: context))
                barrier.pass()
            }
        }
        await barrier.arrival()
        try editHere()
        let written = test.stack.storeStatistics.rowsWritten
        barrier.open()
        let end = ContinuousClock.now + .seconds(30)
        while test.stack.storeStatistics.rowsWritten == written, .now < end { usleep(200) }
        try await block.value
    }

    private func names(in test: TestStack) async throws -> [String] {
        try await test.stack.read { try Person.find(in: $0).map(\.name) }
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `the default context's edit of a value that a block changes conflicts`(
        architecture: StackArchitecture
    ) async throws {
        let test = try makeStack(architecture)
        let ann = try await makeAnn(in: test)
        ann.name = "d"
        try await run({ $0.name = "d!" }, of: ann, in: test) { ann.name = "e" }
        let context = test.stack.defaultContext
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        let property = try #require(error?.conflicts.first?.properties.first)
        #expect(error?.code == .conflict && property.base == .text("d"))
        #expect(property.ours == .text("e") && property.theirs == .text("d!"))
        #expect(try await names(in: test) == ["d!"])
        try context.refresh(ann)
        try await context.save()
        #expect(try await names(in: test) == ["e"])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `setting back a value that a save block changes meanwhile is a conflict`(
        architecture: StackArchitecture
    ) async throws {
        let test = try makeStack(architecture)
        let ann = try await makeAnn(in: test)
        ann.name = "d"
        try await run({ $0.name = "d!" }, of: ann, in: test) { ann.name = "base" }
        let context = test.stack.defaultContext
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict && ann.name == "base")
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `the default context's edit of a new object a block edits conflicts`(
        architecture: StackArchitecture
    ) async throws {
        let test = try makeStack(architecture)
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann", name: "d", age: 1)
        try await run({ ($0.name, $0.age) = ("d!", 2) }, of: ann, in: test) { ann.name = "e" }
        #expect(ann.name == "e" && ann.age == 2)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict)
        #expect(try await names(in: test) == ["d!"])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `the default context's edit survives a block that saves its older value`(
        architecture: StackArchitecture
    ) async throws {
        let test = try makeStack(architecture)
        let ann = try await makeAnn(in: test)
        ann.name = "d"
        try await run({ $0.age = 4 }, of: ann, in: test) { ann.name = "e" }
        #expect(ann.name == "e" && ann.age == 4)
        #expect(ann.committedValues() == ["name": .text("d")])
        try await test.stack.defaultContext.save()
        #expect(try await names(in: test) == ["e"])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `the default context shows a value that a block set over its own edit`(
        architecture: StackArchitecture
    ) async throws {
        let test = try makeStack(architecture)
        let ann = try await makeAnn(in: test)
        ann.name = "d"
        try await run({ $0.name = "d!" }, of: ann, in: test) {}
        #expect(ann.name == "d!" && !test.stack.defaultContext.hasChanges)
    }

    @Test(arguments: NestedBlockTests.nesting, [true, false])
    func `the default context's deletion of an object a block edits conflicts`(
        architecture: StackArchitecture, isNew: Bool
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann")
        if !isNew { try await held.context.save() }
        ann.name = "d"
        try await held.whileHeld({ try Person.findFirst(in: $0)?.age = 4 }) { try ann.delete() }
        let error = await #expect(throws: RecordStackError.self) { try await held.context.save() }
        #expect(error?.conflicts.first?.kind == .deletedHere)
        #expect(try await held.stack.read { try Person.findFirst(in: $0)?.age } == 4)
    }

    @Test(arguments: NestedBlockTests.nesting, [true, false])
    func `the default context can delete an object while a block saves its edits`(
        architecture: StackArchitecture, isNew: Bool
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann")
        if !isNew { try await held.context.save() }
        ann.name = "d"
        try await held.whileHeld { try ann.delete() }
        #expect(try await held.context.save() == .saved(.deleting(1)))
        #expect(try await held.stack.read { try Person.count(in: $0) } == 0)
    }

    @Test(arguments: NestedBlockTests.nesting, [true, false])
    func `a nested stack can delete an object that a block's hook changed`(
        architecture: StackArchitecture, isNew: Bool
    ) async throws {
        let held = try HeldBlocks(architecture, Stamped.self)
        let mine = try Stamped.create(in: held.context, text: "typed")
        if !isNew { try await held.context.save() }
        mine.text = "later"
        try await held.whileHeld { try mine.delete() }
        #expect(try await held.context.save() == .saved(.deleting(1)))
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block can change a value whose edit is saved first`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann", name: "base")
        try await held.context.save()
        ann.name = "d"
        try await held.whileRunning({ try Person.findFirst(in: $0)?.name = "d!" }) {
            try await held.context.save()
        }
        #expect(ann.name == "d!")
    }

    @Test(arguments: NestedBlockTests.nesting, [true, false])
    func `a nested stack's block conflicts if a newer edit of its value is saved`(
        architecture: StackArchitecture, isNew: Bool
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann", name: "base")
        if !isNew { try await held.context.save() }
        ann.name = "d"
        let error = await #expect(throws: RecordStackError.self) {
            try await held.whileRunning({ try Person.findFirst(in: $0)?.name = "d!" }) {
                ann.name = "e"
                try await held.context.save()
            }
        }
        #expect(error?.code == .conflict)
        let names = try await held.stack.read { try Person.find(in: $0).map(\.name) }
        #expect(names == ["e"] && ann.name == "e" && !held.context.hasChanges)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack keeps an edit that follows a save while a block runs`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann", name: "base")
        try await held.context.save()
        ann.name = "d"
        try await held.whileRunning({ try Person.findFirst(in: $0)?.age = 4 }) {
            ann.name = "e"
            try await held.context.save()
            ann.name = "f"
        }
        #expect(ann.name == "f" && ann.age == 4)
        #expect(ann.committedValues() == ["name": .text("e")])
        try await held.context.save()
        let stored = try await held.stack.read { try Person.findFirst(in: $0)?.snapshot }
        #expect(stored?.name == "f" && stored?.age == 4)
    }
}
