package import RecordStack

/// One action of an application, written as an application would write it. Each keeps all
/// invariants.
package struct InvariantStep: Sendable {
    package enum Kind: Int, CaseIterable, Sendable {
        case pay, move, swap, reorder, reshelve
    }

    package let kind: Kind
    private let first: Int
    private let second: Int

    package init(using random: inout some RandomNumberGenerator) {
        kind = Kind.allCases.randomElement(using: &random)!
        first = Int.random(in: 0..<1_000, using: &random)
        second = Int.random(in: 0..<1_000, using: &random)
    }

    package init(_ kind: Kind, _ first: Int, _ second: Int) {
        (self.kind, self.first, self.second) = (kind, first, second)
    }

    package func perform(in context: ManagedObjectContext) throws {
        switch kind {
        case .pay: try pay(in: context)
        case .move: try move(in: context)
        case .swap: try swap(in: context)
        case .reorder: try reorder(in: context)
        case .reshelve: try reshelve(in: context)
        }
    }

    /// Returns two different numbers below a count.
    package func pair(below count: Int) -> (Int, Int) {
        let one = first % count
        return (one, (one + 1 + second % (count - 1)) % count)
    }

    /// The amount of a payment.
    package var amount: Int { 1 + second % 7 }

    private func pay(in context: ManagedObjectContext) throws {
        let (from, to) = pair(below: InvariantStore.purses)
        try Purse.findFirst(by: \.number, from, in: context)?.balance -= amount
        try Purse.findFirst(by: \.number, to, in: context)?.balance += amount
    }

    private func move(in context: ManagedObjectContext) throws {
        let player = try Player.findFirst(by: \.number, first % InvariantStore.players, in: context)
        let target = try Squad.findFirst(by: \.number, second % InvariantStore.squads, in: context)
        guard let player, let old = player.squad, let target, old !== target else { return }
        player.squad = target
        old.size -= 1
        target.size += 1
    }

    private func swap(in context: ManagedObjectContext) throws {
        let (one, other) = pair(below: InvariantStore.badges)
        guard let a = try Badge.findFirst(by: \.number, one, in: context),
            let b = try Badge.findFirst(by: \.number, other, in: context)
        else { return }
        (a.label, b.label) = (b.label, a.label)
    }

    private func reorder(in context: ManagedObjectContext) throws {
        let number = first % InvariantStore.shelves
        guard let shelf = try Shelf.findFirst(by: \.number, number, in: context) else { return }
        let count = shelf.volumes.count
        if count < 2 { return }
        shelf.volumes.move(from: first % count, to: second % count)
        Self.number(shelf)
    }

    private func reshelve(in context: ManagedObjectContext) throws {
        let code = first % InvariantStore.volumes
        let volume = try Volume.findFirst(by: \.code, code, in: context)
        let number = second % InvariantStore.shelves
        let target = try Shelf.findFirst(by: \.number, number, in: context)
        guard let volume, let old = volume.shelf, let target, old !== target else { return }
        target.volumes.append(volume)
        old.size -= 1
        target.size += 1
        Self.number(old)
        Self.number(target)
    }

    private static func number(_ shelf: Shelf) {
        shelf.revision += 1
        for (place, volume) in shelf.volumes.enumerated() where volume.place != place {
            volume.place = place
        }
    }
}
