import Testing

/// The fix-its that an editor offers for mistakes.
@Suite("Fix-its") struct FixItTests {
    struct Fix: Sendable, CustomTestStringConvertible {
        let wrong: String
        /// The text of the note.
        let says: String
        /// The replacement text that the compiler prints below the mistake.
        let writes: String

        var testDescription: String { wrong }
    }

    static let fixes = [
        Fix(wrong: pet("let name: String"), says: "Write var", writes: "var"),
        Fix(
            wrong: pet("@Relationship var owners: [Person]"), says: "Write ToMany<Person>",
            writes: "ToMany<Person>"),
        Fix(
            wrong: pet("@Relationship var owner: Person"), says: "Write Person?",
            writes: "Person?"),
        Fix(wrong: pet("var name: String!"), says: "Write String?", writes: "String?"),
        Fix(
            wrong: "@Entity final class Pet {}", says: "Inherit from ManagedObject",
            writes: "Pet: ManagedObject"),
        Fix(
            wrong: "@Entity struct Pet {}", says: "Make it a class of objects",
            writes: "final class Pet: ManagedObject"),
    ]

    private static func pet(_ line: String) -> String {
        "@Entity final class Pet: ManagedObject {\n\(line)\n}"
    }

    @Test(arguments: fixes)
    func `the compiler offers the right fix-it for a wrong entity declaration`(_ fix: Fix)
        async throws
    {
        let source = Program(text: fix.wrong).source(named: "Wrong")
        let outcome = try await SwiftCompiler.shared.value.compile([source], to: .typeCheck)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let note = try #require(
            lines.firstIndex { $0.hasSuffix("note: \(fix.says)") }, "\(outcome.output)")
        let written = lines[note...].prefix(4).last?.trimmingPrefix { $0 == " " }
        #expect(written.map(String.init) == fix.writes, "\(outcome.output)")
    }
}
