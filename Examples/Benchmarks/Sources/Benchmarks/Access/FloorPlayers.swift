/// Objects of a plain final class.
struct FloorPlayers: AccessSide {
    private let players: [FloorPlayer]
    private let teams: [FloorTeam]
    private let numbers: Turns<Int>
    private let names: Turns<String>
    private let owners: Turns<FloorTeam>

    init(_ data: PlayerData) {
        let teams = (0..<data.teamCount).map { FloorTeam(number: $0) }
        self.teams = teams
        players = data.rows.map {
            FloorPlayer(number: $0.number, name: $0.name, team: teams[$0.team])
        }
        numbers = Turns(data.rows.map(\.number))
        names = Turns(data.rows.map(\.name))
        owners = Turns(data.rows.map { teams[$0.team] })
    }

    func perform(_ access: Access, rounds: Int) -> Int {
        var sum = 0
        switch access {
        case .readInt:
            for _ in 0..<rounds { sum = FloorLoops.readInts(players, sum) }
        case .readString:
            for _ in 0..<rounds { sum = FloorLoops.readStrings(players, sum) }
        case .readToOne:
            for _ in 0..<rounds { sum = FloorLoops.readToOnes(players, teams[0], sum) }
        case .writeInt:
            numbers.forEachPass(rounds) { FloorLoops.writeInts(players, $0) }
        case .writeString:
            names.forEachPass(rounds) { FloorLoops.writeStrings(players, $0) }
        case .writeToOne:
            owners.forEachPass(rounds) { FloorLoops.writeToOnes(players, $0) }
        }
        return sum
    }

    var rows: [PlayerRow] {
        players.map { PlayerRow(number: $0.number, name: $0.name, team: $0.team?.number ?? -1) }
    }
}
