package import RecordStack

/// What a context shows of the invariants, and what is wrong with it.
///
/// The objects are held, so that they can be looked at again between two operations.
package struct InvariantView {
    /// Parts of the rules that are known not to hold, each switched off by its name.
    package struct KnownIssues: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A relationship that is loaded between two operations shows what other stacks have stored by then.
        package static let halfCommits = KnownIssues(rawValue: 1)
        /// An ordered relationship that is loaded between two operations shows what is stored by then.
        package static let halfOrders = KnownIssues(rawValue: 2)
    }

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
    /// - Parameter knownIssues: the rules that are not looked at.
    package func problems(without knownIssues: KnownIssues) -> [String] {
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
        if knownIssues.contains(.halfCommits) { return problems }
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
        if knownIssues.contains(.halfOrders) { return problems }
        for shelf in shelves {
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
