package import RecordStack

/// What a context shows of the invariants, and what is wrong with it.
///
/// The objects are held, so that they can be looked at again between two operations.
package struct InvariantView {
    private let purses: [Purse]
    private let squads: [Squad]
    private let badges: [Badge]
    private let shelves: [Shelf]

    /// Reads everything, each kind with one operation.
    package init(in context: ManagedObjectContext) throws {
        purses = try Purse.find(in: context)
        badges = try Badge.find(in: context)
        squads = try Squad.find(prefetching: { $0.players }, in: context)
        shelves = try Shelf.find(prefetching: { $0.volumes }, in: context)
    }

    /// What is wrong with what was read; empty where nothing is.
    /// - Parameter looksAtOrders: false where orders may be loaded anew while other stacks save: their commits carry no old
    ///   places.
    package func problems(looksAtOrders: Bool = true) -> [String] {
        var problems: [String] = []
        func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) {
            if !isTrue { problems.append(text()) }
        }
        let sum = purses.reduce(0) { $0 + $1.balance }
        expect(sum == 100 * InvariantStore.purses, "the balances are \(sum) together")
        for purse in purses {
            expect(
                purse.debit + purse.credit == 0,
                "purse \(purse.number) is \(purse.debit), \(purse.credit)")
        }
        let labels = Set(badges.map(\.label))
        expect(labels.count == InvariantStore.badges, "the labels are \(labels.sorted())")
        for squad in squads {
            let players = Array(squad.players)
            expect(
                squad.size == players.count,
                "squad \(squad.number) has \(players.count), not \(squad.size)")
            for player in players {
                expect(
                    player.squad === squad && squad.players.contains(player),
                    "player \(player.number)")
            }
        }
        for shelf in shelves where looksAtOrders {
            let places = shelf.volumes.map(\.place)
            expect(
                shelf.size == places.count,
                "shelf \(shelf.number) has \(places.count), not \(shelf.size)")
            expect(
                places == Array(0..<places.count), "shelf \(shelf.number) has the places \(places)")
            expect(
                shelf.volumes.allSatisfy { $0.shelf === shelf }, "shelf \(shelf.number)'s volumes")
        }
        return problems
    }
}
