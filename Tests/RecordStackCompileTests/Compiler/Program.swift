/// A short program on the fixture's entities, as the user of the library writes it.
///
/// Programs are members of an enum, so that all that compile can be compiled as one module. A line
/// that the compiler is to refuse ends in ``refusedMark``.
struct Program: Sendable {
    static let refusedMark = "// refused"

    let text: String
    var imports: [String] = []

    func source(named name: String) -> SwiftCompiler.Source {
        let lines = (["RecordStack"] + imports).map { "import \($0)" }
        let body = "enum \(name) {\n\(text)\n}\n"
        return SwiftCompiler.Source(
            name: "\(name).swift", text: lines.joined(separator: "\n") + "\n\n" + body)
    }

    /// The entities that the programs use.
    static let fixture = SwiftCompiler.Source(
        name: "Entities.swift",
        text: #"""
            import RecordStack

            @Entity final class Person: ManagedObject {
                @Attribute(.unique) var email: String
                @Attribute var name: String = ""
                @Attribute var age: Int?
                @Attribute var height: Double = 0
                @Attribute var isActive: Bool = true
                @Relationship(inverse: \Team.members) var team: Team?
            }

            @Entity final class Team: ManagedObject {
                @Attribute(.unique) var title: String
                @Attribute var rank: Int = 0
                @Relationship var members: ToMany<Person>
            }

            """#)
}
