import Invariants
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Each operation of a context shows whole commits. Written as applications read.
@Suite("Whole commits") struct WholeCommitTests {
    private struct World {
        let test: TestStack
        let other: ContextStack
        let context: ManagedObjectContext
        let squads: [Squad]
        let player: Player

        /// - Parameter isOtherStack: whether the others write with a stack of their own, of which this one does not hear.
        init(isOtherStack: Bool) throws {
            var options = StoreOptions()
            options.remoteSaveInterval = nil
            test = try TestStack(
                entities: InvariantStore.entities, at: .temporaryFile, options: options)
            try test.seed(InvariantStore.fill)
            other =
                isOtherStack
                ? try ContextStack(
                    entities: InvariantStore.entities, at: .file(try #require(test.path)),
                    options: options)
                : test.stack
            context = test.stack.newContext()
            squads = try Squad.find(sortedBy: .ascending(\.number), in: context)
            player = try #require(try Player.findFirst(by: \.number, 0, in: context))
            #expect(player.squad === squads[0])
        }

        /// Others move the player from the first squad to the second.
        func move() throws {
            try other.saveWithBlockAndWait { context in
                let player = try #require(try Player.findFirst(by: \.number, 0, in: context))
                let squads = try Squad.find(sortedBy: .ascending(\.number), in: context)
                player.squad = squads[1]
                squads[0].size -= 1
                squads[1].size += 1
            }
        }

        var total: Int { squads.reduce(0) { $0 + $1.size } }

        func sizesAreRight() throws -> Bool {
            let context = test.stack.newContext()
            return try Squad.find(in: context).allSatisfy { $0.size == Array($0.players).count }
        }
    }

    @Test func `a find of one row shows the other rows of its commit, too`() throws {
        let world = try World(isOtherStack: true)
        try world.move()
        _ = try Squad.findFirst(by: \.number, 0, in: world.context)
        #expect(world.total == InvariantStore.players)
    }

    @Test func `a page shows whole commits of another stack`() throws {
        let world = try World(isOtherStack: true)
        try world.move()
        _ = try Squad.find(limit: 1, in: world.context) { $0.number == 1 }
        #expect(world.total == InvariantStore.players)
    }

    @Test func `a move that another stack has made is not made twice`() throws {
        let world = try World(isOtherStack: true)
        try world.move()
        let squads = try Squad.find(sortedBy: .ascending(\.number), in: world.context)
        // As far as this context knows, the player is in the first squad still.
        if world.player.squad === squads[0] {
            world.player.squad = squads[1]
            squads[0].size -= 1
            squads[1].size += 1
        }
        do {
            try world.context.saveAndWait()
        } catch let error as RecordStackError {
            #expect(error.code == .conflict)
        }
        #expect(try world.sizesAreRight())
    }

    /// The writer is between the end of a commit and telling the contexts of it.
    @Test func `an operation waits for a commit that it sees and has not heard of`() async throws {
        let disk = FaultyDisk(syncs: false)
        let folder = try TemporaryFolder("whole")
        var options = StoreOptions()
        options.vfs = disk.name
        let stack = try ContextStack(
            entities: InvariantStore.entities, at: .file(folder.file("store.sqlite")),
            options: options)
        try await stack.saveWithBlock { try InvariantStore.fill($0) }
        let context = stack.newContext()
        let purses = try Purse.find(sortedBy: .ascending(\.number), in: context)
        disk.pauseAfterCommits(microseconds: 10_000)
        for amount in 1...20 {
            let move = Task {
                try await stack.saveWithBlock { context in
                    let purses = try Purse.find(sortedBy: .ascending(\.number), in: context)
                    purses[0].balance -= amount
                    purses[1].balance += amount
                }
            }
            let before = purses[0].balance
            var isMoved = false
            while !isMoved {
                _ = try Purse.findFirst(by: \.number, 0, in: context)
                isMoved = purses[0].balance != before
                #expect(purses.reduce(0) { $0 + $1.balance } == 100 * InvariantStore.purses)
                // The save needs a thread.
                await Task.yield()
            }
            _ = try await move.value
        }
        disk.pauseAfterCommits(microseconds: 0)
        try stack.close()
        withExtendedLifetime((disk, folder)) {}
    }
}
