extension Refusal {
    private static let homes = """
        @Entity final class Pet: ManagedObject {
            @Attribute var name: String
            @Attribute var age: Int = 0
            @Attribute var seen: Date
            @Attribute var born: Date?
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
        func text(_ lines: String) -> String {
            homes
                + "static func program(_ context: ManagedObjectContext, _ home: Home, _ day: Date) "
                + "throws {\n    \(lines)\n}"
        }
        return Refusal(
            name, importing: ["Foundation"],
            refused: text("_ = try \(refused) // refused"), accepted: text(accepted),
            message: message, isInExpansion: isInExpansion)
    }

    private static func isUnsupported(_ function: String) -> String {
        "The \(function) function is not supported in this predicate"
    }

    /// Expressions that only predicates or only closures refuse.
    static let predicates = [
        program(
            "a predicate captures an object",
            "Pet.find(matching: Filter(#Predicate<Pet> { $0.home?.objectID == home.objectID }), in: context)",
            """
            let id = home.objectID
            _ = try Pet.find(matching: Filter(#Predicate<Pet> { $0.home?.objectID == id }), in: context)
            """,
            message: "'any StandardPredicateExpression<Bool>'", isInExpansion: true),
        program(
            "a predicate looks for the beginning of a text with options",
            #"Pet.find(matching: Filter(#Predicate<Pet> { $0.name.hasPrefix("q", .caseInsensitive) }), in: context)"#,
            #"_ = try Pet.find(in: context) { $0.name.hasPrefix("q", .caseInsensitive) }"#,
            message: "'caseInsensitive'"),
        program(
            "a predicate looks for a part of a text with options",
            #"Pet.find(matching: Filter(#Predicate<Pet> { $0.name.range(of: "q", options: .caseInsensitive) != nil }), in: context)"#,
            #"_ = try Pet.find(in: context) { $0.name.contains("q", .caseInsensitive) }"#,
            message: isUnsupported("range(of:options:)")),
        program(
            "a predicate adds up values of members",
            "Home.find(matching: Filter(#Predicate<Home> { $0.pets.reduce(0) { $0 + $1.age } > 5 }), in: context)",
            "_ = try Home.find(in: context) { $0.pets.sum { $0.age } > 5 }",
            message: isUnsupported("reduce(_:)")),
        program(
            "a predicate takes the sum of members as a closure does",
            "Home.find(matching: Filter(#Predicate<Home> { $0.pets.sum { $0.age } > 5 }), in: context)",
            "_ = try Home.find(in: context) { $0.pets.sum { $0.age } > 5 }",
            message: "has no member 'sum'"),
        program(
            "a predicate takes the average of members as a closure does",
            "Home.find(matching: Filter(#Predicate<Home> { $0.pets.average { $0.age } > 5 }), in: context)",
            "_ = try Home.find(in: context) { $0.pets.average { $0.age } > 5 }",
            message: "has no member 'average'"),
        program(
            "a predicate takes the greatest value of members",
            "Home.find(matching: Filter(#Predicate<Home> { $0.pets.map { $0.age }.max() == 5 }), in: context)",
            "_ = try Home.find(in: context) { $0.pets.max { $0.age } == 5 }",
            message: isUnsupported("map()")),
        program(
            "a predicate takes the least value of members",
            "Home.find(matching: Filter(#Predicate<Home> { $0.pets.map { $0.age }.min() == 5 }), in: context)",
            "_ = try Home.find(in: context) { $0.pets.min { $0.age } == 5 }",
            message: isUnsupported("map()")),
        program(
            "a predicate adds seconds to a date",
            "Pet.find(matching: Filter(#Predicate<Pet> { $0.seen + 60 > day }), in: context)",
            "_ = try Pet.find(in: context) { $0.seen + 60 > day }",
            message: "'any StandardPredicateExpression<Bool>'", isInExpansion: true),
        program(
            "a predicate calculates with a date by Foundation's functions",
            "Pet.find(matching: Filter(#Predicate<Pet> { $0.seen.addingTimeInterval(60) > day }), in: context)",
            "_ = try Pet.find(in: context) { $0.seen + 60 > day }",
            message: isUnsupported("addingTimeInterval(_:)")),
        program(
            "a closure has another value in place of nil",
            "Pet.find(in: context) { ($0.born ?? day) > day }",
            "_ = try Pet.find(matching: Filter(#Predicate<Pet> { ($0.born ?? day) > day }), in: context)",
            message: "'FilterExpression<Date?>'"),
        program(
            "a closure chooses between two values",
            "Pet.find(in: context) { ($0.age > 3 ? 1 : 2) == 2 }",
            "_ = try Pet.find(matching: Filter(#Predicate<Pet> { ($0.age > 3 ? 1 : 2) == 2 }), in: context)",
            message: "cannot convert value of type 'Filter' to expected condition type 'Bool'"),
    ]
}
