import RecordStack

/// An entity with the properties of the access benchmarks: an Int, a String and a to-one.
@Entity final class Player: ManagedObject {
    @Attribute var number: Int
    @Attribute var name: String
    @Relationship(inverse: \Team.players) var team: Team?
}

@Entity final class Team: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship var players: ToMany<Player>
}
