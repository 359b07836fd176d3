import RecordStack

// Relationships of every kind, delete rules of every kind, and entities that inherit.

@Entity(identity: \.number) final class Hub: ManagedObject {
    @Attribute(.unique) var number: Int
    /// The test does not always keep this value unique, so some saves fail.
    @Attribute(.unique) var code: Int?
    @Relationship(deleteRule: .cascade) var spokes: OrderedToMany<Spoke>
    @Relationship var crew: ToMany<Rider>
    @Relationship(deleteRule: .deny) var guards: ToMany<Rider>
    @Relationship(inverse: \Hub.back) var front: Hub?
    @Relationship var back: Hub?
    @Relationship(deleteRule: .cascade, inverse: \Ring.hub) var ring: Ring?
    @Relationship var marks: ToMany<Mark>
    @Relationship var row: OrderedToMany<Mark>
    @Relationship(.symmetric) var friends: ToMany<Hub>
    @Relationship(inverse: \Rider.likes) var fans: ToMany<Rider>
    @Relationship(inverse: \Rider.ranks) var ranked: OrderedToMany<Rider>
}

@Entity class Spoke: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(inverse: \Hub.spokes) var hub: Hub?
}

@Entity final class FatSpoke: Spoke {
    @Attribute var width: Int = 0
}

@Entity final class Rider: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(inverse: \Hub.crew) var hub: Hub?
    @Relationship(inverse: \Hub.guards) var guarded: Hub?
    @Relationship(deleteRule: .cascade) var pet: Mark?
    @Relationship var likes: ToMany<Hub>
    @Relationship var ranks: OrderedToMany<Hub>
}

@Entity final class Ring: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship var hub: Hub?
}

@Entity final class Mark: ManagedObject {
    @Attribute(.unique) var number: Int
}
