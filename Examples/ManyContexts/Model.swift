import RecordStack

/// An article in stock. Sales and deliveries change the same number.
@Entity final class Article: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute(.range(0...)) var stock: Int = 0
    @Attribute var note: String = ""
}
