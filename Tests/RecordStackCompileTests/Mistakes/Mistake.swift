import Testing

/// Something that people write, what the compiler says of it, and what they then write instead.
struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    /// The line at fault ends in ``Program/refusedMark``.
    let wrong: Program
    let right: Program
    /// A part of what is said at that line.
    let message: String
    let severity: Diagnostic.Severity

    init(
        _ name: String, wrong: String, right: String, says message: String,
        _ severity: Diagnostic.Severity = .error
    ) {
        self.name = name
        self.wrong = Program(text: wrong, imports: ["Foundation"])
        self.right = Program(text: right, imports: ["Foundation"])
        self.message = message
        self.severity = severity
    }

    var testDescription: String { name }

    /// Lines of an entity.
    static func inEntity(
        _ name: String, _ wrong: String, _ right: String, says message: String,
        _ severity: Diagnostic.Severity = .error
    ) -> Mistake {
        func program(_ lines: String) -> String {
            """
            enum Color: String { case red, green }
            enum Kept: String, EnumAttributeValue { case red, green }
            enum Bare { case red, green }
            struct Place: Codable, Hashable, Sendable { var street = "" }
            struct Point { var x = 0.0 }
            @Entity final class Pet: ManagedObject {
                var name: String = ""
            \(lines)
            }
            """
        }
        return Mistake(
            name, wrong: program("\(wrong) \(Program.refusedMark)"), right: program(right),
            says: message, severity)
    }

    /// A line of a function that has a context, a stack and two objects.
    static func inFunction(
        _ name: String, _ wrong: String, _ right: String, says message: String,
        _ severity: Diagnostic.Severity = .error, effects: String = "throws"
    ) -> Mistake {
        func program(_ line: String) -> String {
            """
            func program(
                _ context: ManagedObjectContext, _ stack: ContextStack, _ person: Person, _ team: Team
            ) \(effects) {
                \(line)
            }
            """
        }
        return Mistake(
            name, wrong: program("\(wrong) \(Program.refusedMark)"), right: program(right),
            says: message, severity)
    }

    /// Compiles what is wrong, and checks that one message says so: at the line at fault, in words for the reader.
    func check() async throws {
        let source = wrong.source(named: "Wrong")
        let outcome = try await SwiftCompiler.shared.value.compile([source])
        let said = outcome.diagnostics.filter { $0.severity != .note }
        #expect(said.count == 1, "\(name)\n\(outcome.output)")
        guard let first = said.first else { return }
        let line = source.text.split(separator: "\n", omittingEmptySubsequences: false)[
            max(first.line - 1, 0)]
        #expect(
            first.file == source.name && line.hasSuffix(Program.refusedMark),
            "\(name)\n\(outcome.output)")
        #expect(first.severity == severity && first.message.contains(message), "\(first.message)")
        for word in Self.words { #expect(!first.message.contains(word), "\(first.message)") }
    }

    /// What is for nobody but us.
    private static let words = [
        "cannot find", "failed to produce", "RecordStackModel", "RecordStackGraph",
        "RecordStackImport", "RecordStackSQLite", "__swiftmacro", "_name",
    ]
}
