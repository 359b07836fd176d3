import RecordStack

/// An entity with attributes under other names in JSON, and under names inside other objects.
@Entity final class Guest: ManagedObject {
    @Attribute(.unique, .imported(from: "email", "contact.mail")) var email: String
    @Attribute(.imported(from: "full_name", "name")) var name: String = ""
    @Attribute var age: Int?
    @Attribute var isActive: Bool = true
}
