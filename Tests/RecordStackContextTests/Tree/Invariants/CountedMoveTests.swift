import Invariants
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// A relationship and a count beside it. A move that two contexts make must be counted exactly
/// once.
@Suite("Moves of members with stored counts") struct CountedMoveTests {
    private func move(_ number: Int, to target: Int, in context: ManagedObjectContext) throws {
        let player = try #require(try Player.findFirst(by: \.number, number, in: context))
        let squad = try #require(try Squad.findFirst(by: \.number, target, in: context))
        let old = try #require(player.squad)
        player.squad = squad
        old.size -= 1
        squad.size += 1
    }

    private func checkStored(_ stack: ContextStack) throws {
        let context = stack.newContext()
        #expect(try InvariantView(in: context).problems() == [])
    }

    @Test(arguments: [false, true])
    func `two contexts conflict if both give one member the same new owner`(
        isOtherStack: Bool
    ) throws {
        var options = StoreOptions()
        options.remoteSaveInterval = nil
        let test = try TestStack(
            entities: InvariantStore.entities, at: .temporaryFile, options: options)
        try test.seed(InvariantStore.fill)
        let other =
            isOtherStack
            ? try InvariantStore.open(try #require(test.path)) : test.stack
        let context = test.stack.newContext()
        // Players 0 and 3 are in the first squad, player 1 is in the second.
        try move(0, to: 1, in: context)
        try other.saveWithBlockAndWait { try move(0, to: 1, in: $0) }
        if !isOtherStack { #expect(try Squad.count(in: context) == InvariantStore.squads) }
        try other.saveWithBlockAndWait { try move(1, to: 0, in: $0) }
        let error = #expect(throws: RecordStackError.self) { try context.saveAndWait() }
        #expect(error?.code == .conflict)
        context.rollback()
        try checkStored(test.stack)
        if isOtherStack { try other.close() }
    }

    @Test(arguments: [false, true])
    func `a child and parent conflict if both give a member the same new owner`(isSaved: Bool)
        throws
    {
        let test = try TestStack(entities: InvariantStore.entities)
        try test.seed(InvariantStore.fill)
        let parent = test.stack.newContext()
        let child = parent.newChild()
        try move(0, to: 1, in: child)
        try move(0, to: 1, in: parent)
        try move(1, to: 0, in: parent)
        let error = #expect(throws: RecordStackError.self) {
            if isSaved { try child.saveAndWait() } else { try child.push() }
        }
        #expect(error?.code == .conflict)
        child.rollback()
        try parent.saveAndWait()
        try checkStored(test.stack)
    }
}
