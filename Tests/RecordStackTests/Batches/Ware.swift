import RecordStack

/// An entity without relationships.
@Entity final class Ware: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.indexed) var name: String = ""
    @Attribute var price: Double?
    @Attribute var level: Int8 = 0
    @Attribute(.range(0...1_000)) var amount: Int = 0
}

/// An entity with a hook.
@Entity final class Logbook: ManagedObject {
    @Attribute var text: String = ""
    @Attribute var changes: Int = 0

    override func willSave() {
        if changes == 0 { changes = 1 }
    }
}
