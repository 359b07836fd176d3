/// A short program, as a user of the library would write it.
///
/// Programs are members of an enum, so that all accepted programs can be compiled as one module. A
/// line that the compiler must refuse ends in ``refusedMark``.
struct Program: Sendable {
    static let refusedMark = "// refused"

    let text: String
    var imports: [String] = []

    func source(named name: String) -> SwiftCompiler.Source {
        let lines = (["RecordStack", Self.entitiesModule] + imports).map { "import \($0)" }
        let body = "enum \(name) {\n\(text)\n}\n"
        return SwiftCompiler.Source(
            name: "\(name).swift", text: lines.joined(separator: "\n") + "\n\n" + body)
    }

    static let entitiesModule = "Entities"

    /// The entities that the programs use.
    static let entities = SwiftCompiler.Source(
        name: "Entities.swift",
        text: #"""
            import RecordStack

            @Entity public final class Person: ManagedObject {
                @Attribute(.unique) public var email: String
                @Attribute public var name: String = ""
                @Attribute public var age: Int?
                @Attribute public var height: Double = 0
                @Attribute public var isActive: Bool = true
                @Relationship(inverse: \Team.members) public var team: Team?
            }

            @Entity public final class Team: ManagedObject {
                @Attribute(.unique) public var title: String
                @Attribute public var rank: Int = 0
                @Relationship public var members: ToMany<Person>
            }

            """#)
}
