import Foundation
import TestSupport
import Testing

/// A list of 3,201 films, which is not part of this package.
private let list = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/data/movies.json").path

/// The example program that answers questions about films.
@Suite("The Movies example") struct MoviesExampleTests {
    private func lines(_ arguments: String..., status: Int32 = 0) throws -> [String] {
        let program = try ChildProgram("Movies", arguments, isAnnotated: false)
        let lines = program.remainingLines()
        #expect(program.wait().status == status)
        return lines
    }

    @Test func `the Movies example answers 16 questions about its own films`() throws {
        let lines = try lines()
        #expect(lines.first == "59 films, 1 left out")
        #expect(lines.count { $0.contains("null. The row was left out.") } == 1)
        #expect(lines.last == "Questions answered: 16")
        #expect(!lines.contains("   (none)"), "each question has an answer")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: list)))
    func `the Movies example answers its questions about another list of films`() throws {
        let lines = try lines(list)
        #expect(lines.first == "3200 films, 1 left out")
        #expect(lines.last == "Questions answered: 16")
        #expect(!lines.contains("   (none)"), "each question has an answer")
    }

    @Test func `the Movies example accepts a format string with arguments`() throws {
        let found = try lines(
            "--where", "director.name CONTAINS[cd] %@ AND budget < 5e6", "--with", "IDA")
        #expect(found.contains { $0.hasPrefix("   Nobody Asked the Moon") })
        #expect(found.contains("   2 of 2"))
        let quoted = try lines("--where", "title == %@", "--with", "' OR 1 == 1 --")
        #expect(quoted.contains("   0 of 0"))
    }

    @Test func `the Movies example stops at invalid arguments before it prints`() throws {
        #expect(try lines("--where", "ratin >= 8", status: 64).isEmpty)
        #expect(try lines("--where", "title == %@", status: 64).isEmpty)
        #expect(try lines("--with", "x", status: 64).isEmpty)
        #expect(try lines("nowhere.json", status: 64).isEmpty)
    }
}
