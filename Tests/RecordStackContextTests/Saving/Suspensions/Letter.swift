import RecordStack

@Entity final class Letter: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var text: String = ""
    @Attribute var stamp: Int = 0
    @Relationship(inverse: \Satchel.letters) var satchel: Satchel?
}

/// A satchel, whose letters are counted before a save.
@Entity final class Satchel: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(.count(...9)) var letters: ToMany<Letter>
}
