extension Refusal {
    /// Impossible entities, and values of the wrong type.
    static let entities = [
        Refusal(
            "a struct is marked as an entity",
            refused: """
                @Entity struct Pet { // refused
                    var name: String
                }
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {
                    @Attribute var name: String
                }
                """,
            message: "@Entity marks a class that inherits from ManagedObject: @Entity final class"),
        Refusal(
            "a class that inherits from nothing is marked as an entity",
            refused: """
                @Entity final class Pet {} // refused
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {}
                """,
            message: "Pet must inherit from ManagedObject or from another entity"),
        Refusal(
            "a class that inherits from nothing has variables",
            refused: """
                @Entity final class Pet { // refused
                    var name: String = ""
                    var toys: Int = 0
                }
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {
                    var name: String = ""
                    var toys: Int = 0
                }
                """,
            message: "Pet must inherit from ManagedObject or from another entity"),
        Refusal(
            "a to-one relationship is not optional",
            refused: """
                @Entity final class Pet: ManagedObject { // refused
                    @Relationship var owner: Person // refused
                }
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {
                    @Relationship(.required) var owner: Person?
                }
                """,
            message: "A to-one relationship is optional: var owner: Person?."),
        Refusal(
            "an object is created without what has no default",
            refused: """
                func program(_ context: ManagedObjectContext) throws {
                    try Person.create(in: context, name: "Ann") // refused
                }
                """,
            accepted: """
                func program(_ context: ManagedObjectContext) throws {
                    try Person.create(in: context, email: "a", name: "Ann")
                }
                """,
            message: "missing argument for parameter 'email'"),
        Refusal(
            "an attribute is set to a value of another type",
            refused: """
                func program(_ ann: Person) {
                    ann.age = "18" // refused
                }
                """,
            accepted: """
                func program(_ ann: Person) {
                    ann.age = 18
                }
                """,
            message: "cannot assign value of type 'String' to type 'Int'"),
        Refusal(
            "a snapshot is changed",
            refused: """
                func program(_ ann: Snapshot<Person>) {
                    ann.name = "Ann" // refused
                }
                """,
            accepted: """
                func program(_ ann: Person) {
                    ann.name = "Ann"
                }
                """,
            message: "cannot assign through dynamic lookup property"),
        Refusal(
            "an object is looked up by a value of another type",
            refused: """
                func program(_ context: ManagedObjectContext) throws {
                    print(try Person.findFirst(by: \\.email, 5, in: context) as Any) // refused
                }
                """,
            accepted: """
                func program(_ context: ManagedObjectContext) throws {
                    print(try Person.findFirst(by: \\.email, "a", in: context) as Any)
                }
                """,
            message: "cannot convert value of type 'Int' to expected argument type 'String'"),
        Refusal(
            "objects are sorted by what another entity has",
            refused: """
                func program(_ context: ManagedObjectContext) throws {
                    print(try Person.find(sortedBy: .ascending(\\.title), in: context)) // refused
                }
                """,
            accepted: """
                func program(_ context: ManagedObjectContext) throws {
                    print(try Team.find(sortedBy: .ascending(\\.title), in: context))
                }
                """,
            message: "value of type 'Person' has no member 'title'"),
        Refusal(
            "a filter names what the entity does not have",
            refused: """
                func program(_ context: ManagedObjectContext) throws {
                    print(try Person.find(in: context) { $0.nmae == "Ann" }) // refused
                }
                """,
            accepted: """
                func program(_ context: ManagedObjectContext) throws {
                    print(try Person.find(in: context) { $0.name == "Ann" })
                }
                """,
            message: "has no dynamic member 'nmae'"),
        Refusal(
            "a filter of one entity finds another",
            refused: """
                func program(_ context: ManagedObjectContext) throws {
                    let request = Person.where { $0.age >= 18 }
                    let teams: [Team] = try context.find(request) // refused
                    print(teams)
                }
                """,
            accepted: """
                func program(_ context: ManagedObjectContext) throws {
                    let request = Person.where { $0.age >= 18 }
                    let people: [Person] = try context.find(request)
                    print(people)
                }
                """,
            message: "cannot assign value of type '[Person]' to type '[Team]'"),
    ]
}
