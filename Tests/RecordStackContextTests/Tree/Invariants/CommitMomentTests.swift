import Dispatch
import Foundation
import Invariants
import RecordStack
import RecordStackGraph
import RecordStackModel
import RecordStackSQLite
import TestSupport
import Testing

/// Operations in the moments around a commit, which must show whole commits.
///
/// In the first moment, a save is in the store and no context has merged it. In the second, the
/// commit log has the save, but a reader that began earlier does not see it.
@Suite("Moments around a commit") struct CommitMomentTests {
    private struct World {
        let folder: TemporaryFolder
        let store: WatchedStore
        let stack: ContextStack
        let context: ManagedObjectContext
        let purse: Purse

        init() throws {
            folder = try TemporaryFolder("CommitMoment")
            let model = try ManagedObjectModel(entities: InvariantStore.entities)
            var options = StoreOptions()
            options.remoteSaveInterval = nil
            store = WatchedStore(
                try SQLiteStore(
                    at: .file(folder.file("store.sqlite")), model: model, options: options))
            stack = try ContextStack(
                coordinator: PersistentStoreCoordinator(store: store, model: model))
            try stack.saveWithBlockAndWait { try InvariantStore.fill($0) }
            context = stack.newContext()
            purse = try #require(try Purse.findFirst(by: \.number, 0, in: context))
        }

        /// Pays from the first purse to the second.
        static func pay(_ context: ManagedObjectContext) throws {
            try Purse.findFirst(by: \.number, 0, in: context)?.balance -= 7
            try Purse.findFirst(by: \.number, 1, in: context)?.balance += 7
        }

        /// Returns the balances of the first purse, which the context holds, and of the second,
        /// which it reads now.
        func balances() throws -> [Int] {
            let other = try #require(try Purse.findFirst(by: \.number, 1, in: context))
            return [purse.balance, other.balance]
        }
    }

    @Test func `a find shows a save that is stored but not yet in the commit log`() throws {
        let world = try World()
        let isSaved = DispatchSemaphore(value: 0)
        world.store.watch(
            WatchedStore.Watchers(saved: {
                isSaved.signal()
                // This is much longer than a save takes to report its end, and can happen if many
                // threads wait for a processor.
                usleep(1_500_000)
            }))
        let stack = world.stack
        let saving = DispatchGroup()
        DispatchQueue.global().async(group: saving) {
            try? stack.saveWithBlockAndWait { try World.pay($0) }
        }
        isSaved.wait()
        #expect(try world.balances() == [93, 107])
        saving.wait()
    }

    @Test func `a find shows nothing of a commit made after its read began`() throws {
        let world = try World()
        let other = try InvariantStore.open(world.folder.file("store.sqlite"))
        let stack = world.stack
        world.store.watch(
            WatchedStore.Watchers(begun: {
                try? other.saveWithBlockAndWait { try World.pay($0) }
                stack.coordinator.lookForRemoteSaves()
                stack.coordinator.waitForCheckpoint()
            }))
        #expect(try world.balances() == [100, 100])
        #expect(try world.balances() == [93, 107])
        try other.close()
    }
}
