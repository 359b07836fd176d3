import RecordStack

/// Attributes under names of their own in JSON, and under names inside other objects.
@Entity final class Guest: ManagedObject {
    @Attribute(.unique, .imported(from: "email", "contact.mail")) var email: String
    @Attribute(.imported(from: "full_name", "name")) var name: String = ""
    @Attribute var age: Int?
    @Attribute var isActive: Bool = true
}
