import RecordStack

/// The entity of the store that the benchmarks create.
@Entity final class Person: ManagedObject {
    @Attribute(.unique) var email: String
    @Attribute var firstName: String
    @Attribute var lastName: String
    @Attribute var city: String
    @Attribute var age: Int
    @Attribute var visits: Int
    @Attribute var score: Double
    @Attribute var balance: Double
    @Attribute var isActive: Bool
    @Attribute var note: String?
    @Attribute var company: Int64
}
