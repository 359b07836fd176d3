public import RecordStack

/// The player of `Benchmarks/Ours/Player.swift`, as another module sees it.
@Entity public final class Player: ManagedObject {
    /// An Int.
    @Attribute public var number: Int
    /// A String.
    @Attribute public var name: String
    /// A to-one relationship.
    @Relationship(inverse: \Team.players) public var team: Team?
}

/// Where players belong.
@Entity public final class Team: ManagedObject {
    /// What tells teams apart.
    @Attribute(.unique) public var number: Int
    /// The other side of the players' teams.
    @Relationship public var players: ToMany<Player>
}
