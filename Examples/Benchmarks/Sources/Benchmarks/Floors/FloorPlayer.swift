/// A class with plain stored properties.
final class FloorPlayer {
    var number: Int
    var name: String
    var team: FloorTeam?

    init(number: Int, name: String, team: FloorTeam) {
        self.number = number
        self.name = name
        self.team = team
    }
}

final class FloorTeam {
    var number: Int

    init(number: Int) {
        self.number = number
    }
}
