import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Children that undo their parent's changes, which must leave nothing to save.
@Suite("Edits that a child undoes") @MainActor
struct UndoneChangeTests {
    /// The change that the parent makes and its child undoes.
    enum Change: CaseIterable {
        case attribute, reference, joinRow

        @MainActor func make(in context: ManagedObjectContext) throws {
            let exhibit = try #require(try Exhibit.findFirst(in: context))
            switch self {
            case .attribute: exhibit.shelf = 1
            case .reference: exhibit.wing = try Wing.findFirst(in: context)
            case .joinRow:
                exhibit.themes.insert(try #require(try Theme.findFirst(in: context)))
            }
        }

        @MainActor func undo(in context: ManagedObjectContext) throws {
            let exhibit = try #require(try Exhibit.findFirst(in: context))
            switch self {
            case .attribute: exhibit.shelf = 0
            case .reference: exhibit.wing = nil
            case .joinRow: exhibit.themes.removeAll()
            }
        }
    }

    @Test(arguments: Change.allCases, [false, true])
    func `reverting a parent's edit in a child during a save leaves both clean`(
        change: Change, isUnheard: Bool
    ) async throws {
        let gate = Gate()
        var options = StoreOptions()
        options.observer = { [gate] in gate.observe($0) }
        let test = try TestStack(
            entities: QuestionScript.entities, at: .temporaryFile, options: options)
        try test.seed {
            try Wing.create(in: $0, number: 1)
            try Theme.create(in: $0, number: 1)
        }
        let parent = test.stack.newContext()
        let child = parent.newChild()
        try Exhibit.create(in: parent, number: 1)
        gate.close(at: "COMMIT")
        let save = Task { try await parent.save() }
        await gate.waitUntilHeld()
        if !isUnheard { try change.make(in: parent) }
        gate.open()
        test.stack.coordinator.waitForCheckpoint()
        if isUnheard { try change.make(in: parent) }
        try change.undo(in: child)
        _ = try await save.value
        try await child.save()
        #expect(!child.hasChanges)
        #expect(!parent.hasChanges)
    }

    @Test(arguments: Change.allCases)
    func `saving a child that reverts its parent's edit leaves both clean`(
        change: Change
    ) async throws {
        let test = try TestStack(entities: QuestionScript.entities) {
            try Wing.create(in: $0, number: 1)
            try Theme.create(in: $0, number: 1)
            try Exhibit.create(in: $0, number: 1)
        }
        let parent = test.stack.newContext()
        let child = parent.newChild()
        try change.make(in: parent)
        try change.undo(in: child)
        try await child.save()
        #expect(!child.hasChanges)
        #expect(!parent.hasChanges)
    }
}
