/// The values with which reading and writing properties is measured.
struct PlayerRow: Sendable {
    var number: Int
    var name: String
    /// The number of the team, which is its index.
    var team: Int
}

/// As many objects as the processor's cache holds, so that a loop over them measures the access.
struct PlayerData: Sendable {
    let rows: [PlayerRow]
    let teamCount = 10

    /// Creates players with the names of persons: texts of 26 bytes, which are reference-counted.
    init(_ data: PersonData) {
        let teamCount = teamCount
        rows = data.persons.prefix(1_000).map { person in
            PlayerRow(
                number: person.visits, name: person.city, team: Int(person.company) % teamCount)
        }
    }

    var fingerprint: Fingerprint { Fingerprint(of: rows) }
}
