extension Refusal {
    private static let pets = """
        @Entity(.abstract) class Pet: ManagedObject {
            @Attribute var name: String
            @Attribute var weight: Double = 1
        }
        @Entity final class Dog: Pet {
            @Attribute var tricks: Int = 0
        }

        """

    private static func program(
        _ name: String, _ refused: String, _ accepted: String, message: String
    ) -> Refusal {
        func text(_ line: String) -> String {
            pets + "func program(_ context: ManagedObjectContext) throws {\n    \(line)\n}"
        }
        return Refusal(
            name, refused: text(refused + " // refused"), accepted: text(accepted), message: message
        )
    }

    /// Wrong uses of entities that inherit from one another.
    static let inheritance = [
        program(
            "an object of an abstract entity is created",
            "try Pet.create(in: context, name: \"Rex\")",
            // Without values, this compiles and throws: see the page on inheritance.
            "try Dog.create(in: context, tricks: 2).name = \"Rex\"; try Pet.create(in: context)",
            message: "Pet is abstract. Make an object of a subclass"),
        program(
            "an object is created with what an abstract superentity declares",
            "try Dog.create(in: context, name: \"Rex\", weight: 2)",
            "try Dog.create(in: context).name = \"Rex\"",
            message: "and set what it inherits afterwards"),
        program(
            "a superentity is filtered by a subentity's attribute",
            "_ = try Pet.find(in: context) { $0.tricks > 1 }",
            "_ = try Dog.find(in: context) { $0.tricks > 1 && $0.name == \"Rex\" }",
            message: "has no dynamic member 'tricks' using key path from root type"),
        program(
            "a superentity is sorted by a subentity's attribute",
            "_ = try Pet.find(sortedBy: .ascending(\\.tricks), in: context)",
            "_ = try Dog.find(sortedBy: [.ascending(\\.tricks), .ascending(\\.name)], in: context)",
            message: "has no member 'tricks'"),
        program(
            "a snapshot of a superentity is asked for a subentity's attribute",
            "_ = try Pet.snapshots(in: context).map(\\.tricks)",
            "_ = try Pet.snapshots(in: context).compactMap { $0.as(Dog.self)?.tricks }",
            message: "has no dynamic member 'tricks' using key path from root type"),
        Refusal(
            "an abstract entity can have no subclass",
            refused: """
                @Entity(.abstract) final class Pet: ManagedObject { // refused
                    @Attribute var name: String
                }
                """,
            accepted: """
                @Entity(.abstract) class Pet: ManagedObject {
                    @Attribute var name: String
                }
                @Entity(.stored(as: "things"), .abstract) public class Thing: ManagedObject {
                    @Attribute public var context: String
                }
                """,
            message: "Pet is abstract, so its objects are those of subclasses, which a final class "
                + "cannot have. Remove final, or .abstract."),
    ]
}
