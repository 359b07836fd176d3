public import RecordStack

/// The player of `Benchmarks/Ours/Player.swift`, for access from another module.
@Entity public final class Player: ManagedObject {
    /// An Int.
    @Attribute public var number: Int
    /// A String.
    @Attribute public var name: String
    /// A to-one relationship.
    @Relationship(inverse: \Team.players) public var team: Team?
}

/// The team of players.
@Entity public final class Team: ManagedObject {
    /// The number that identifies the team.
    @Attribute(.unique) public var number: Int
    /// The inverse of the players' teams.
    @Relationship public var players: ToMany<Player>
}
