import Foundation
import Testing

/// The code samples of the documentation, compiled as they are printed.
@Suite("Samples of the documentation") struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the Swift samples of a file of the package.
    static func samples(_ path: String) throws -> [String] {
        try text(path).components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    /// Returns the README and every page of the catalogue.
    static func pages() throws -> [String] {
        let folder = "Sources/RecordStack/RecordStack.docc"
        let names = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path)
        return ["README.md"]
            + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }

    private var root: URL { Self.root }

    private func text(_ path: String) throws -> String { try Self.text(path) }

    private func samples(_ path: String) throws -> [String] { try Self.samples(path) }

    /// Compiles declarations, and statements as the body of a function on the main actor.
    private func expectToCompile(
        _ declarations: String, _ statements: String, parameters: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let compiler = try await SwiftCompiler.shared.value
        let program = """
            import Foundation
            \(declarations)
            @MainActor func program(\(parameters)) async throws {
            \(statements)
            }
            """
        let outcome = try await compiler.compile(
            [SwiftCompiler.Source(name: "Sample.swift", text: program)])
        #expect(outcome.succeeded, "\(outcome.output)", sourceLocation: sourceLocation)
    }

    @Test func `the first code sample of the README compiles`() async throws {
        let sample = try #require(try samples("README.md").first)
        let parts = sample.components(separatedBy: "let stack = ")
        try #require(parts.count == 2)
        try await expectToCompile(parts[0], "let stack = " + parts[1], parameters: "data: Data")
    }

    /// The entities of the landing page.
    private func landingEntities() throws -> String {
        let sample = try #require(
            try samples("Sources/RecordStack/RecordStack.docc/RecordStack.md").first)
        return sample.components(separatedBy: "@main")[0]
    }

    @Test(arguments: [
        "Finding", "EditingAndSaving", "TheModel", "Choosing", "ComingFromCoreData",
        "ComingFromSwiftData", "ComingFromGRDB",
    ])
    func `documentation samples compile with the entities of the landing page`(
        page: String
    ) async throws {
        let parts = try parts(of: page)
        try await expectToCompile(
            try landingEntities() + parts.declarations, parts.statements,
            parameters: "stack: ContextStack, context: ManagedObjectContext")
    }

    @Test(arguments: [
        "MappingKeys", "HandlingNulls", "NestedData", "SyncingWithDeletes", "BigFiles",
    ])
    func `the documentation's code samples on importing compile`(page: String) async throws {
        let samples = try samples("Sources/RecordStack/RecordStack.docc/\(page).md")
        let parameters = """
            data: Data, url: URL, handle: FileHandle, stack: ContextStack, \
            context: ManagedObjectContext
            """
        // Each sample after the declarations is a separate program.
        try #require(samples.count > 1)
        let statements = samples.dropFirst().map { "do {\n\($0)\n}" }.joined(separator: "\n")
        try await expectToCompile(samples[0], statements, parameters: parameters)
    }

    @Test func `the code samples of the documentation page Relationships compile`() async throws {
        let samples = try samples("Sources/RecordStack/RecordStack.docc/Relationships.md")
        try #require(samples.count == 5)
        let parameters = """
            book: Book, second: Book, other: Book, author: Author, stranger: Author, \
            chapter: Chapter, context: ManagedObjectContext
            """
        try await expectToCompile(samples[0], samples[1] + samples[4], parameters: parameters)
        try await expectToCompile(
            samples[0], samples[2] + samples[3], parameters: "context: ManagedObjectContext")
    }

    @Test func `the code samples of the documentation page TheStore compile`() async throws {
        let declarations = """
            import RecordStack
            @Entity final class Person: ManagedObject {
                @Attribute(.unique) var email: String
                @Attribute var name: String = ""
            }
            @Entity final class Book: ManagedObject {
                @Attribute var title: String
            }
            @Entity final class Draft: ManagedObject {
                @Attribute var bookTitle: String?
            }
            func log(_ text: String) {}
            func show(_ text: String) {}
            """
        let samples = try samples("Sources/RecordStack/RecordStack.docc/TheStore.md")
        try #require(samples.count > 5)
        for sample in samples {
            let stack = sample.contains("let stack") ? "" : "stack: ContextStack, "
            try await expectToCompile(
                declarations, sample, parameters: stack + "context: ManagedObjectContext")
        }
    }

    @Test func `the code samples of the documentation page Validation compile`() async throws {
        let samples = try samples("Sources/RecordStack/RecordStack.docc/Validation.md")
        try #require(samples.count == 4)
        let entity = samples[0].replacing("\n}\n", with: "\n\(samples[1])}\n")
        try await expectToCompile(
            "import RecordStack\nfunc show(_ text: String, beside field: String?) {}\n" + entity,
            samples[2...].joined(),
            parameters: "booking: Booking, context: ManagedObjectContext")
    }

    @Test func `the code samples of the documentation page RowsIntoObjects compile`() async throws {
        let declarations = """
            import RecordStack
            @Entity final class Person: ManagedObject {
                @Attribute(.unique) var email: String
                @Attribute var name: String = ""
                @Attribute var note: String?
            }
            @Entity(.unique(\\.course, \\.number)) final class Lesson: ManagedObject {
                @Attribute var course: String?
                @Attribute var number: Int = 0
                @Attribute var title: String = ""
            }
            struct Row { var mail = "", name = "", course = "", number = 0, title = "" }
            """
        let samples = try samples("Sources/RecordStack/RecordStack.docc/RowsIntoObjects.md")
        try #require(samples.count == 5)
        for sample in samples {
            try await expectToCompile(
                declarations, "let rows = [Row()], lessons = rows\n" + sample,
                parameters: "stack: ContextStack, context: ManagedObjectContext")
        }
    }

    @Test(arguments: ["Filters", "FormatStrings"])
    func `the code samples of the pages Filters and FormatStrings compile`(page: String)
        async throws
    {
        let declarations = """
            import Foundation
            import RecordStack
            @Entity final class Person: ManagedObject {
                @Attribute(.unique) var email: String
                @Attribute var name: String
                @Attribute var notes: String?
                @Attribute var city: String?
                @Attribute var age: Int?
                @Attribute var salary: Int
                @Attribute var isActive: Bool
                @Attribute var isCaptain: Bool
                @Relationship(inverse: \\Team.members) var team: Team?
            }
            @Entity final class Team: ManagedObject {
                @Attribute var title: String
                @Relationship var members: ToMany<Person>
            }
            @Entity final class Item: ManagedObject {
                @Attribute var price: Double
                @Attribute var amount: Double
            }
            """
        let samples = try samples("Sources/RecordStack/RecordStack.docc/\(page).md")
        #expect(samples.count == (page == "Filters" ? 19 : 2))
        try await expectToCompile(
            declarations, samples.map { "do {\n\($0)}\n" }.joined(),
            parameters: """
                context: ManagedObjectContext, stack: ContextStack, team: Team, name: String?, \
                words: [String]
                """)
    }

    @Test func `the code samples of the pages Architectures and NestedBlocks compile`() async throws
    {
        let folder = "Sources/RecordStack/RecordStack.docc/"
        let samples = try samples(folder + "Architectures.md")
        try #require(samples.count == 2)
        let imports = "import RecordStack\nimport \(Program.entitiesModule)\n"
        try await expectToCompile(imports + samples[1], samples[0])
        let nested = try #require(try self.samples(folder + "NestedBlocks.md").first)
        try await expectToCompile(imports, nested)
    }

    /// Returns the paragraphs of a sample. An empty line inside braces does not separate
    /// paragraphs.
    private static func paragraphs(of sample: String) -> [String] {
        var paragraphs: [String] = []
        var open = ""
        for part in sample.components(separatedBy: "\n\n") {
            open += open.isEmpty ? part : "\n\n" + part
            if open.count(where: { $0 == "{" }) > open.count(where: { $0 == "}" }) { continue }
            paragraphs.append(open)
            open = ""
        }
        return paragraphs
    }

    /// Returns the samples of a page as declarations and statements. The statements of each sample
    /// are one scope.
    private func parts(of page: String) throws -> (declarations: String, statements: String) {
        var (declarations, statements) = ("", "")
        let marks = ["@Entity", "extension ", "actor ", "struct ", "final class "]
        for (number, sample) in try samples("Sources/RecordStack/RecordStack.docc/\(page).md")
            .enumerated()
        where !sample.contains("// refused") && !sample.contains(" … ") {
            var body = ""
            for part in Self.paragraphs(of: sample) {
                if part.hasPrefix("@Attribute") {
                    declarations +=
                        "@Entity final class Sample\(number): ManagedObject {\n\(part)\n}\n"
                } else if marks.contains(where: part.hasPrefix) {
                    declarations += part + "\n"
                } else {
                    body += part + "\n"
                }
            }
            statements += "do {\n\(body)}\n"
        }
        return (declarations, statements)
    }

    @Test func `the code samples of the documentation page ContextTree compile`() async throws {
        let parts = try parts(of: "ContextTree")
        let order = """
            import RecordStack
            import \(Program.entitiesModule)
            @Entity final class Order: ManagedObject {
                @Attribute(.unique) var number: Int
            }
            """
        try await expectToCompile(
            order + "\n" + parts.declarations, parts.statements,
            parameters: """
                stack: ContextStack, context: ManagedObjectContext, form: ManagedObjectContext, data: Data, order: Order
                """)
    }

    @Test func `the code samples of the documentation page Watching compile`() async throws {
        let parts = try parts(of: "Watching")
        let declarations = """
            import RecordStack
            import \(Program.entitiesModule)
            struct Logger: Sendable { func warning(_ text: String) {} }
            let logger = Logger()
            func show(_ people: [Person]) {}
            """
        try await expectToCompile(
            declarations + "\n" + parts.declarations,
            "var options = StoreOptions()\n" + parts.statements,
            parameters:
                "stack: ContextStack, context: ManagedObjectContext, form: ManagedObjectContext")
    }

    @Test func `the code samples of the documentation page ManyAtOnce compile`() async throws {
        let parts = try parts(of: "ManyAtOnce")
        let declarations = """
            import RecordStack
            @Entity final class Person: ManagedObject {
                @Attribute var name: String
                @Attribute var visits: Int = 0
                @Attribute var age: Int?
                @Relationship(inverse: \\Team.members) var team: Team?
            }
            @Entity final class Team: ManagedObject {
                @Relationship var members: ToMany<Person>
            }
            """
        try await expectToCompile(
            declarations + "\n" + parts.declarations, parts.statements,
            parameters: "stack: ContextStack, best: Team")
    }

    @Test func `the code samples of the documentation page Inheritance compile`() async throws {
        let parts = try parts(of: "Inheritance")
        try await expectToCompile(
            "import RecordStack\n" + parts.declarations, parts.statements,
            parameters: "context: ManagedObjectContext")
    }

    @Test func `the code samples of the documentation page Importing compile`() async throws {
        let parts = try parts(of: "Importing")
        let declarations = """
            import RecordStack
            @Entity final class Customer: ManagedObject {
                @Attribute(.unique) var email: String
                @Relationship var orders: ToMany<Order>
            }
            @Entity final class OrderLine: ManagedObject {
                @Relationship var order: Order?
            }
            @Entity final class Member: ManagedObject {
                @Attribute var first: String = ""
                @Attribute var last: String = ""
                @Attribute var name: String = ""
                @Attribute var source: String?
                @Attribute var isActive: Bool = true
            }
            """
        try await expectToCompile(
            declarations + "\n"
                // The page declares only the properties that it explains.
                + parts.declarations.replacing(
                    "var badge: Int?\n",
                    with: "var badge: Int?\n    @Attribute var isActive: Bool = true\n"),
            parts.statements,
            parameters: """
                stack: ContextStack, context: ManagedObjectContext, data: Data, url: URL, person: Person
                """)
    }

    @Test func `the code sample of the documentation page LifeCycle compiles`() async throws {
        let samples = try samples("Sources/RecordStack/RecordStack.docc/LifeCycle.md")
        try #require(samples.count == 1)
        try await expectToCompile("import RecordStack\n" + samples[0], "")
    }

    @Test func `the code samples of the documentation page Attributes compile`() async throws {
        let samples = try samples("Sources/RecordStack/RecordStack.docc/Attributes.md")
        try #require(samples.count == 2)
        // A function that blocks must not be async.
        try await expectToCompile(
            samples[0] + "@MainActor func restore(_ context: ManagedObjectContext) throws {\n"
                + samples[1] + "}", "")
    }

    @Test func `the entities on the documentation page EntitiesByHand compile`() async throws {
        let samples = try samples("Sources/RecordStack/RecordStack.docc/EntitiesByHand.md")
        let classes = samples.filter { $0.contains("final class") && !$0.contains("@Entity") }
        #expect(classes.count == 2)
        let use = try #require(samples.last)
        // A function that blocks must not be async.
        try await expectToCompile(
            classes.joined(separator: "\n") + "func use() throws {\n\(use)\n}", "try use()")
    }

    @Test func `the ByHand example has the same entities as the page EntitiesByHand`() throws {
        let samples = try samples("Sources/RecordStack/RecordStack.docc/EntitiesByHand.md")
        for name in ["Person", "Team"] {
            let sample = try #require(
                samples.first {
                    $0.contains("final class \(name): ManagedObject {") && !$0.contains("@Entity")
                })
            #expect(try text("Examples/ByHand/Sources/ByHand/\(name).swift").hasSuffix(sample))
        }
    }

    @Test func `the manifest on the documentation page BuildingWithoutMacros compiles`()
        async throws
    {
        let samples = try samples("Sources/RecordStack/RecordStack.docc/BuildingWithoutMacros.md")
        try #require(samples.count == 1)
        let manifest = "// swift-tools-version: 6.2\nimport PackageDescription\n" + samples[0]
        var compiler = try await SwiftCompiler.shared.value
        let modules =
            URL(fileURLWithPath: compiler.executable).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().path + "/lib/swift/pm"
        compiler.flags = [
            "-swift-version", "6", "-package-description-version", "6.2.0",
            "-I", modules + "/ManifestAPI",
        ]
        let outcome = try await compiler.compile(
            [.init(name: "Package.swift", text: manifest)], to: .typeCheck)
        #expect(outcome.succeeded, "\(outcome.output)")
    }

    @Test func `every public type is listed in the topics of the documentation`() throws {
        let pages = try Self.pages().map { try text($0) }.joined()
        let pattern = /^(?:public|open) (?:final )?(?:class|struct|enum|protocol|typealias) (\w+)/
            .anchorsMatchLineEndings()
        let sources = root.appendingPathComponent("Sources")
        var count = 0
        for module in ["RecordStack", "RecordStackModel", "RecordStackGraph", "RecordStackImport"] {
            let folder = sources.appendingPathComponent(module)
            let files = FileManager.default.enumerator(atPath: folder.path)
            while let file = files?.nextObject() as? String {
                guard file.hasSuffix(".swift") else { continue }
                for match in try text("Sources/\(module)/\(file)").matches(of: pattern) {
                    #expect(pages.contains("- ``\(match.1)``\n"), "\(match.1)")
                    count += 1
                }
            }
        }
        #expect(count > 40)
    }
}
