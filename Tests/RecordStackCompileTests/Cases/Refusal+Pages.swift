extension Refusal {
    private static let homes = """
        enum Mood: Int, CaseIterable, AttributeValue, Codable { case calm, cross }
        enum Plain: Int, CaseIterable, AttributeValue { case calm, cross }
        @Entity final class Pet: ManagedObject {
            @Attribute var name: String
            @Attribute var mood: Mood = .calm
            @Attribute var plain: Plain = .calm
            @Relationship(.required, inverse: \\Home.pets) var home: Home?
        }
        @Entity final class Home: ManagedObject {
            @Relationship var pets: ToMany<Pet>
        }

        """

    private static func program(
        _ name: String, _ refused: String, _ accepted: String, message: String,
        isInExpansion: Bool = false
    ) -> Refusal {
        func text(_ line: String) -> String {
            homes
                + "static func program(_ context: ManagedObjectContext, _ home: Home, _ mood: Mood, "
                + "_ plain: Plain) throws {\n    \(line)\n}"
        }
        return Refusal(
            name, importing: ["Foundation"], refused: text(refused + " // refused"),
            accepted: text(accepted),
            message: message, isInExpansion: isInExpansion)
    }

    /// Errors that the pages mention in passing.
    static let pages = [
        program(
            "an object is created with values, without what its required relationship leads to",
            "try Pet.create(in: context, name: \"Rex\")",
            "try Pet.create(in: context, name: \"Rex\", home: home)",
            message: "missing argument for parameter 'home'"),
        // Without values, the program may set the required properties later.
        program(
            "an object is created with a value that is not its entity's",
            "try Pet.create(in: context, title: \"Rex\")", "try Pet.create(in: context)",
            message: "argument"),
        program(
            "a predicate captures a value that is not Codable",
            "_ = try Pet.find(matching: Filter(#Predicate<Pet> { $0.plain == plain }), in: context)",
            "_ = try Pet.find(matching: Filter(#Predicate<Pet> { $0.mood == mood }), in: context)",
            message: "'any StandardPredicateExpression<Bool>'", isInExpansion: true),
        Refusal(
            "an inverse is declared on both sides",
            refused: """
                @Entity final class Pet: ManagedObject {
                    @Relationship(inverse: \\Home.pets) var home: Home?
                }
                @Entity final class Home: ManagedObject {
                    @Relationship(inverse: \\Pet.home) var pets: ToMany<Pet>
                }
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {
                    @Relationship(inverse: \\Home.pets) var home: Home?
                }
                @Entity final class Home: ManagedObject {
                    @Relationship var pets: ToMany<Pet>
                }
                """,
            message: "circular reference", isInExpansion: true),
    ]
}
