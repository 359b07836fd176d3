import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Stamped: ManagedObject {
    @Attribute var text: String
    @Attribute var stamp: String = ""

    override func willSave() {
        if stamp != "saved \(text)" { stamp = "saved \(text)" }
    }
}

/// Save blocks below the default context, which belongs to another isolation.
@MainActor @Suite("Save blocks below the default context") struct NestedBlockTests {
    nonisolated static let nesting: [StackArchitecture] = [.nested, .parentChild]

    private func prepare(_ architecture: StackArchitecture) async throws -> (TestStack, Person) {
        var options = StoreOptions()
        options.watching.turnLimit = 300
        let test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile, architecture: architecture,
            options: options)
        let context = test.stack.defaultContext
        let ann = try Person.create(in: context, email: "ann", name: "base", age: 1)
        try await context.save()
        return (test, ann)
    }

    private func names(in test: TestStack) async throws -> [String] {
        try await test.stack.read {
            try Person.find(sortedBy: .ascending(\.email), in: $0).map(\.name)
        }
    }

    @Test(arguments: nesting)
    func `a nested stack's block shows and saves the default context's edits`(
        architecture: StackArchitecture
    ) async throws {
        let (test, ann) = try await prepare(architecture)
        let context = test.stack.defaultContext
        ann.name = "edited"
        let team = try Team.create(in: context, title: "new")
        ann.team = team
        let id = ann.objectID
        let seen = try await test.stack.saveWithBlock { context in
            let mine = try Person.existing(id, in: context)
            let seen = "\(mine.name) \(mine.team?.title ?? "none") \(try Team.count(in: context))"
            mine.age = 5
            try Person.create(in: context, email: "eve", name: "of the block").team = mine.team
            return seen
        }
        #expect(seen == "edited new 1")
        #expect(ann.age == 5 && ann.name == "edited" && !context.hasChanges)
        #expect(team.members.map(\.email).sorted() == ["ann", "eve"])
        #expect(try await names(in: test) == ["edited", "of the block"])
        ann.name = "later"
        #expect(try await context.save() == .saved(.updating(1)))
    }

    @Test(arguments: nesting)
    func `a nested stack's empty save block saves the default context's changes`(
        architecture: StackArchitecture
    ) async throws {
        let (test, ann) = try await prepare(architecture)
        ann.name = "edited"
        try await test.stack.saveWithBlock { _ in }
        #expect(!test.stack.defaultContext.hasChanges)
        #expect(try await names(in: test) == ["edited"])
    }

    @Test(arguments: nesting)
    func `a nested stack's block finds no object the default context deleted`(
        architecture: StackArchitecture
    ) async throws {
        let (test, ann) = try await prepare(architecture)
        try ann.delete()
        let count = try await test.stack.saveWithBlock { try Person.count(in: $0) }
        #expect(count == 0)
        #expect(!test.stack.defaultContext.hasChanges && ann.objectState == .detached)
        #expect(try await names(in: test) == [])
    }

    @Test(arguments: nesting)
    func `a nested stack's block that throws leaves the default context as it is`(
        architecture: StackArchitecture
    ) async throws {
        let (test, ann) = try await prepare(architecture)
        ann.name = "edited"
        let id = ann.objectID
        await #expect(throws: CancellationError.self) {
            try await test.stack.saveWithBlock { context in
                try Person.existing(id, in: context).age = 9
                throw CancellationError()
            }
        }
        #expect(ann.name == "edited" && ann.age == 1 && test.stack.defaultContext.hasChanges)
        #expect(try await names(in: test) == ["base"])
    }

    @Test(arguments: nesting)
    func `a nested stack's block names an invalid edit of the default context`(
        architecture: StackArchitecture
    ) async throws {
        let (test, _) = try await prepare(architecture)
        test.stack.defaultContext.name = "the form"
        try test.stack.defaultContext.create(Person.self)
        let error = await #expect(throws: RecordStackError.self) {
            try await test.stack.saveWithBlock { _ = try Person.create(in: $0, email: "eve") }
        }
        #expect(error?.code == .validation && error?.message.contains("the form") == true)
        #expect(try await names(in: test) == ["base"])
        test.stack.defaultContext.rollback()
        try await test.stack.saveWithBlock { _ = try Person.create(in: $0, email: "eve") }
        #expect(try Person.count(in: test.stack.defaultContext) == 2)
    }

    @Test(arguments: nesting)
    func `a nested stack's block saves no edits that are rolled back meanwhile`(
        architecture: StackArchitecture
    ) async throws {
        let (test, ann) = try await prepare(architecture)
        let context = test.stack.defaultContext
        ann.name = "edited"
        try Person.create(in: context, email: "given up")
        let barrier = Barrier()
        let block = Task {
            try await test.stack.saveWithBlock { context in
                #expect(try Person.count(in: context) == 2)
                barrier.pass()
                try Person.create(in: context, email: "eve", name: "of the block")
            }
        }
        await barrier.arrival()
        context.rollback()
        barrier.open()
        try await block.value
        #expect(!context.hasChanges && ann.name == "base")
        #expect(try await names(in: test) == ["base", "of the block"])
    }

    @Test(arguments: nesting)
    func `a nested stack's block saves no edits again that were saved meanwhile`(
        architecture: StackArchitecture
    ) async throws {
        let (test, ann) = try await prepare(architecture)
        let context = test.stack.defaultContext
        ann.name = "edited"
        let new = try Person.create(in: context, email: "new", name: "new")
        let barrier = Barrier()
        let id = ann.objectID
        let block = Task {
            try await test.stack.saveWithBlock { context in
                let mine = try Person.existing(id, in: context)
                mine.age = 7
                barrier.pass()
            }
        }
        await barrier.arrival()
        #expect(try await context.save() == .saved(.counting(inserted: 1, updated: 1)))
        new.name = "changed since"
        barrier.open()
        try await block.value
        #expect(ann.age == 7 && ann.name == "edited" && new.name == "changed since")
        try await context.save()
        #expect(try await names(in: test) == ["edited", "changed since"])
    }

    @Test(arguments: nesting)
    func `a nested stack's block leaves edits made meanwhile unsaved`(
        architecture: StackArchitecture
    ) async throws {
        let (test, ann) = try await prepare(architecture)
        let context = test.stack.defaultContext
        let barrier = Barrier()
        let id = ann.objectID
        let block = Task {
            try await test.stack.saveWithBlock { context in
                try Person.existing(id, in: context).name = "of the block"
                barrier.pass()
            }
        }
        await barrier.arrival()
        ann.name = "edited"
        barrier.open()
        try await block.value
        #expect(ann.name == "edited" && context.hasChanges)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .conflict)
        #expect(error?.conflicts.first?.properties.first?.theirs == .text("of the block"))
        try context.refresh(ann)
        try await context.save()
        #expect(try await names(in: test) == ["edited"])
    }

    @Test(arguments: nesting)
    func `a nested stack's block has no parent to push to`(
        architecture: StackArchitecture
    ) async throws {
        let (test, _) = try await prepare(architecture)
        let (path, hasParent, code) = try await test.stack.saveWithBlock { context in
            let error = #expect(throws: RecordStackError.self) { try context.push() }
            return (context.monitor.path, context.parent != nil, error?.code)
        }
        let base = architecture == .nested ? "root" : "coordinator"
        #expect(path == "save block → default → \(base)" && !hasParent && code == .misuse)
    }

    @Test(arguments: nesting)
    func `a nested stack's block shows main-actor edits if another task runs it`(
        architecture: StackArchitecture
    ) async throws {
        let (test, ann) = try await prepare(architecture)
        ann.name = "edited"
        #expect(try Person.count(in: test.stack.defaultContext) == 1)
        let stack = test.stack
        let name = try await Task.detached {
            try await stack.saveWithBlock { try Person.findFirst(in: $0)?.name }
        }.value
        #expect(name == "edited")
        // No code here has awaited the block.
        #expect(try Person.count(in: test.stack.defaultContext) == 1)
        #expect(!test.stack.defaultContext.hasChanges)
    }

    @Test(arguments: nesting)
    func `a nested stack's block runs the hooks for the default context's edits`(
        architecture: StackArchitecture
    ) async throws {
        let test = try TestStack(for: Stamped.self, architecture: architecture)
        let mine = try Stamped.create(in: test.stack.defaultContext, text: "typed")
        try await test.stack.saveWithBlock { _ in }
        #expect(mine.stamp == "saved typed" && !test.stack.defaultContext.hasChanges)
        mine.text = "later"
        let seen = try await test.stack.saveWithBlock { try Stamped.findFirst(in: $0)?.stamp }
        #expect(seen == "saved typed" && mine.stamp == "saved later")
    }

    @Test(arguments: nesting)
    func `a nested stack saves a block's and the default context's relationships`(
        architecture: StackArchitecture
    ) async throws {
        let test = try TestStack(
            for: Sample.self, Owner.self, Sticker.self, at: .temporaryFile,
            architecture: architecture)
        let context = test.stack.defaultContext
        let (one, two) = (try context.create(Sample.self), try context.create(Sample.self))
        Sample.prepare([one, two])
        let marks = try (0..<3).map { try Sticker.create(in: context, name: "\($0)") }
        for mark in marks { one.marks.insert(mark) }
        try await context.save()
        two.marks.insert(marks[0])
        one.marks.remove(marks[1])
        let id = one.objectID
        try await test.stack.saveWithBlock { context in
            let one = try Sample.existing(id, in: context)
            #expect(one.marks.map(\.name).sorted() == ["0", "2"])
            try Sticker.findFirst(by: \.name, "2", in: context)?.delete()
        }
        #expect(one.marks.map(\.name) == ["0"] && two.marks.map(\.name) == ["0"])
        #expect(!context.hasChanges)
        let stored = try await test.stack.read { context in
            try Sample.find(sortedBy: .ascending(\.serial), in: context).map {
                $0.marks.map(\.name)
            }
        }
        #expect(stored == [["0"], ["0"]])
    }
}

extension Sample {
    /// Sets the values that samples require.
    fileprivate static func prepare(_ samples: [Sample]) {
        var values = RandomValues(random: Seeded(seed: 1))
        for (serial, sample) in samples.enumerated() {
            values.fill(sample, owners: [])
            sample.serial = serial
        }
    }
}
