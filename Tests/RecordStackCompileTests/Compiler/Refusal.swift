import Testing

/// A program that does not compile for one reason, and the same program without that reason.
struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    /// The refused program. Its faulty lines end in ``Program/refusedMark``.
    let refused: Program
    /// The same program without the fault.
    let accepted: Program
    /// A part of the compiler's message at such a line.
    let message: String
    /// The severity of the message: Swift only warns about some faults.
    let severity: Diagnostic.Severity
    /// True if the diagnostics are about the code of a macro, so that they cover more than the
    /// fault.
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

    /// Compiles the program, and checks that the compiler refuses only the faulty lines, with the
    /// message. A program that is refused for another reason proves nothing.
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
    /// Checks the refusals as ``check(as:)`` does, but compiles them as files of one module.
    ///
    /// An error in one file hides the errors of later passes in the other files. The refusals
    /// without an error are compiled again, and in the end one at a time.
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
