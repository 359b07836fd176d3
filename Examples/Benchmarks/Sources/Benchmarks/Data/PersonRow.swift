/// A row of the table that all contenders read and write.
struct PersonRow: Sendable {
    var key: Int64
    var email: String
    var firstName: String
    var lastName: String
    var city: String
    var age: Int
    var visits: Int
    var score: Double
    var balance: Double
    var isActive: Bool
    var note: String?
    var company: Int64
}
