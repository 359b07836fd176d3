import RecordStack

/// Objects of the entity that this module declares.
struct OurPlayers: AccessSide {
    private let stack: ContextStack
    private let context: ManagedObjectContext
    private let players: [Player]
    private let teams: [Team]
    private let numbers: Turns<Int>
    private let names: Turns<String>
    private let owners: Turns<Team>

    /// Fetches both entities, so that every destination is registered.
    init(_ data: PlayerData) async throws {
        let stack = try ContextStack(for: Player.self, Team.self, at: .inMemory)
        let (rows, teamCount) = (data.rows, data.teamCount)
        try await stack.saveWithBlock { context in
            let teams = try (0..<teamCount).map { try Team.create(in: context, number: $0) }
            for row in rows {
                let player = try Player.create(in: context, number: row.number, name: row.name)
                player.team = teams[row.team]
            }
        }
        self.stack = stack
        context = stack.newContext()
        teams = try Team.find(sortedBy: .ascending(\.number), in: context)
        // The order by ID is the order of creation.
        players = try Player.find(in: context)
        numbers = Turns(rows.map(\.number))
        names = Turns(rows.map(\.name))
        let teams = teams
        owners = Turns(rows.map { teams[$0.team] })
    }

    func perform(_ access: Access, rounds: Int) -> Int {
        var sum = 0
        switch access {
        case .readInt:
            for _ in 0..<rounds { sum = OurLoops.readInts(players, sum) }
        case .readString:
            for _ in 0..<rounds { sum = OurLoops.readStrings(players, sum) }
        case .readToOne:
            for _ in 0..<rounds { sum = OurLoops.readToOnes(players, teams[0], sum) }
        case .writeInt:
            numbers.forEachPass(rounds) { OurLoops.writeInts(players, $0) }
        case .writeString:
            names.forEachPass(rounds) { OurLoops.writeStrings(players, $0) }
        case .writeToOne:
            owners.forEachPass(rounds) { OurLoops.writeToOnes(players, $0) }
        }
        return sum
    }

    var rows: [PlayerRow] {
        players.map { PlayerRow(number: $0.number, name: $0.name, team: $0.team?.number ?? -1) }
    }
}
