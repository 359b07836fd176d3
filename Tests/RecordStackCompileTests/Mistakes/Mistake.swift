import Testing

/// A mistake, the compiler's message, and the correct code.
struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    /// The wrong program. Its faulty line ends in ``Program/refusedMark``.
    let wrong: Program
    let right: Program
    /// A part of the message at that line.
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

    /// Returns a mistake in the body of an entity.
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

    /// Returns a mistake in a function with parameters for a context, a stack and two objects.
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

    /// Compiles the wrong program, and checks that the compiler gives one message, at the faulty
    /// line, without internal names.
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

    /// Words that mean nothing to users of the library.
    private static let words = [
        "cannot find", "failed to produce", "RecordStackModel", "RecordStackGraph",
        "RecordStackImport", "RecordStackSQLite", "__swiftmacro", "_name",
    ]
}
