import RecordStack

/// A bead of a chain. Deleting it deletes the next one.
@Entity final class Bead: ManagedObject {
    @Attribute var number: Int
    @Relationship(deleteRule: .cascade, inverse: \Bead.previous) var next: Bead?
    @Relationship var previous: ToMany<Bead>
}

/// Deletes the head of a chain of unsaved beads. The figure is the time of one bead.
struct BeadChain {
    let lab: Lab
    let count: Int

    func run(times: Int = 1) -> some Contender {
        let (count, name) = (count, "chain-\(count)")
        return LoopRun(name, rounds: count, times: times) {
            try PendingChain(ContextStack(for: Bead.self, at: .inMemory), count: count)
        } loop: {
            try $0.context.delete($0.beads[0])
        } isRight: {
            try Bead.count(in: $0.context) == 0
                && $0.beads.allSatisfy { $0.managedObjectContext == nil }
        } close: {
            try $0.stack.close()
        }
    }
}

private struct PendingChain {
    let stack: ContextStack
    let context: ManagedObjectContext
    let beads: [Bead]

    init(_ stack: ContextStack, count: Int) throws {
        self.stack = stack
        context = stack.newContext()
        var beads: [Bead] = []
        for number in 0..<count {
            let bead = try Bead.create(in: context, number: number)
            beads.last?.next = bead
            beads.append(bead)
        }
        self.beads = beads
    }
}
