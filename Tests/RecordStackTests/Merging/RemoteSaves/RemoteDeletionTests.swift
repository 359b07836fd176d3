import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// References to an object that another stack has deleted, before this stack notices the deletion.
@MainActor
@Suite("References to remotely deleted objects") struct RemoteDeletionTests {
    enum Form: CaseIterable, Sendable {
        case awaited, waited, block
    }

    private func makeStacks() throws -> TwoStacks {
        try TwoStacks(
            [Writer.self, Novel.self, Chapter.self, Cover.self, Label.self], interval: nil
        ) { context in
            try Writer.create(in: context, name: "ann")
            for title in ["stays", "goes"] { try Novel.create(in: context, title: title) }
        }
    }

    private func delete(_ stacks: TwoStacks) throws {
        try stacks.other.saveWithBlockAndWait { context in
            try #require(try Novel.findFirst(by: \.title, "goes", in: context)).delete()
        }
    }

    private func change(_ context: ManagedObjectContext) throws {
        let ann = try #require(try Writer.findFirst(by: \.name, "ann", in: context))
        for novel in try Novel.find(in: context) {
            ann.novels.insert(novel)
            if novel.title == "goes" { ann.favourite = novel }
        }
        let chapter = try Chapter.create(in: context)
        chapter.novel = ann.favourite
    }

    /// No error is thrown, as if the deletion had been merged before.
    @Test(arguments: Form.allCases, [false, true])
    func `saving a reference to a remotely deleted object clears the reference`(
        form: Form, isChild: Bool
    ) async throws {
        let stacks = try makeStacks()
        let parent = stacks.here.newContext()
        let context = isChild ? parent.newChild() : parent
        switch form {
        case .awaited:
            try change(context)
            try delete(stacks)
            try await context.save()
        case .waited:
            try change(context)
            try delete(stacks)
            try context.saveWithoutAwaiting()
        case .block:
            let other = stacks.other
            try await stacks.here.saveWithBlock { context in
                let ann = try #require(try Writer.findFirst(by: \.name, "ann", in: context))
                for novel in try Novel.find(in: context) {
                    ann.novels.insert(novel)
                    if novel.title == "goes" { ann.favourite = novel }
                }
                let chapter = try Chapter.create(in: context)
                chapter.novel = ann.favourite
                try other.saveWithBlockAndWait { context in
                    try #require(try Novel.findFirst(by: \.title, "goes", in: context)).delete()
                }
            }
        }
        if form != .block {
            let ann = try #require(try Writer.findFirst(by: \.name, "ann", in: context))
            #expect(ann.novels.map(\.title) == ["stays"] && ann.favourite == nil)
            #expect(!context.hasChanges && !parent.hasChanges)
        }
        let file = try ForeignProgram(path: try #require(stacks.test.path))
        #expect(try file.rows("SELECT favourite FROM Writer") == [["NULL"]])
        #expect(try file.rows("SELECT novel FROM Chapter") == [["NULL"]])
        let reader = stacks.here.newContext()
        let ann = try #require(try Writer.findFirst(by: \.name, "ann", in: reader))
        #expect(ann.novels.map(\.title) == ["stays"])
    }

    @Test func `a required reference to a remotely deleted object fails validation`() async throws {
        let stacks = try TwoStacks([Lodger.self, House.self], interval: nil) { context in
            try House.create(in: context, name: "house")
        }
        let context = stacks.here.newContext()
        let house = try #require(try House.findFirst(in: context))
        let lodger = try Lodger.create(in: context, house: house)
        try await stacks.other.saveWithBlock { try House.findFirst(in: $0)?.delete() }
        #expect(await failure { try await context.save() } == .validation)
        #expect(lodger.house == nil && context.hasChanges)
    }
}

@Entity final class House: ManagedObject {
    @Attribute var name: String
    @Relationship var lodgers: ToMany<Lodger>
}

@Entity final class Lodger: ManagedObject {
    @Relationship(.required, inverse: \House.lodgers) var house: House?
}

extension ManagedObjectContext {
    /// Saves and waits, in a test that is async itself.
    fileprivate func saveWithoutAwaiting() throws { try saveAndWait() }
}
