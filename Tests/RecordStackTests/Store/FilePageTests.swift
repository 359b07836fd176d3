import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// The entities of the first page's program.
private enum FirstPage {
    @Entity final class Person: ManagedObject {
        @Attribute(.unique) var email: String
        @Attribute(.imported(from: "full_name", "name")) var name: String = ""
        @Attribute(.imported(from: "profile.age")) var age: Int?
        @Relationship(inverse: \Team.members) var team: Team?
    }

    @Entity final class Team: ManagedObject {
        @Attribute(.unique) var title: String
        var members: ToMany<Person>
    }
}

@Suite("The page on the way of data") struct FilePageTests {
    /// Returns the text between a mark and the next, without whitespace.
    private static func packed(_ text: String, from start: String, to end: String) throws -> String
    {
        try part(of: text, from: start, to: end).filter { !$0.isWhitespace }
    }

    private static func part(
        of text: String, from start: String, to end: String
    ) throws -> String {
        let parts = text.components(separatedBy: start)
        return try #require(parts.dropFirst().first?.components(separatedBy: end).first)
    }

    @Test func `the program on the documentation's first page creates the shown table`() throws {
        let test = try TestStack(for: FirstPage.Person.self, at: .temporaryFile)
        let other = try ForeignProgram(path: #require(test.path))
        let made = try other.rows(
            "SELECT sql FROM sqlite_schema WHERE tbl_name = 'Person' AND sql NOTNULL ORDER BY type DESC, name"
        )
        let shown = try Self.packed(try documentationPage("WayOfData"), from: "```sql\n", to: "```")
        #expect(made.joined().joined().filter { !$0.isWhitespace } == shown)
    }

    @Test func `the documentation's first page shows the entities of this test`() throws {
        let mark = (from: "@Entity final class Person", to: "@main")
        let here = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let mine = try Self.packed(here, from: mark.from, to: "@Suite")
        let shown = try Self.packed(documentationPage("RecordStack"), from: mark.from, to: mark.to)
        #expect(mine == shown + "}")
    }

    @Test func `the page TheModel shows the diagram of the first page's entities`() throws {
        let test = try TestStack(for: FirstPage.Person.self)
        let page = try documentationPage("TheModel")
        let shown = try Self.part(of: page, from: "```mermaid\n", to: "```")
        #expect(test.stack.model.diagram(.mermaid) + "\n" == shown)
    }
}

/// Returns the text of a page of the documentation.
func documentationPage(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let path = "../../../Sources/RecordStack/RecordStack.docc/\(name).md"
    return try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
}
