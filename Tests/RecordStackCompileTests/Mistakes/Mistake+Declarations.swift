extension Mistake {
    static let entities: [Mistake] = [
        Mistake(
            "a struct is an entity",
            wrong: """
                @Entity struct Pet { // refused
                    var name: String
                }
                """,
            right: """
                @Entity final class Pet: ManagedObject {
                    var name: String
                }
                """,
            says: "@Entity marks a class that inherits from ManagedObject: @Entity final class"),
        Mistake(
            "an entity inherits from nothing",
            wrong: """
                @Entity final class Pet { // refused
                    var name: String
                }
                """,
            right: """
                @Entity final class Pet: ManagedObject {
                    var name: String
                }
                """,
            says: "Pet must inherit from ManagedObject or from another entity"),
        Mistake(
            "an entity is generic",
            wrong: """
                @Entity final class Pet<Food>: ManagedObject { // refused
                }
                """,
            right: """
                @Entity final class Pet: ManagedObject {
                }
                """,
            says: "Pet cannot be generic: an entity is one table."),
        Mistake(
            "an entity is the main actor's",
            wrong: """
                @MainActor // refused
                @Entity final class Pet: ManagedObject {
                    var name: String
                }
                """,
            right: """
                @Entity final class Pet: ManagedObject {
                    var name: String
                }
                """,
            says: "Objects of Pet belong where their context is"),
        Mistake(
            "an entity is in a function",
            wrong: """
                func program() {
                    @Entity final class Pet: ManagedObject { // refused
                    }
                }
                """,
            right: """
                @Entity final class Pet: ManagedObject {
                }
                """,
            says: "Pet is local to a function. Declare entities in a file or in a type."),
        .inEntity(
            "an entity has an initializer",
            "init(name: String) { self.name = name }",
            """
            static func make(named name: String, in context: ManagedObjectContext) throws -> Pet {
                try create(in: context, name: name)
            }
            """,
            says: "objects are made with Pet.create(in: context, …)"),
        .inEntity(
            "an entity has a convenience initializer",
            "convenience init(name: String) { self.init(); self.name = name }",
            """
            static func make(named name: String, in context: ManagedObjectContext) throws -> Pet {
                try create(in: context, name: name)
            }
            """,
            says: "An object is made in a context: try TheType.create(in: context, …)"),
        .inEntity(
            "a property is a constant", "let nick: String", "var nick: String",
            says: "nick must be a var: objects are filled when they are loaded."),
        .inEntity(
            "a property is watched",
            "var nick: String = \"\" { didSet { print(nick) } }",
            """
            var nick: String = ""
            override func willSave() { print(nick) }
            """,
            says: "nick is stored, and so cannot have willSet and didSet. Override willSave()"),
        .inEntity(
            "two properties are declared at once", "var nick: String, breed: String",
            "var nick: String\nvar breed: String",
            says: "Declare each property on its own: var name: Type."),
        .inEntity(
            "a property has a name of ManagedObject's own", "var snapshot: String",
            "@Attribute(.stored(as: \"snapshot\")) var picture: String",
            says: "snapshot is a name of ManagedObject's own. Rename the property"),
        .inEntity(
            "a property begins with an underscore", "var _nick: String", "var nick: String",
            says: "_nick begins with an underscore, as the names of the system do."),
        .inEntity(
            "properties share a column", "var nick: String = \"\"; var Nick: String = \"\"",
            "var nick: String = \"\"\n@Attribute(.stored(as: \"Nick2\")) var Nick: String = \"\"",
            says: "nick and Nick would share a column"),
        .inEntity(
            "a computed property is read of a snapshot",
            "var shout: String { name }\nfunc say() throws { print(try snapshot.shout) }",
            "var shout: String { name }\nfunc say() { print(shout) }",
            says: "A snapshot has what is stored.", .warning),
    ]

    static let attributes: [Mistake] = [
        .inEntity(
            "an attribute's type is a struct", "var point: Point",
            "@Attribute(.transient) var point: Point? = nil",
            says: "An attribute's type is one that can be stored"),
        .inEntity(
            "an attribute's type is an enum that does not say so", "var color: Color",
            "var color: Kept", says: "enum TheType: String, EnumAttributeValue"),
        .inEntity(
            "an optional attribute's type is an enum that does not say so", "var color: Color?",
            "var color: Kept?", says: "enum TheType: String, EnumAttributeValue"),
        .inEntity(
            "an attribute's type is an enum without raw values", "var color: Bare",
            "var color: Kept", says: "An attribute's type is one that can be stored"),
        .inEntity(
            "an attribute's type is Codable and does not say so", "var place: Place",
            "var place: String", says: "struct TheType: CodableAttributeValue"),
        .inEntity(
            "an attribute holds any object", "var delegate: AnyObject?",
            "lazy var delegate: AnyObject? = nil",
            says: "An attribute's type is one that can be stored"),
        .inEntity(
            "an attribute is unwrapped without asking", "var nick: String!", "var nick: String?",
            says: "nick may be nil, so its type is an optional one: var nick: String?."),
        .inEntity(
            "a number is the default of a text", "var nick: String = 5",
            "var nick: String = \"5\"",
            says: "cannot convert value of type 'Int' to specified type 'String'"),
        .inEntity(
            "a text is the default of a number", "var age: Int = \"5\"", "var age: Int = 5",
            says: "cannot convert value of type 'String' to specified type 'Int'"),
        .inEntity(
            "nothing is the default of a number", "var age: Int = nil", "var age: Int? = nil",
            says: "'nil' cannot initialize specified type 'Int'"),
        .inEntity(
            "a marked attribute is lazy", "@Attribute lazy var nick: String = \"\"",
            "lazy var nick: String = \"\"", says: "nick cannot be lazy"),
        .inEntity(
            "a marked attribute is static", "@Attribute static var nick: String = \"\"",
            "static var nick: String { \"\" }", says: "nick cannot be static"),
        .inEntity(
            "a marked attribute is computed", "@Attribute var nick: String { name }",
            "var nick: String { name }", says: "nick has accessors of its own"),
        .inEntity(
            "a marked attribute has no type", "@Attribute var born = Date.now",
            "@Attribute var born: Date = Date.now", says: "born needs a type: var born: Type."),
        .inEntity(
            "a number has a length", "@Attribute(.length(1...3)) var age: Int",
            "@Attribute(.range(1...3)) var age: Int",
            says: "age is of type Int, and .length is of text and data."),
        .inEntity(
            "the bounds of a range are the wrong way round",
            "@Attribute(.range(9...1)) var age: Int", "@Attribute(.range(1...9)) var age: Int",
            says: "The bounds of age are the wrong way round."),
        .inEntity(
            "a pattern is none", "@Attribute(.pattern(\"[\")) var nick: String",
            "@Attribute(.pattern(\"[a-z]\")) var nick: String",
            says: "The pattern of nick is no regular expression"),
        .inEntity(
            "data is kept outside", "@Attribute(.externalStorage) var photo: Data?",
            "var photo: Data?", says: "Data is kept in its row. Leave the option out"),
        .inEntity(
            "a property is ephemeral", "@Attribute(.ephemeral) var isOpen: Bool = false",
            "@Attribute(.transient) var isOpen: Bool = false",
            says: "'ephemeral' has been renamed to 'transient'"),
    ]

    static let relationships: [Mistake] = [
        .inEntity(
            "an object is an attribute", "var owner: Person?",
            "@Relationship var owner: Person?", says: "@Relationship var name: TheType?."),
        .inEntity(
            "an object is a required attribute", "var owner: Person",
            "@Relationship(.required) var owner: Person?", says: "@Relationship var name: TheType?."
        ),
        .inEntity(
            "an object is a marked attribute", "@Attribute var owner: Person?",
            "@Relationship var owner: Person?", says: "@Relationship var name: TheType?."),
        .inEntity(
            "an array of objects is an attribute", "var owners: [Person]",
            "var owners: ToMany<Person>", says: "var names: ToMany<TheType>."),
        .inEntity(
            "an array of objects begins empty", "var owners: [Person] = []",
            "var owners: ToMany<Person>", says: "var names: ToMany<TheType>."),
        .inEntity(
            "a set of objects is an attribute", "var owners: Set<Person> = []",
            "var owners: ToMany<Person>", says: "var names: ToMany<TheType>."),
        .inEntity(
            "an array is a relationship", "@Relationship var owners: [Person]",
            "@Relationship var owners: ToMany<Person>",
            says: "A to-many relationship is neither a collection nor optional"),
        .inEntity(
            "a set is a relationship", "@Relationship var owners: Set<Person>",
            "@Relationship var owners: ToMany<Person>", says: "var owners: ToMany<Person>."),
        .inEntity(
            "a to-many relationship is optional", "@Relationship var owners: ToMany<Person>?",
            "@Relationship var owners: ToMany<Person>", says: "var owners: ToMany<Person>."),
        .inEntity(
            "a to-many relationship is an attribute", "@Attribute var owners: ToMany<Person>",
            "var owners: ToMany<Person>",
            says: "owners refers to other objects, so it is no attribute."),
        .inEntity(
            "a to-one relationship is not optional", "@Relationship var owner: Person",
            "@Relationship(.required) var owner: Person?",
            says: "A to-one relationship is optional: var owner: Person?."),
        .inEntity(
            "a text is a relationship", "@Relationship var nick: String", "var nick: String",
            says: "A to-one relationship is optional"),
    ]
}
