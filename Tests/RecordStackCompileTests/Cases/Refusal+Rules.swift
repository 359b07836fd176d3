extension Refusal {
    private static func rule(
        _ name: String, _ refused: String, _ accepted: String, message: String,
        severity: Diagnostic.Severity = .error
    ) -> Refusal {
        func program(_ line: String) -> String {
            """
            @Entity final class Pet: ManagedObject {
            \(line)
            }
            """
        }
        return Refusal(
            name, importing: ["Foundation"], refused: program(refused + " // refused"),
            accepted: program(accepted), message: message, severity: severity)
    }

    /// Rules and hooks whose mistake is visible in the source.
    static let rules = [
        rule(
            "a range of a text is of numbers", "@Attribute(.range(1...9)) var name: String",
            "@Attribute(.range(\"a\"...\"z\")) var name: String",
            message: "Write .length(…) for the number of its characters"),
        rule(
            "a range of a number is of text", "@Attribute(.range(\"a\"...)) var age: Int?",
            "@Attribute(.range(0...)) var age: Int?", message: "Write bounds of type Int."),
        rule(
            "a range of a date is of numbers", "@Attribute(.range(...0)) var birth: Date?",
            "@Attribute(.range(...Date.distantFuture)) var birth: Date?",
            message: "Write bounds of type Date."),
        rule(
            "a range is of what has no order", "@Attribute(.range(0...1)) var tame: Bool = true",
            "@Attribute(.range(0...1)) var tame: Int = 1", message: "Bool, which has no order"),
        rule(
            "a range is the wrong way round", "@Attribute(.range(9 ... -1)) var age: Int = 1",
            "@Attribute(.range(-1...9)) var age: Int = 1",
            message: "The bounds of age are the wrong way round. Write the lower one first."),
        rule(
            "a length is of a number", "@Attribute(.length(1...)) var age: Int = 1",
            "@Attribute(.length(1...)) var age: String = \"1\"",
            message: ".length is of text and data"),
        rule(
            "a length is of an array", "@Attribute(.length(1...)) var names: [String] = []",
            "@Attribute(.validated(\"must be some\") { (names: [String]) in !names.isEmpty }) "
                + "var names: [String] = []",
            message: "Write a rule of your own: .validated(\"…\") { (value: [String]) in … }."),
        rule(
            "a pattern is no regular expression",
            "@Attribute(.pattern(#\"[0-9\"#)) var code: String?",
            "@Attribute(.pattern(#\"\\d+\"#)) var code: String?",
            message: "The pattern of code is no regular expression: expected ']'."),
        rule(
            "a pattern is of a number", "@Attribute(.pattern(\"[0-9]+\")) var age: Int = 1",
            "@Attribute(.pattern(\"[0-9]+\")) var age: String = \"1\"",
            message: ".pattern is of text"),
        rule(
            "a choice is of another type", "@Attribute(.oneOf(\"a\", \"b\")) var age: Int = 1",
            "@Attribute(.oneOf(1, 2)) var age: Double = 1",
            message: "age is of type Int, and \"a\" is none. Write values of type Int."),
        rule(
            "a rule looks at another type",
            "@Attribute(.validated(\"must be even\") { (age: String) in age == \"\" }) var age: Int = 2",
            "@Attribute(.validated(\"must be even\") { (age: Int) in age.isMultiple(of: 2) }) "
                + "var age: Int = 2",
            message: "Write { (value: Int) in … }."),
        rule(
            "a name is a hook's", "@Attribute var willSave: Bool = true",
            "@Attribute var wasSaved: Bool = true",
            message: "willSave is a name of ManagedObject's own. Rename the property"),
        rule(
            "a hook is not overridden", "func willSave() {}", "override func willSave() {}",
            message: "overriding declaration requires an 'override' keyword"),
        rule(
            "a hook throws that cannot", "override func didSave() throws {}",
            "override func validateForInsert() throws {}",
            message: "cannot override non-throwing instance method with throwing instance method"),
        rule(
            "the hooks are listed beside the macro",
            "override class var lifeCycleHooks: LifeCycleHooks { [.willSave] }",
            "override func willSave() {}",
            message: "@Entity makes lifeCycleHooks of the hooks that stand in the class.",
            severity: .warning),
        Refusal(
            "a hook stands in an extension",
            refused: """
                @Entity final class Pet: ManagedObject {}
                extension Pet {
                    override func willSave() {} // refused
                }
                """,
            accepted: """
                @Entity final class Pet: ManagedObject {
                    override func willSave() {}
                }
                """,
            message: "cannot be overridden from extension", isInExpansion: true),
    ]
}
