import RecordStack

/// What is in stock. Whoever sells or delivers changes the same number.
@Entity final class Article: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute(.range(0...)) var stock: Int = 0
    @Attribute var note: String = ""
}
