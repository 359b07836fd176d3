import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// A value that can be any JSON value.
enum Datum: CodableAttributeValue, Equatable {
    case nothing, bool(Bool), number(Double), text(String), list([Datum]), object([String: Datum])

    static var placeholder: Datum { .nothing }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([Datum].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: Datum].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .nothing: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

/// A Codable type that encodes as text.
struct Motto: CodableAttributeValue, Equatable {
    var text: String

    static let placeholder = Motto(text: "")

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

@Entity final class Plaque: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var datum: Datum?
    @Attribute var motto: Motto?
    @Attribute var tags: [String]?
}

@Suite("Text for Codable attributes")
struct ImportCodableTextTests {
    static let texts = [
        "12", "true", "null", "", " ", "1e400", "-0", "[]", "[1]", "{}", #"{"a": 1}"#, #""a""#,
        "[", "é", "\u{0}\u{1}RecordStack date 12", "\\", "\"",
    ]

    // A type that accepts numbers also accepts texts for numbers that JSON lacks, such as NaN.

    private func rows(_ key: String) -> [[String: Any]] {
        Self.texts.enumerated().map { ["id": $0, key: $1] }
    }

    @Test(arguments: ["datum", "motto"])
    func `imported text stays text if the Codable type accepts text`(key: String) throws {
        struct Row: Encodable {
            let id: Int
            let datum: String
            let motto: String
        }
        let json = try JSONSerialization.data(withJSONObject: rows(key))
        let runs: [(ManagedObjectContext) throws -> ImportReport] = [
            { try Plaque.importJSON(json, in: $0) },
            { try Plaque.importDictionaries(rows(key), in: $0) },
            {
                try Plaque.importEncodable(
                    Self.texts.enumerated().map { Row(id: $0, datum: $1, motto: $1) }, in: $0)
            },
        ]
        for run in runs {
            let context = try TestStack(for: Plaque.self).stack.newContext()
            let report = try run(context)
            #expect(report.problems.isEmpty && report.inserted == Self.texts.count)
            let found = try Plaque.find(sortedBy: .ascending(\.id), in: context)
            if key == "datum" {
                #expect(found.map(\.datum) == Self.texts.map { .text($0) })
            } else {
                #expect(found.map(\.motto) == Self.texts.map { Motto(text: $0) })
            }
            #expect(try run(context).unchanged == Self.texts.count)
        }
    }

    @Test func `imported text with JSON is decoded if the Codable type takes no text`() throws {
        let context = try TestStack(for: Plaque.self).stack.newContext()
        let text = Data(#"{"id": 1, "tags": "[\"a\", \"12\"]", "datum": [12, "12"]}"#.utf8)
        #expect(try Plaque.importJSON(text, in: context).problems.isEmpty)
        let plaque = try #require(try Plaque.findFirst(in: context))
        #expect(plaque.tags == ["a", "12"] && plaque.datum == .list([.number(12), .text("12")]))
    }

    @Test func `exported text of a Codable attribute is imported as text`() throws {
        let context = try TestStack(for: Plaque.self).stack.newContext()
        for (id, text) in Self.texts.enumerated() {
            let plaque = try Plaque.create(in: context, id: id)
            (plaque.datum, plaque.motto) = (.text(text), Motto(text: text))
        }
        let exported = try Plaque.exportJSON(in: context)
        let fresh = try TestStack(for: Plaque.self).stack.newContext()
        #expect(try Plaque.importJSON(exported, in: fresh).problems.isEmpty)
        #expect(try Plaque.exportJSON(in: fresh) == exported)
        let found = try Plaque.find(sortedBy: .ascending(\.id), in: fresh)
        #expect(found.map(\.datum) == Self.texts.map { .text($0) })
    }

    @Test func `an export throws misuse for a Codable value that encodes as null`() throws {
        let context = try TestStack(for: Plaque.self).stack.newContext()
        try Plaque.create(in: context, id: 1).datum = .nothing
        let error = #expect(throws: RecordStackError.self) {
            _ = try Plaque.exportJSON(in: context)
        }
        #expect(error?.code == .misuse && error?.property == "datum")
    }

    @Test func `the import problem of a Codable value names the path inside it`() throws {
        let context = try TestStack(for: Survey.self).stack.newContext()
        let cases = [
            (#"[[[1, 2], [3, "x"]]]"#, "rings.0.1.1"), (#"[[1]]"#, "rings.0.0"),
            (#"[[[1, null]]]"#, "rings.0.0.1"), (#"{"a": 1}"#, "rings"),
        ]
        for (json, path) in cases {
            let report = try Survey.importJSON(Data(#"{"rings": \#(json)}"#.utf8), in: context)
            let message = try #require(report.problems.first?.message)
            #expect(report.problems.first?.path == "rings")
            #expect(path == "rings" || message.contains("at \(path)"), "\(json): \(message)")
        }
        let missing = try Survey.importJSON(
            Data(#"{"peel": {"color": "red"}}"#.utf8), in: context)
        #expect(missing.problems.first?.message.contains("peel.layers") == true)
    }
}

@Entity final class Survey: ManagedObject {
    @Attribute var rings: [[[Double]]]?
    @Attribute var peel: Peel?
    @Attribute var real: Double?
    @Attribute var single: Float?
    @Attribute var whole: Int?
    @Attribute var decimal: Decimal?
    @Attribute var seen: Date?
}

/// An entity with an identity of three attributes, two of which have a default.
@Entity(.unique(\.zone, \.east, \.since)) final class Trig: ManagedObject {
    @Attribute var zone: String = "A"
    @Attribute var east: Int
    @Attribute var since: Int = 0
    @Attribute var note: String?
    @Relationship var up: Trig?
    @Relationship var spot: Spot?
    @Relationship var depot: TrigDepot?
}

@Entity final class Spot: ManagedObject {
    @Attribute var name: String?
}

@Entity final class TrigDepot: ManagedObject {
    @Attribute(.unique) var code: String
}

@Entity(.unique(\.row, \.column)) final class TrigTile: ManagedObject {
    @Attribute var row: Int = 0
    @Attribute var column: Int = 0
    @Attribute var note: String?
}

@Suite("Messages of import problems")
struct ImportMessageTests {
    private let context: ManagedObjectContext

    init() throws { context = try TestStack(for: Survey.self).stack.newContext() }

    @Test(arguments: [
        ("real", "1e400"), ("real", "-1e400"), ("real", #""1e400""#), ("single", "1e39"),
        ("whole", "1e400"), ("whole", "9223372036854775808"), ("decimal", "1e200"),
    ])
    func `the import problem of a number beyond its type's range says too large`(
        attribute: String, json: String
    ) throws {
        let report = try Survey.importJSON(Data(#"{"\#(attribute)": \#(json)}"#.utf8), in: context)
        let message = try #require(report.problems.first?.message)
        #expect(message.contains("too large"), "\(message)")
        #expect(!message.contains("not a number"), "\(message)")
    }

    @Test func `the import problem of a date mentions only declared formats`() throws {
        for json in [#""x""#, "true", #""2014""#, "1517966773250"] {
            let report = try Survey.importJSON(Data(#"{"seen": \#(json)}"#.utf8), in: context)
            let message = try #require(report.problems.first?.message)
            #expect(!message.contains("declared format"), "\(message)")
            #expect(message.contains("ISO 8601"), "\(message)")
        }
    }

    @Test(arguments: [
        (
            #"{"east": 1, "up": 2}"#, "up",
            "up is 2, not a Trig: an object of zone, east and since names one."
        ),
        (
            #"{"east": 1, "spot": 2}"#, "spot",
            "spot is 2, not a Spot, which has no identity by which a key could name it."
        ),
        (
            #"{"east": 1, "depot": [1]}"#, "depot",
            "depot is an array, neither a TrigDepot nor its code, which is text."
        ),
        (#"{"note": "x"}"#, "east", "east is required."),
    ])
    func `the import problem of a wrong to-one value says what would be right`(
        row: String, path: String, message: String
    ) throws {
        let context = try TestStack(for: Trig.self, Spot.self, TrigDepot.self).stack.newContext()
        let report = try Trig.importJSON(Data(row.utf8), in: context)
        #expect(report.problems.map(\.path) == [path])
        #expect(report.problems.map(\.message) == [message])
    }

    @Test func `the import problem of a row without an identity names all its parts`() throws {
        let context = try TestStack(for: TrigTile.self).stack.newContext()
        let report = try TrigTile.importJSON(Data(#"{"note": "x"}"#.utf8), in: context)
        #expect(
            report.problems.map(\.message) == [
                "The row says nothing of row and column, by which a TrigTile is known."
            ])
    }

    @Test(arguments: [
        ("{}", "The object is empty, without any of the keys of a TrigTile: row, column, note."),
        (#"{"x": 1}"#, "The object has x, and none of the keys of a TrigTile: row, column, note."),
        (
            #"{"page": 1, "tiles": [{"row": 1}]}"#,
            "The object has page, tiles, and none of the keys of a TrigTile: row, column, note. "
                + "If the rows are the elements of tiles, import with at: \"tiles\"."
        ),
        (
            #"{"a": [{"row": 1}], "b": [{"row": 1}]}"#,
            "The object has a, b, and none of the keys of a TrigTile: row, column, note."
        ),
    ])
    func `a problem of an import row without known keys lists the entity's keys`(
        row: String, message: String
    ) throws {
        let context = try TestStack(for: TrigTile.self).stack.newContext()
        let report = try TrigTile.importJSON(Data(row.utf8), in: context)
        #expect(report.problems.map(\.message) == [message])
    }

    @Test(arguments: ["[]", "[{}]", ""])
    func `an import into a closed stack throws closed`(text: String) async throws {
        let stack = try TestStack(for: Survey.self).stack
        try stack.close()
        let source = ImportSource.data(Data(text.utf8))
        for commit in [ImportCommit.everyBatch, .once] {
            let error = await #expect(throws: RecordStackError.self) {
                _ = try await stack.importJSON(source, into: Survey.self, commit: commit)
            }
            #expect(error?.code == .closed)
            let waiting = #expect(throws: RecordStackError.self) {
                try Self.importAndWait(stack, source, commit)
            }
            #expect(waiting?.code == .closed)
        }
    }

    private static func importAndWait(
        _ stack: ContextStack, _ source: ImportSource, _ commit: ImportCommit
    ) throws {
        _ = try stack.importJSONAndWait(source, into: Survey.self, commit: commit)
    }
}
