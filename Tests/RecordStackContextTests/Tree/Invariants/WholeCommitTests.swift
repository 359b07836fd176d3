import Invariants
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Operations of a context, each of which must show whole commits. The tests read as applications
/// do.
@Suite("Whole commits") struct WholeCommitTests {
    private struct World {
        let test: TestStack
        let other: ContextStack
        let context: ManagedObjectContext
        let squads: [Squad]
        let player: Player

        /// - Parameter isOtherStack: true if another stack makes the changes, about which this
        ///   stack is not notified.
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

        /// Moves the player from the first squad to the second in the other stack.
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

    @Test func `finding one row of a commit also shows the commit's other rows`() throws {
        let world = try World(isOtherStack: true)
        try world.move()
        _ = try Squad.findFirst(by: \.number, 0, in: world.context)
        #expect(world.total == InvariantStore.players)
    }

    @Test func `a limited find shows another stack's commit whole, not in part`() throws {
        let world = try World(isOtherStack: true)
        try world.move()
        _ = try Squad.find(limit: 1, in: world.context) { $0.number == 1 }
        #expect(world.total == InvariantStore.players)
    }

    @Test func `two stacks that give a member the same owner keep stored counts right`() throws {
        let world = try World(isOtherStack: true)
        try world.move()
        let squads = try Squad.find(sortedBy: .ascending(\.number), in: world.context)
        // As far as this context can tell, the player is still in the first squad.
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

    /// Runs operations while the writer is between the COMMIT and its report to the contexts.
    @Test func `a find during another save's COMMIT shows all of it or nothing`() async throws {
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
                // Yields, because the save needs a thread.
                await Task.yield()
            }
            _ = try await move.value
        }
        disk.pauseAfterCommits(microseconds: 0)
        try stack.close()
        withExtendedLifetime((disk, folder)) {}
    }
}
