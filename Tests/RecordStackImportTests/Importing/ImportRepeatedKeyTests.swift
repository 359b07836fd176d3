import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Parish: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.imported(from: "full", "short")) var title: String?
    @Attribute(.imported(from: "end", "until"), .importing(fallback: .whenAbsent)) var end: Int?
    @Attribute(.imported(from: "place.x", "x")) var x: Int?
    @Attribute(.imported(from: "place.y")) var y: Int?
    @Attribute(.imported(from: "marks.0", "mark")) var mark: Int?
    @Attribute var words: [String]?
    @Relationship(
        .imported(from: "priest", "vicar"), .importing(fallback: .whenAbsent),
        inverse: \Priest.parishes) var priest: Priest?
    @Relationship(.imported(from: "helpers", "others"), inverse: \Priest.helps)
    var helpers: ToMany<Priest>
}

@Entity final class Priest: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var age: Int?
    @Relationship(.notImported) var parishes: ToMany<Parish>
    @Relationship(.notImported) var helps: ToMany<Parish>
}

/// Repeated and alternative keys. Of a repeated key, the last value counts. Of several keys, the
/// first declared one counts.
@Suite("Repeated keys") struct ImportRepeatedKeyTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Parish.self, Priest.self)
        context = test.stack.newContext()
    }

    /// Rows with repeated keys, each with an equivalent row without them.
    static let rows: [(repeated: String, plain: String)] = [
        (#""full": "a", "full": "b""#, #""full": "b""#),
        (#""full": "a", "full": null"#, #""full": null"#),
        (#""full": "a", "short": "s", "full": null"#, #""full": null, "short": "s""#),
        (#""full": 1, "short": "s", "full": [], "full": null"#, #""short": "s""#),
        (#""full": [], "full": "b""#, #""full": "b""#),
        (#""place": {"x": 1, "y": 2}, "place": {}"#, #""place": {}"#),
        (#""place": {"x": 1, "y": 2}, "place": {"y": 3}"#, #""place": {"y": 3}"#),
        (#""place": {"x": 1, "y": 2, "x": null}, "x": 5"#, #""x": 5, "place": {"y": 2}"#),
        (#""x": 5, "place": {"x": 1}, "place": null"#, #""x": 5"#),
        (#""marks": [1], "mark": 2, "marks": []"#, #""mark": 2"#),
        (#""words": ["a"], "words": ["b"]"#, #""words": ["b"]"#),
        (#""words": ["a"], "words": null"#, #""words": null"#),
        (#""priest": "p", "priest": null"#, #""priest": null"#),
        (
            #""priest": {"name": "p", "age": 1}, "priest": {"name": "p", "age": null, "age": 2}"#,
            #""priest": {"name": "p", "age": 2}"#
        ),
        (#""priest": {"name": "p", "age": 2, "age": null}"#, #""priest": {"name": "p"}"#),
        (#""helpers": ["p", "q"], "helpers": ["r"]"#, #""helpers": ["r"]"#),
        (#""helpers": ["p"], "others": ["q"], "helpers": null"#, #""others": ["q"]"#),
        (#""end": 1, "end": null, "until": 3"#, #""end": null"#),
        (#""\u0065nd": 1, "end": 2"#, #""end": 2"#),
    ]

    /// Returns the result of importing a row, as an export.
    private func outcome(_ row: String) throws -> (text: String, priests: [String], problems: Int) {
        let fresh = try TestStack(for: Parish.self, Priest.self).stack.newContext()
        let report = try Parish.importJSON(Data(#"{"id": 1, \#(row)}"#.utf8), in: fresh)
        let text = try Parish.exportJSON(in: fresh)
        let priests = try Priest.find(sortedBy: .ascending(\.name), in: fresh)
        return (
            String(decoding: text, as: UTF8.self), priests.map { "\($0.name) \($0.age ?? 0)" },
            report.problems.count
        )
    }

    @Test(arguments: rows)
    func `the last value of a repeated JSON key counts in an import`(
        row: (repeated: String, plain: String)
    ) throws {
        let (found, wanted) = (try outcome(row.repeated), try outcome(row.plain))
        #expect(found == wanted)
        #expect(found.problems == 0)
    }

    @Test func `an imported property can declare that null wins over its next key`() throws {
        let text = #"""
            [{"id": 1, "end": null, "until": 5, "priest": null, "vicar": "v"},
             {"id": 2, "until": 5, "end": null, "vicar": "v", "priest": null},
             {"id": 3, "until": 5, "vicar": "v"}, {"id": 4, "end": 4, "until": null},
             {"id": 5, "full": null, "short": "s", "until": null}]
            """#
        #expect(try Parish.importJSON(Data(text.utf8), in: context).problems.isEmpty)
        let found = try Parish.find(sortedBy: .ascending(\.id), in: context)
        #expect(found.map(\.end) == [nil, nil, 5, 4, nil])
        #expect(found.map { $0.priest?.name } == [nil, nil, "v", nil, nil])
        #expect(found[4].title == "s")
        var options = ImportOptions()
        options.fallback = .whenAbsent
        let again = #"{"id": 5, "short": "t", "full": null}"#
        #expect(
            try Parish.importJSON(Data(again.utf8), in: context, options: options).updated == 1)
        #expect(found[4].title == nil)
    }

    /// Dictionaries are read in a different way, but by the same rules.
    @Test func `a declared null wins over the next key when importing dictionaries`() throws {
        let none: Int? = nil
        try Parish.importDictionaries(
            [["id": 1, "end": none as Any, "until": 5], ["id": 2, "until": 5]], in: context)
        let found = try Parish.find(sortedBy: .ascending(\.id), in: context)
        #expect(found.map(\.end) == [nil, 5])
    }

    static let faults: [(text: String, place: String)] = [
        (#"{"rows": [{"id": 1}, {"id": x}]}"#, " at rows.1.id: line 1, column 29: "),
        ("{\"rows\": [\n{\"id\": 1},\n x]}", " at rows.1: line 3, column 2: "),
        (#"{"rows": [{"id": 1, }]}"#, " at rows.0: line 1, column 21: "),
        (#"{"rows": [[1], [2, [3"#, " at rows.1.1.0: line 1, column 22: "),
        (#"{"a": {"b": 1}, "c": tru}"#, " at c: line 1, column 25: "),
        ("[1, 2 3]", " at 1: line 1, column 7: "), ("x", ": line 1, column 1: "),
        ("", ": line 1, column 1: "), ("{} {}", ": line 1, column 4: "),
    ]

    @Test(arguments: faults)
    func `the import error for invalid JSON names the path and position`(
        fault: (text: String, place: String)
    ) throws {
        let error = try #require(throws: RecordStackError.self) {
            _ = try Parish.importJSON(Data(fault.text.utf8), at: "rows", in: context)
        }
        #expect(error.message.hasPrefix("The text is not JSON\(fault.place)"), "\(error.message)")
    }

    @Test func `the import error for invalid JSON in a stream names the row and line`() async throws
    {
        let text = "[{\"id\": 1},\n {\"id\": 2},\n {\"id\": nul}]"
        let error = try await #require(throws: RecordStackError.self) {
            try await test.stack.importJSON(.data(Data(text.utf8)), into: Parish.self)
        }
        #expect(
            error.message.hasPrefix("The text is not JSON in row 2: line 3, column 12: "),
            "\(error.message)")
    }

    @Test func `an import counts blank lines in the line number of a bad NDJSON line`() async throws
    {
        var options = ImportOptions()
        options.format = .ndjson
        options.batchSize = 2
        let text = "\n{\"id\": 1}\r\n\n\n{\"id\": 2}\n{\"id\": }\n  \n{\"id\": 3} x"
        for report in [
            try Parish.importJSON(Data(text.utf8), in: context, options: options),
            try await test.stack.importJSON(
                .data(Data(text.utf8)), into: Parish.self, options: options),
        ] {
            #expect(report.inserted == 2 && report.problems.map(\.row) == [2, 3])
            #expect(report.problems[0].message.hasPrefix("Line 6 is not JSON at id: column 8: "))
            #expect(report.problems[1].message.hasPrefix("Line 8 is not JSON: column 11: "))
        }
    }
}
