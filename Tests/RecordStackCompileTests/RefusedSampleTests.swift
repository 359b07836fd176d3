import Foundation
import Testing

/// Samples of the documentation that the compiler refuses, for the reason in their comment.
@Suite("Refused samples") struct RefusedSampleTests {
    /// The compiler's message for each reason that a page gives.
    private static let messages = [
        "the object would leave its block": "risks causing data races",
        "main-actor object elsewhere":
            "risks causing data races between main actor-isolated code and concurrent execution",
        "objects are not Sendable": "conformance of 'ManagedObject' to 'Sendable' is unavailable",
    ]

    private static let declarations = """
        import Foundation
        import RecordStack
        import \(Program.entitiesModule)

        """

    /// A part of a sample with one refused line.
    private struct Part: CustomTestStringConvertible, Sendable {
        let page: String
        let text: String
        let line: String
        let reason: String

        var testDescription: String { "\(page): \(reason)" }
    }

    private static func parts() throws -> [Part] {
        try DocumentationTests.pages().flatMap { page in
            try DocumentationTests.samples(page).flatMap { sample in
                sample.components(separatedBy: "\n\n").flatMap { text in
                    text.split(separator: "\n").compactMap { line in
                        line.firstRange(of: "// refused: ").map { mark in
                            Part(
                                page: page, text: text, line: String(line),
                                reason: String(line[mark.upperBound...]))
                        }
                    }
                }
            }
        }
    }

    @Test func `documentation code marked as refused gives its stated compiler error`() async throws
    {
        let parts = try Self.parts()
        #expect(parts.count >= 3)
        for part in parts {
            let text =
                Self.declarations + "@MainActor func program(stack: ContextStack) async throws {\n"
                + part.text + "\n}\n"
            let outcome = try await SwiftCompiler.shared.value.compile(
                [SwiftCompiler.Source(name: "Sample.swift", text: text)])
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(!outcome.succeeded, "\(part.testDescription) compiles")
            let message = try #require(Self.messages[part.reason], "\(part.testDescription)")
            for error in outcome.errors {
                #expect(
                    lines[error.line - 1] == part.line, "\(part.testDescription): \(error.message)")
            }
            #expect(
                outcome.errors.contains { $0.message.contains(message) }, "\(outcome.output)")
        }
    }
}
