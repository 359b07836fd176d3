package import RecordStack

/// The objects of the invariants in one context, and a check of the invariants.
///
/// It holds the objects, so that a test can check them again between two operations.
package struct InvariantView {
    private let purses: [Purse]
    private let squads: [Squad]
    private let badges: [Badge]
    private let shelves: [Shelf]

    /// Reads all objects, with one operation for each entity.
    package init(in context: ManagedObjectContext) throws {
        purses = try Purse.find(in: context)
        badges = try Badge.find(in: context)
        squads = try Squad.find(prefetching: { $0.players }, in: context)
        shelves = try Shelf.find(prefetching: { $0.volumes }, in: context)
    }

    /// Returns the broken invariants.
    /// - Parameter looksAtOrders: false if orders may be reloaded while other stacks save. The
    ///   commits of other stacks carry no old positions.
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
