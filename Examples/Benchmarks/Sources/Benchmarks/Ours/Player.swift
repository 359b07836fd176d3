import RecordStack

/// An entity with what reading and writing is measured with: an Int, a String, a to-one.
@Entity final class Player: ManagedObject {
    @Attribute var number: Int
    @Attribute var name: String
    @Relationship(inverse: \Team.players) var team: Team?
}

@Entity final class Team: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship var players: ToMany<Player>
}
