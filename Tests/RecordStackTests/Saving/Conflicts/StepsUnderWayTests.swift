import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Edits of a context while its own save, or its child's, is being written. They change what the
/// context showed, and not what contexts below it put into the save.
@MainActor
@Suite("Edits during a save") struct StepsUnderWayTests {
    private enum Step: String, CaseIterable {
        case parentCounts, childCounts, parentHears, childHears, parentRollsBack, childRollsBack
    }

    /// The beginning of a sequence, and the steps while its save is being written.
    private struct Sequence: CustomStringConvertible {
        var parentBegins = false
        var childBegins = false
        var childSaves = false
        var steps: [Step] = []

        var description: String {
            "\(parentBegins ? "parent, " : "")\(childBegins ? "child, " : "")"
                + "save of the \(childSaves ? "child" : "parent"): \(steps.map(\.rawValue))"
        }

        static var all: [Sequence] {
            var all: [Sequence] = []
            for begin in 0..<8 {
                for first in Step.allCases {
                    for second in Step.allCases {
                        for third in Step.allCases {
                            all.append(
                                Sequence(
                                    parentBegins: begin & 1 != 0, childBegins: begin & 2 != 0,
                                    childSaves: begin & 4 != 0, steps: [first, second, third]))
                        }
                    }
                }
            }
            return all.filter { $0.parentBegins || $0.childSaves && $0.childBegins }
        }
    }

    /// The number as the parent and the child count it, and the steps of each that are pending.
    private struct World {
        let parent: ManagedObjectContext
        let child: ManagedObjectContext
        let here: Tally
        let below: Tally
        var pending = (parent: 0, child: 0)
        var stored = 0
        var conflicts = 0

        mutating func perform(_ step: Step) throws {
            switch step {
            case .parentCounts:
                here.count += 1
                pending.parent += 1
            case .childCounts:
                below.count += 1
                pending.child += 1
            case .parentHears: _ = try Tally.count(in: parent)
            case .childHears: _ = try Tally.count(in: child)
            case .parentRollsBack:
                parent.rollback()
                pending.parent = 0
            case .childRollsBack:
                child.rollback()
                pending.child = 0
            }
        }

        mutating func capture(byChild: Bool) -> Int {
            defer {
                pending.parent = 0
                if byChild { pending.child = 0 }
            }
            return pending.parent + (byChild ? pending.child : 0)
        }

        /// Saves what is still pending, and discards what is in conflict.
        mutating func finish() async throws {
            for (context, byChild) in [(parent, false), (child, true)] {
                let captured = capture(byChild: byChild)
                do {
                    try await context.save()
                    stored += captured
                } catch let error as RecordStackError where error.code == .conflict {
                    conflicts += 1
                    context.rollback()
                    if byChild { parent.rollback() }
                }
            }
        }
    }

    @Test(arguments: [StackArchitecture.savingRoot, .parentChild])
    func `no sequence of three edits during a save loses an update`(
        _ architecture: StackArchitecture
    ) async throws {
        let gated = try GatedStack(Tally.self, architecture: architecture)
        // One object for all sequences. Renewing a lease of keys has its own COMMIT, which the gate
        // would hold.
        let here = try Tally.create(in: gated.context, name: "t")
        try await gated.context.save()
        var (conflicts, lost) = (0, [String]())
        for sequence in Sequence.all {
            let world = try await run(sequence, of: here, on: gated)
            conflicts += world.conflicts
            let found = try Tally.findFirst(in: gated.stack.newContext())?.count
            if found != world.stored {
                lost.append("\(sequence): \(found ?? -1) instead of \(world.stored)")
            }
        }
        #expect(lost.isEmpty, "\(lost.count) sequences: \(lost.prefix(5))")
        #expect(conflicts > 100)
    }

    private func run(
        _ sequence: Sequence, of here: Tally, on gated: GatedStack
    ) async throws -> World {
        let parent = gated.context
        let child = parent.newChild()
        here.count = 0
        try await parent.save()
        let below = try #require(try Tally.findFirst(in: child))
        var world = World(parent: parent, child: child, here: here, below: below)
        if sequence.parentBegins { try world.perform(.parentCounts) }
        if sequence.childBegins {
            try world.perform(.childHears)
            try world.perform(.childCounts)
        }
        let captured = world.capture(byChild: sequence.childSaves)
        try await gated.whileSaving(sequence.childSaves ? child : parent) {
            for step in sequence.steps { try world.perform(step) }
        }
        world.stored = captured
        try await world.finish()
        return world
    }

    // MARK: Deletions

    private func expectDeletionInConflict(
        in gated: GatedStack, of tally: Tally, stored: Int
    ) async throws {
        let error = await #expect(throws: RecordStackError.self) {
            try await gated.context.save()
        }
        #expect(error?.code == .conflict && error?.conflicts.map(\.kind) == [.deletedHere])
        #expect(try Tally.findFirst(in: gated.stack.newContext())?.count == stored)
        gated.context.rollback()
        #expect(tally.count == stored && !gated.context.hasChanges)
    }

    @Test func `deleting an object in a parent while a child saves it is a conflict`() async throws
    {
        let gated = try GatedStack(Tally.self)
        let here = try Tally.create(in: gated.context, name: "t")
        try await gated.context.save()
        let child = gated.context.newChild()
        try #require(try Tally.findFirst(in: child)).count = 5
        try await gated.whileSaving(child) { try here.delete() }
        try await expectDeletionInConflict(in: gated, of: here, stored: 5)
    }

    @Test func `rolling back and deleting an object during its save is a conflict`() async throws {
        let gated = try GatedStack(Tally.self)
        let here = try Tally.create(in: gated.context, name: "t")
        try await gated.context.save()
        here.count = 5
        try await gated.whileSaving {
            gated.context.rollback()
            #expect(here.count == 0)
            try here.delete()
        }
        try await expectDeletionInConflict(in: gated, of: here, stored: 5)
    }
}
