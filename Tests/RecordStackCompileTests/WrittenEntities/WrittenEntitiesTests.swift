import Foundation
import Testing

/// The files that `swift package write-entities` writes.
@Suite("Written entities") struct WrittenEntitiesTests {
    @Test func `write-entities --check finds the Container example up to date`() async throws {
        let run = try await EntityWriterRun([
            "--check", "Examples/Container/Sources/Container/Entities",
        ])
        #expect(run.succeeded, "\(run.output)")
        #expect(run.output.isEmpty)
    }

    @Test func `write-entities writes code that compiles without macros`() async throws {
        let folder = try TemporaryFolder(["Entities.swift": EntitiesOfEveryKind.text])
        let run = try await EntityWriterRun([folder.path])
        #expect(run.succeeded, "\(run.output)")
        let written = try folder.written("Entities.swift")
        for mark in ["@Entity", "@Attribute", "@Relationship"] { #expect(!written.contains(mark)) }

        var compiler = try await SwiftCompiler.shared.value
        let plugin = try #require(compiler.flags.firstIndex(of: "-load-plugin-executable"))
        compiler.flags.removeSubrange(plugin...plugin + 1)
        let outcome = try await compiler.compile(
            [.init(name: "Entities.swift", text: written)], to: .sil)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func `write-entities keeps comments and all lines that contain no macro`() async throws {
        let folder = try TemporaryFolder(["Kept.swift": Self.kept])
        #expect(try await EntityWriterRun([folder.path]).succeeded)
        let written = try folder.written("Kept.swift")
        for line in Self.kept.split(separator: "\n") where !line.contains("@") {
            #expect(written.contains(line))
        }
    }

    private static let kept = """
        import RecordStack

        // A comment of the file.
        @Entity final class Kept: ManagedObject {
            /// A comment of the property.
            @Attribute(.unique) var name: String
            static let limit = 7  // a comment of the line

            var isShort: Bool { name.count < Self.limit }
            #if DEBUG
                func describe() -> String { "Kept \\(name)" }
            #endif
        }

        extension Kept {
            func shout() -> String { name.uppercased() }
        }

        """

    @Test func `write-entities rewrites only the files whose declarations changed`() async throws {
        let folder = try TemporaryFolder(["A.swift": entity("A"), "More/B.swift": entity("B")])
        let first = try await EntityWriterRun([folder.path])
        #expect(first.output.contains("Wrote \(folder.path).written/A.swift"))
        #expect(first.output.contains("Wrote \(folder.path).written/More/B.swift"))
        #expect(try await !EntityWriterRun([folder.path]).output.contains("Wrote"))

        try folder.write(["A.swift": entity("A", property: "other")])
        let check = try await EntityWriterRun(["--check", folder.path])
        #expect(!check.succeeded)
        #expect(check.output.contains("\(folder.path).written/A.swift"))
        #expect(!check.output.contains("B.swift"))
        #expect(try !folder.written("A.swift").contains("other"))
        #expect(try await EntityWriterRun([folder.path]).succeeded)
        #expect(try folder.written("A.swift").contains("other"))
    }

    @Test func `write-entities removes the file that it wrote for a removed source`() async throws {
        let folder = try TemporaryFolder(["A.swift": entity("A"), "B.swift": entity("B")])
        #expect(try await EntityWriterRun([folder.path]).succeeded)
        try folder.remove("B.swift")
        #expect(try await !EntityWriterRun(["--check", folder.path]).succeeded)
        #expect(try await EntityWriterRun([folder.path]).output.contains("Removed"))
        #expect(throws: (any Error).self) { try folder.written("B.swift") }
    }

    @Test func `write-entities keeps a file that it did not write`() async throws {
        let folder = try TemporaryFolder(["A.swift": entity("A")])
        #expect(try await EntityWriterRun([folder.path]).succeeded)
        try folder.write(["../Sources.written/Mine.swift": "let mine = 1\n"])
        #expect(try await EntityWriterRun(["--check", folder.path]).succeeded)
        #expect(try await !EntityWriterRun([folder.path]).output.contains("Removed"))
        #expect(try folder.written("Mine.swift") == "let mine = 1\n")
    }

    @Test func `write-entities reports a wrong declaration and writes nothing`() async throws {
        let wrong =
            "import RecordStack\n\n@Entity final class C: ManagedObject {\n let name: String\n}"
        let folder = try TemporaryFolder(["A.swift": entity("A"), "C.swift": wrong])
        let run = try await EntityWriterRun([folder.path])
        #expect(!run.succeeded)
        #expect(run.output.contains("\(folder.path)/C.swift:4:2: error: "), "\(run.output)")
        #expect(throws: (any Error).self) { try folder.written("A.swift") }
    }

    @Test func `write-entities reports a folder without Swift files as an error`() async throws {
        let run = try await EntityWriterRun(["/nowhere"])
        #expect(!run.succeeded)
        #expect(run.output.contains("no Swift files in /nowhere"))
    }

    private func entity(_ name: String, property: String = "name") -> String {
        """
        import RecordStack

        @Entity final class \(name): ManagedObject {
            var \(property): String = ""
        }

        """
    }
}
