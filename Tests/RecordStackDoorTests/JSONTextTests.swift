import FoundationEssentials
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// JSON text from other people, which must never reach a decoder that it could crash.
@Suite("JSON text") struct JSONTextTests {
    private static func nested(_ open: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    /// Foundation's decoder crashes at 513 brackets, or earlier if the stack is small.
    private static let depths = [
        100, 101, 200, 300, 400, 511, 512, 513, 514, 600, 10_000, 1_000_000,
    ]

    @Test(arguments: depths)
    func `deeply nested text is refused as a Codable value, without a crash`(depth: Int) {
        let texts = [
            Self.nested("[", "]", depth), String(repeating: "[", count: depth),
            Self.nested(#"{"a":"#, "}", depth), String(repeating: #"{"a":"#, count: depth),
            Self.nested(#"[{"a":"#, "}]", depth / 2),
            #"["\"]","# + Self.nested("[", "]", depth - 1) + "]",
        ]
        for text in texts {
            let isRead = onSmallStack {
                (
                    [Int](storedValue: .text(text)) != nil,
                    [String: Int](storedValue: .text(text)) != nil,
                    Shape(storedValue: .text(text)) != nil
                )
            }
            #expect(!isRead.0 && !isRead.1, "\(text.prefix(20)) × \(depth)")
            if depth > 100 { #expect(!isRead.2, "\(text.prefix(20)) × \(depth)") }
        }
    }

    @Test func `brackets in strings do not count as nesting of a Codable value`() {
        let text = "[\"" + String(repeating: "[", count: 2_000) + "\\\"" + "[[\"]"
        #expect([String](storedValue: .text(text)) != nil)
        #expect(Shape(storedValue: .text(Self.nested("[", "]", 100))) != nil)
    }

    @Test func `stored text nested more than 100 levels deep is no Codable value`() {
        var deep = Shape.list([])
        for _ in 0..<99 { deep = .list([deep]) }
        #expect(Shape(storedValue: deep.storedValue) == deep)
        #expect(Shape(storedValue: Shape.list([deep]).storedValue) == nil)
    }

    @Test(arguments: [513, 10_000])
    func `an import reports deeply nested text for a Codable attribute`(depth: Int) async throws {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self)
        let json = "[{\"text\": \"a\", \"list\": \(Self.nested("[", "]", min(depth, 500)))}]"
        let quoted = "[{\"text\": \"b\", \"list\": \"\(Self.nested("[", "]", depth))\"}]"
        for json in [json, quoted] {
            let report = try await test.stack.saveWithBlock { context in
                try Crate.importJSON(Data(json.utf8), in: context)
            }
            #expect(report.problems.count == 1)
        }
    }

    @Test(arguments: [513, 100_000])
    func `reading a row with deeply nested Codable text throws corrupt`(depth: Int) async throws {
        let test = try TestStack(for: Crate.self, Rack.self, Label.self, at: .temporaryFile)
        try await test.stack.saveWithBlock { _ = try Crate.create(in: $0) }
        try ForeignProgram(path: #require(test.path)).run(
            "UPDATE Crate SET list = '\(String(repeating: "[", count: depth))', _version = 2")
        let error = #expect(throws: RecordStackError.self) {
            try Crate.find(in: test.stack.newContext())
        }
        #expect(error?.code == .corrupt && error?.property == "list")
    }

    @Test(arguments: [
        String(repeating: "[", count: 513), String(repeating: #"{"entities":"#, count: 513),
        String(repeating: "[", count: 100_000), "{}", "", "[]", "null", "\"", #"{"entities":[]}"#,
        #"{"entities":[{},{}]}"#,
    ])
    func `opening a store with a hostile model description throws`(text: String) throws {
        let folder = try TemporaryFolder("doors")
        let path = folder.file("store")
        try ContextStack(for: Box.self, Chest.self, at: .file(path)).close()
        try ForeignProgram(path: path).run(
            "UPDATE _recordstack SET value = '\(text)' WHERE name = 'model'")
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack(for: Box.self, Chest.self, at: .file(path))
        }
        #expect(error?.code == .corrupt || error?.code == .modelMismatch)
    }

    @Test(arguments: ["entities", "columns", "name"])
    func `opening a store whose stored model repeats a name throws corrupt`(what: String) throws {
        let folder = try TemporaryFolder("doors")
        let path = folder.file("store")
        try ContextStack(for: Box.self, Chest.self, at: .file(path)).close()
        let program = try ForeignProgram(path: path)
        let text = try program.rows("SELECT value FROM _recordstack WHERE name = 'model'")[0][0]
        // Repeats the first element of a list, or gives an entity the name of another entity.
        let doubled =
            switch what {
            case "entities":
                text.replacing("{\"entities\":[", with: "{\"entities\":[" + Self.entity(text) + ",")
            case "columns":
                text.replacing("\"columns\":[", with: "\"columns\":[" + Self.column(text) + ",")
            default: text.replacing("\"name\":\"Chest\"", with: "\"name\":\"Box\"")
            }
        #expect(doubled != text)
        try program.run("UPDATE _recordstack SET value = '\(doubled)' WHERE name = 'model'")
        let error = #expect(throws: RecordStackError.self) {
            try ContextStack(for: Box.self, Chest.self, at: .file(path))
        }
        #expect(error?.code == .corrupt, "\(String(describing: error))")
    }

    /// Returns the first object of a list in a description.
    private static func entity(_ text: String) -> String {
        object(in: text.dropFirst("{\"entities\":[".count))
    }

    private static func column(_ text: String) -> String {
        // Skips empty lists.
        let start = text.ranges(of: "\"columns\":[{").first?.upperBound ?? text.endIndex
        return object(in: text[text.index(before: start)...])
    }

    private static func object(in text: Substring) -> String {
        var depth = 0
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            if depth == 0 { return String(text[...index]) }
        }
        return ""
    }

    @Test func `reading garbage text as a Codable value never crashes`() {
        var random = Seeded.fromEnvironment()
        print("seed \(random.seed)")
        let pieces = [
            "[", "]", "{", "}", ",", ":", "\"", "\\", "\"a\"", "1", "-", "1e999999999", "0.1",
            "1e400",
            "-0", "true", "null", "\\u", "\\ud800", "\"\\ud83d\\ude00\"", " ", "\n", "\u{0}", "é",
            "123456789012345678901234567890", "\"1\":", "NaN", "\"Infinity\"", "\u{FEFF}", "/*",
        ]
        var read = 0
        for _ in 0..<Seeded.rounds(20_000, full: 1_000_000) {
            var text = ""
            for _ in 0..<random.below(30) { text += pieces[random.below(pieces.count)] }
            if random.chance(50) { text = "[\(text)]" }
            let stored = StoredValue.text(text)
            let values: [(any AttributeValue)?] = [
                [Int](storedValue: stored), [String: Double](storedValue: stored),
                [[Date]](storedValue: stored), Shape(storedValue: stored),
                [Decimal](storedValue: stored),
            ]
            read += values.count { $0 != nil }
        }
        #expect(read > 0, "seed \(random.seed)")
    }
}
