extension Refusal {
    private static func declaration(
        _ name: String, refused: String, accepted: String, message: String,
        severity: Diagnostic.Severity = .error, isInExpansion: Bool = false
    ) -> Refusal {
        Refusal(
            name, importing: ["Foundation"], refused: refused, accepted: accepted, message: message,
            severity: severity, isInExpansion: isInExpansion)
    }

    private static func attribute(
        _ name: String, _ refused: String, _ accepted: String, message: String,
        severity: Diagnostic.Severity = .error, isInExpansion: Bool = false
    ) -> Refusal {
        func program(_ line: String) -> String {
            """
            enum Shade: String, CaseIterable, AttributeValue { case light, dark }
            struct Plain: Sendable, Hashable, Codable {}
            struct Kept: CodableAttributeValue { static let placeholder = Kept() }
            @Entity final class Pet: ManagedObject {
            \(line)
            }
            """
        }
        return declaration(
            name, refused: program(refused + " // refused"), accepted: program(accepted),
            message: message, severity: severity, isInExpansion: isInExpansion)
    }

    /// Declarations that the macros refuse with a message that says what to write instead.
    static let declarations =
        attributes + [
            declaration(
                "an entity is local to a function",
                refused: """
                    func program() {
                        @Entity final class Pet: ManagedObject { // refused
                            @Attribute var name: String
                        }
                    }
                    """,
                accepted: """
                    @Entity final class Pet: ManagedObject {
                        @Attribute var name: String
                    }
                    """,
                message: "Pet is local to a function. Declare entities in a file or in a type."),
            declaration(
                "an entity is generic",
                refused: """
                    @Entity final class Pet<Owner>: ManagedObject { // refused
                        @Attribute var name: String // refused
                    } // refused
                    """,
                accepted: """
                    @Entity final class Pet: ManagedObject {
                        @Attribute var name: String
                    }
                    """,
                message: "Pet cannot be generic", isInExpansion: true),
            declaration(
                "a superclass is no entity",
                refused: """
                    class Animal {}
                    @Entity final class Pet: Animal { // refused
                        @Attribute var name: String
                    }
                    """,
                accepted: """
                    @Entity class Animal: ManagedObject {}
                    @Entity final class Pet: Animal {
                        @Attribute var name: String
                    }
                    """,
                message:
                    "An entity inherits from ManagedObject, or from a class that is marked with",
                isInExpansion: true),
            declaration(
                "several attributes are unique, and none is the identity",
                refused: """
                    @Entity final class Pet: ManagedObject { // refused
                        @Attribute(.unique) var chip: String
                        @Attribute(.unique) var name: String
                    }
                    """,
                accepted: """
                    @Entity(identity: \\.chip) final class Pet: ManagedObject {
                        @Attribute(.unique) var chip: String
                        @Attribute(.unique) var name: String
                    }
                    """,
                message:
                    "say which one imported rows are known by, as in @Entity(identity: \\.chip)",
                severity: .warning),
            declaration(
                "a rule of the entity names what it does not have",
                refused: """
                    @Entity(.unique(\\.chip, \\.nmae)) // refused
                    final class Pet: ManagedObject {
                        @Attribute var chip: String
                        @Attribute var name: String
                    }
                    """,
                accepted: """
                    @Entity(.unique(\\.chip, \\.name))
                    final class Pet: ManagedObject {
                        @Attribute var chip: String
                        @Attribute var name: String
                    }
                    """,
                message: "Pet has no attribute and no to-one relationship named nmae.",
                isInExpansion: true),
            declaration(
                "a to-many relationship is an array",
                refused: """
                    @Entity final class Pet: ManagedObject {
                        @Relationship(inverse: \\Keeper.pets) var keeper: Keeper? // refused
                    }
                    @Entity final class Keeper: ManagedObject {
                        @Relationship var pets: [Pet] // refused
                    }
                    """,
                accepted: """
                    @Entity final class Pet: ManagedObject {
                        @Relationship(inverse: \\Keeper.pets) var keeper: Keeper?
                    }
                    @Entity final class Keeper: ManagedObject {
                        @Relationship var pets: ToMany<Pet>
                    }
                    """,
                message: "neither a collection nor optional: var pets: ToMany<Pet>."),
            declaration(
                "a class with attributes is not marked",
                refused: """
                    final class Pet: ManagedObject { // refused
                        @Attribute var name: String // refused
                    }
                    """,
                accepted: """
                    @Entity final class Pet: ManagedObject {
                        @Attribute var name: String
                    }
                    """,
                message: "Pet is no entity, so name cannot be stored. Write @Entity before"),
            declaration(
                "an attribute stands in a struct",
                refused: """
                    struct Pet {
                        @Attribute var name: String = "" // refused
                    }
                    """,
                accepted: """
                    @Entity final class Pet: ManagedObject {
                        @Attribute var name: String = ""
                    }
                    """,
                message: "declare it in a class that is marked with @Entity",
                isInExpansion: true),
            declaration(
                "an entity belongs to the main actor",
                refused: """
                    @MainActor // refused
                    @Entity final class Pet: ManagedObject { // refused
                        @Attribute var name: String // refused
                    }
                    """,
                accepted: """
                    @Entity final class Pet: ManagedObject {
                        @Attribute var name: String
                    }
                    """,
                message: "belong where their context is", isInExpansion: true),
            declaration(
                "an inverse is declared on both sides",
                refused: """
                    @Entity final class Pet: ManagedObject { // refused
                        @Relationship(inverse: \\Keeper.pets) var keeper: Keeper? // refused
                    }
                    @Entity final class Keeper: ManagedObject { // refused
                        @Relationship(inverse: \\Pet.keeper) var pets: ToMany<Pet> // refused
                    }
                    """,
                accepted: """
                    @Entity final class Pet: ManagedObject {
                        @Relationship(inverse: \\Keeper.pets) var keeper: Keeper?
                    }
                    @Entity final class Keeper: ManagedObject {
                        @Relationship var pets: ToMany<Pet>
                    }
                    """,
                message: "circular reference", isInExpansion: true),
        ]

    private static let attributes = [
        attribute(
            "an attribute is a let", "@Attribute let name: String = \"\"",
            "@Attribute var name: String = \"\"", message: "name must be a var"),
        attribute(
            "an attribute is computed", "@Attribute var name: String { \"\" }",
            "var name: String { \"\" }", message: "name has accessors of its own"),
        attribute(
            "an attribute has no type", "@Attribute var birth = Date()",
            "@Attribute var birth: Date = Date()", message: "birth needs a type: var birth: Type."),
        attribute(
            "an attribute is of a type that cannot be stored", "@Attribute var plain: Plain?",
            "@Attribute var kept: Kept?", message: "struct TheType: CodableAttributeValue"),
        attribute(
            "an enum has no placeholder",
            "enum Size: Int, AttributeValue { case small, large }; @Attribute var size: Size",
            "enum Size: Int, CaseIterable, AttributeValue { case small, large }; "
                + "@Attribute var size: Size",
            message: "does not conform to protocol 'AttributeValue'", isInExpansion: true),
        attribute(
            "a name is ManagedObject's own", "@Attribute var objectID: String",
            "@Attribute(.stored(as: \"objectID\")) var number: String",
            message: "objectID is a name of ManagedObject's own. Rename the property"),
        attribute(
            "a name begins with an underscore", "@Attribute var _name: String",
            "@Attribute var name: String", message: "_name begins with an underscore"),
        attribute(
            "two names differ in case alone",
            "@Attribute var name: String; @Attribute var Name: String",
            "@Attribute var name: String; @Attribute(.stored(as: \"name2\")) var Name: String",
            message: "name and Name would share a column"),
        attribute(
            "two properties have one name",
            "@Attribute var name: String; @Attribute var name: String",
            "@Attribute var name: String; @Attribute var name2: String",
            message: "invalid redeclaration of 'name'", isInExpansion: true),
        attribute(
            "a transient attribute has no value to begin with", "@Attribute(.transient) var x: Int",
            "@Attribute(.transient) var x: Int = 1",
            message: "x is not stored, so it needs a value to begin with"),
        attribute(
            "two attributes share a mark", "@Attribute var a: Int = 1, b: Int = 2",
            "@Attribute var a: Int = 1; @Attribute var b: Int = 2",
            message: "can only apply to a single variable", isInExpansion: true
        ),
        attribute(
            "a constant has no mark", "let name: String = \"\"",
            "private let name: String = \"\"; static let all = 0",
            message: "name must be a var: objects are filled when they are loaded"),
        attribute(
            "a watched variable has no mark", "var name: String = \"\" { didSet {} }",
            "var name: String = \"\"; static var all: Int { 0 }",
            message: "name is stored, and so cannot have willSet and didSet"),
        attribute(
            "two variables without a mark share a declaration", "var a: Int = 1, b: Int = 2",
            "var a: Int = 1; var b: Int = 2",
            message: "Declare each property on its own"),
        attribute(
            "an attribute is implicitly unwrapped", "@Attribute var age: Int!",
            "@Attribute var age: Int?",
            message: "age may be nil, so its type is an optional one: var age: Int?."),
        attribute(
            "a transient attribute is unique", "@Attribute(.transient, .unique) var x: Int = 1",
            "@Attribute(.transient) var x: Int = 1",
            message: "x is not stored, so nothing else can be said of it"),
        attribute(
            "an attribute is an object", "@Attribute var friend: Person?",
            "@Relationship var friend: Person?",
            message: "@Relationship var name: TheType?"),
        attribute(
            "a property has two marks", "@Attribute @Relationship var friend: Person?",
            "@Relationship var friend: Person?", message: "friend has two marks"),
        attribute(
            "an attribute is static", "@Attribute static var count: Int = 0",
            "static var count: Int { 0 }", message: "count cannot be static", isInExpansion: true),
    ]
}
