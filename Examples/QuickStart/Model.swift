import RecordStack

@Entity final class Person: ManagedObject {
    @Attribute(.unique) var email: String
    @Attribute(.imported(from: "full_name", "name")) var name: String = ""
    @Attribute(.imported(from: "profile.age")) var age: Int?
    @Relationship(inverse: \Team.members) var team: Team?
}

@Entity final class Team: ManagedObject {
    @Attribute(.unique) var title: String
    @Relationship var members: ToMany<Person>
}
