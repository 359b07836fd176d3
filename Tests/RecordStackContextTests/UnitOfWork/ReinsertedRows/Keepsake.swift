import RecordStack

@Entity final class Keepsake: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var worth: Int = 0
    @Attribute var note: String?
    @Relationship(inverse: \Drawer.keepsakes) var drawer: Drawer?
}

@Entity final class Drawer: ManagedObject {
    @Attribute(.unique) var label: String
    @Relationship var keepsakes: ToMany<Keepsake>
}
