import RecordStack

// Two to-one steps and a one-to-many relationship, without join tables.

@Entity final class Country: ManagedObject {
    @Attribute(.indexed) var name: String?
}

@Entity final class City: ManagedObject {
    @Attribute(.indexed) var name: String = ""
    @Attribute var size: Int = 0
    @Relationship var country: Country?
}

@Entity final class House: ManagedObject {
    @Attribute(.indexed) var number: Int = 0
    @Relationship var city: City?
    @Relationship(deleteRule: .cascade) var rooms: ToMany<Room>
}

@Entity final class Room: ManagedObject {
    @Attribute(.indexed) var size: Int = 0
    @Relationship(inverse: \House.rooms) var house: House?
}
