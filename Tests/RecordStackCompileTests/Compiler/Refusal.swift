import Testing

/// A program that does not compile, for one reason, beside the same without that reason.
struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    /// Its lines at fault end in ``Program/refusedMark``.
    let refused: Program
    /// The same program without the fault.
    let accepted: Program
    /// A part of what the compiler says at such a line.
    let message: String
    /// A warning is all that Swift has for some faults.
    let severity: Diagnostic.Severity
    /// Whether the compiler speaks of what a macro has written, and so of more than the fault.
    let isInExpansion: Bool

    init(
        _ name: String, importing imports: [String] = [], refused: String, accepted: String,
        message: String, severity: Diagnostic.Severity = .error, isInExpansion: Bool = false
    ) {
        self.name = name
        self.refused = Program(text: refused, imports: imports)
        self.accepted = Program(text: accepted, imports: imports)
        self.message = message
        self.severity = severity
        self.isInExpansion = isInExpansion
    }

    var testDescription: String { name }

    /// Compiles the program, and checks that it is refused at the lines at fault, there only, and
    /// with the message: a program that is refused for another reason proves nothing.
    func check(as dialect: Dialect = .plain) async throws {
        let source = refused.source(named: "Refused")
        let outcome = try await SwiftCompiler.shared.value.compile([source], as: dialect)
        let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
        func isAtFault(_ diagnostic: Diagnostic) -> Bool {
            diagnostic.file == source.name && lines.indices.contains(diagnostic.line - 1)
                && lines[diagnostic.line - 1].hasSuffix(Program.refusedMark)
        }
        #expect(outcome.succeeded == (severity != .error), "\(outcome.output)")
        #expect(isInExpansion || outcome.errors.allSatisfy(isAtFault), "\(outcome.output)")
        #expect(
            outcome.diagnostics.contains {
                $0.severity == severity && (isInExpansion || isAtFault($0))
                    && $0.message.contains(message)
            },
            "\(outcome.output)")
    }
}
