import Invariants
import RecordStack
import RecordStackGraph
import RecordStackTesting
import TestSupport
import Testing

/// Rows that a context loads between operations and that are newer than its other rows.
///
/// Some commits, such as those of another stack, carry no old values. A row loaded after such a
/// commit has the new values, while rows that were read before it have the old ones. A change that
/// is based on both must not be saved.
@Suite("Rows that are newer than their context") struct RowsAheadTests {
    private struct World {
        let test: TestStack
        let other: ContextStack
        let context: ManagedObjectContext

        init() throws {
            var options = StoreOptions()
            options.remoteSaveInterval = nil
            test = try TestStack(
                entities: InvariantStore.entities, at: .temporaryFile, options: options)
            try test.seed(InvariantStore.fill)
            other = try ContextStack(
                entities: InvariantStore.entities, at: .file(try #require(test.path)),
                options: options)
            context = test.stack.newContext()
        }

        /// Returns the first shelf, which is not loaded yet, and its order, which is.
        func shelf() throws -> (shelf: Shelf, codes: [Int]) {
            let volume = try #require(try Volume.findFirst(by: \.code, 0, in: context))
            let shelf = try #require(volume.shelf)
            return (shelf, shelf.volumes.map(\.code))
        }

        /// Reverses the order of the first shelf in the other stack.
        func turnRound() throws {
            try other.saveWithBlockAndWait { context in
                let shelf = try #require(try Shelf.findFirst(by: \.number, 0, in: context))
                shelf.revision += 1
                for place in 1..<5 { shelf.volumes.move(from: place, to: 0) }
                for (place, volume) in shelf.volumes.enumerated() { volume.place = place }
            }
        }

        /// Moves the first volume to the end.
        static func take(_ shelf: Shelf) {
            shelf.volumes.move(from: 0, to: 4)
            shelf.revision += 1
            for (place, volume) in shelf.volumes.enumerated() where volume.place != place {
                volume.place = place
            }
        }

        func isInOrder() throws -> Bool {
            let context = test.stack.newContext()
            let shelf = try #require(try Shelf.findFirst(by: \.number, 0, in: context))
            return shelf.volumes.map(\.place) == [0, 1, 2, 3, 4]
        }
    }

    @Test(arguments: [false, true])
    func `saving an object conflicts if it shows a newer state than its members`(
        hasOperationBetween: Bool
    ) throws {
        let world = try World()
        let (shelf, codes) = try world.shelf()
        #expect(codes == [0, 2, 4, 6, 8])
        try world.turnRound()
        World.take(shelf)
        if hasOperationBetween { _ = try Purse.count(in: world.context) }
        let error = try #require(throws: RecordStackError.self) {
            try world.context.saveAndWait()
        }
        #expect(error.code == .conflict)
        #expect(error.conflicts.contains { $0.properties.map(\.name) == ["revision"] })
        world.context.rollback()
        World.take(shelf)
        try world.context.saveAndWait()
        #expect(try world.isInOrder())
    }

    @Test func `an edit does not conflict if the row's newer version is merged first`() throws {
        let world = try World()
        let (shelf, _) = try world.shelf()
        try world.turnRound()
        #expect(shelf.revision == 1)
        _ = try Shelf.count(in: world.context)
        World.take(shelf)
        try world.context.saveAndWait()
        #expect(try world.isInOrder())
    }

    @Test func `an edit does not conflict with a save made before the row was read`() throws {
        let world = try World()
        try world.turnRound()
        let (shelf, codes) = try world.shelf()
        #expect(codes == [8, 6, 4, 2, 0])
        world.test.stack.coordinator.lookForRemoteSaves()
        world.test.stack.coordinator.waitForCheckpoint()
        World.take(shelf)
        try world.context.saveAndWait()
        #expect(try world.isInOrder())
    }

    @Test func `pushing an object conflicts if it shows a newer state than its members`() throws {
        let world = try World()
        let child = world.context.newChild()
        let volume = try #require(try Volume.findFirst(by: \.code, 0, in: child))
        let shelf = try #require(volume.shelf)
        #expect(shelf.volumes.map(\.code) == [0, 2, 4, 6, 8])
        try world.turnRound()
        World.take(shelf)
        let error = try #require(throws: RecordStackError.self) { try child.push() }
        #expect(error.code == .conflict)
        #expect(!world.context.hasChanges)
    }

    @Test func `resolveConflict lets an edit of a row from an unmerged save be saved`() throws {
        let world = try World()
        let (shelf, _) = try world.shelf()
        try world.turnRound()
        shelf.revision += 10
        #expect(throws: RecordStackError.self) { try world.context.saveAndWait() }
        try shelf.resolveConflict(on: \.revision, keeping: .ours)
        try world.context.saveAndWait()
        #expect(
            try Shelf.findFirst(by: \.number, 0, in: world.test.stack.newContext())?.revision == 11)
    }

    @Test(arguments: [
        (MergePolicy.objectTrump, 11), (.storeTrump, 1), (.overwrite, 11), (.rollback, 1),
    ])
    func `a merge policy resolves an edit of a row loaded from an unmerged save`(
        _ policy: MergePolicy, _ revision: Int
    ) throws {
        let world = try World()
        let (shelf, _) = try world.shelf()
        try world.turnRound()
        shelf.revision += 10
        try world.context.saveAndWait(mergePolicy: policy)
        #expect(shelf.revision == revision)
        let stored = try Shelf.findFirst(by: \.number, 0, in: world.test.stack.newContext())
        #expect(stored?.revision == revision)
    }
}
