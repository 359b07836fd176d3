import Dispatch
import Foundation
import Invariants
import RecordStack
import RecordStackGraph
import RecordStackModel
import RecordStackSQLite
import TestSupport
import Testing

/// An operation sees whole commits in the moments around one, too: when it is in the store and no context has heard of it, and
/// when contexts have heard of it and a reader that began before does not see it.
@Suite("Moments of a commit") struct CommitMomentTests {
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

        /// The balances of the first purse, which the context holds, and of the second, which is read now.
        func balances() throws -> [Int] {
            let other = try #require(try Purse.findFirst(by: \.number, 1, in: context))
            return [purse.balance, other.balance]
        }
    }

    @Test func `an operation waits until a stored save is in the log`() throws {
        let world = try World()
        let isSaved = DispatchSemaphore(value: 0)
        world.store.watch(
            WatchedStore.Watchers(saved: {
                isSaved.signal()
                // Much longer than a save takes to tell of itself, as it happens where many threads wait for a processor.
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

    @Test func `an operation does not take in what its reader does not see`() throws {
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
