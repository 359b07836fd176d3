import Players

/// The loops of one pass over all objects.
///
/// They are not inlined, and each result is an input of the next pass, so that the optimizer
/// keeps every pass.
enum OtherModuleLoops {
    @inline(never)
    static func readInts(_ players: [Players.Player], _ start: Int) -> Int {
        var sum = start
        for player in players { sum &+= player.number }
        return sum
    }

    @inline(never)
    static func readStrings(_ players: [Players.Player], _ start: Int) -> Int {
        var sum = start
        for player in players { sum &+= player.name.utf8.count }
        return sum
    }

    @inline(never)
    static func readToOnes(_ players: [Players.Player], _ team: Players.Team, _ start: Int) -> Int {
        var sum = start
        for player in players { sum &+= player.team === team ? 1 : 0 }
        return sum
    }

    @inline(never)
    static func writeInts(_ players: [Players.Player], _ values: [Int]) {
        for (player, value) in zip(players, values) { player.number = value }
    }

    @inline(never)
    static func writeStrings(_ players: [Players.Player], _ values: [String]) {
        for (player, value) in zip(players, values) { player.name = value }
    }

    @inline(never)
    static func writeToOnes(_ players: [Players.Player], _ values: [Players.Team]) {
        for (player, value) in zip(players, values) { player.team = value }
    }
}
