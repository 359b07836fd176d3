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
        #expect(outcome.succeeded == (severity != .error), "\(name)\n\(outcome.output)")
        #expect(
            isInExpansion || outcome.errors.allSatisfy { isAtFault($0, in: source) },
            "\(name)\n\(outcome.output)")
        #expect(
            outcome.diagnostics.contains { isExpected($0, in: source) },
            "\(name)\n\(outcome.output)")
    }

    private func isExpected(_ diagnostic: Diagnostic, in source: SwiftCompiler.Source) -> Bool {
        diagnostic.severity == severity && (isInExpansion || isAtFault(diagnostic, in: source))
            && diagnostic.message.contains(message)
    }

    private func isAtFault(_ diagnostic: Diagnostic, in source: SwiftCompiler.Source) -> Bool {
        let lines = source.text.split(separator: "\n", omittingEmptySubsequences: false)
        return diagnostic.file == source.name && lines.indices.contains(diagnostic.line - 1)
            && lines[diagnostic.line - 1].hasSuffix(Program.refusedMark)
    }
}

// A compiler takes longer to start than to refuse a program.
extension Refusal {
    /// Checks each, as ``check(as:)`` does: as files of one module, each with an error of its own.
    ///
    /// An error hides those of later passes in other files, so that those without one are asked again by
    /// themselves.
    static func check(_ refusals: [Refusal], as dialect: Dialect = .plain) async throws {
        var open = refusals.filter { $0.severity == .error && !$0.isInExpansion }
        let others = refusals.filter { $0.severity != .error || $0.isInExpansion }
        while open.count > 1 {
            let left = try await unrefused(of: open, as: dialect)
            if left.count == open.count { break }
            open = left
        }
        for refusal in open + others { try await refusal.check(as: dialect) }
    }

    private static func unrefused(
        of refusals: [Refusal], as dialect: Dialect
    ) async throws -> [Refusal] {
        let sources = refusals.enumerated().map { $1.refused.source(named: "Refused\($0)") }
        let outcome = try await SwiftCompiler.shared.value.compile(sources, as: dialect)
        return zip(refusals, sources).filter { refusal, source in
            let errors = outcome.errors.filter { $0.file == source.name }
            return !errors.allSatisfy { refusal.isAtFault($0, in: source) }
                || !errors.contains { refusal.isExpected($0, in: source) }
        }.map(\.0)
    }
}
