import Foundation
import RecordStack
import RecordStackTesting
import Testing

enum Finish: String, CaseIterable, AttributeValue {
    case matte, gloss
}

struct Extent: CodableAttributeValue {
    var width = 0
    var height = 0

    static let placeholder = Extent()
}

/// A Codable value that contains dates.
struct Glazing: CodableAttributeValue {
    var day = Date(timeIntervalSinceReferenceDate: 0)
    var coats: [Date] = []

    static let placeholder = Glazing()
}

@Entity final class Tile: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var name: String?
    @Attribute(.dateFormat(.pattern("dd.MM.yyyy"))) var fired: Date?
    @Attribute var weight: Double?
    @Attribute var price: Decimal?
    @Attribute var finish: Finish?
    @Attribute var image: Data?
    @Attribute var code: UUID?
    @Attribute var page: URL?
    @Attribute var isBroken: Bool = false
    @Attribute var tags: [String] = []
    @Attribute var extent: Extent?
    @Attribute var float: Float?
    @Attribute var glazing: Glazing?
    @Relationship(inverse: \TileSet.tiles) var set: TileSet?
}

@Entity final class TileSet: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(.notImported) var tiles: ToMany<Tile>
}

/// Rows in memory that are not JSON.
@Suite("Import sources") struct ImportSourceTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Tile.self, TileSet.self)
        context = test.stack.newContext()
    }

    private var tile: Tile { get throws { try #require(try Tile.findFirst(in: context)) } }

    @Test func `an import reads typed values from dictionaries`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456)
        let code = UUID()
        let report = try Tile.importDictionaries(
            [
                [
                    "number": 1, "name": "a", "fired": date, "weight": Float(0.5),
                    "price": Decimal(string: "0.10")!, "finish": Finish.gloss,
                    "image": Data([1, 2]), "code": code, "page": URL(string: "https://a.b/c")!,
                    "isBroken": true, "tags": ["x", "y"],
                    "extent": ["width": 2, "height": 3], "set": ["name": "s"],
                ], ["number": "2", "name": nil as String? as Any, "weight": UInt8(3)],
            ], in: context)
        #expect(report.inserted == 2 && report.problems.isEmpty)
        let tile = try #require(try Tile.findFirst(by: \.number, 1, in: context))
        #expect(tile.fired == date && tile.weight == 0.5 && tile.price == Decimal(string: "0.1"))
        #expect(tile.finish == .gloss && tile.image == Data([1, 2]) && tile.code == code)
        #expect(tile.page == URL(string: "https://a.b/c") && tile.isBroken)
        #expect(tile.tags == ["x", "y"] && tile.extent == Extent(width: 2, height: 3))
        #expect(tile.set?.name == "s" && tile.name == "a")
        #expect(try Tile.findFirst(by: \.number, 2, in: context)?.weight == 3)
    }

    @Test func `an import reads dictionaries from JSONSerialization`() throws {
        let text = #"""
            [{"number": 9007199254740993, "name": null, "weight": 1.25, "isBroken": true, "tags": ["a"],
              "set": {"name": "s"}}, {"number": 1, "isBroken": 0}]
            """#
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let report = try Tile.importDictionaries(rows, in: context)
        #expect(report.inserted == 2 && report.problems.isEmpty)
        let tile = try #require(
            try Tile.findFirst(by: \.number, 9_007_199_254_740_993, in: context))
        #expect(tile.weight == 1.25 && tile.isBroken && tile.tags == ["a"] && tile.name == nil)
        #expect(tile.set?.name == "s")
    }

    @Test func `importing an unsupported type in a dictionary throws and names it`() throws {
        let error = #expect(throws: RecordStackError.self) {
            _ = try Tile.importDictionaries([["number": 1], ["number": Thread()]], in: context)
        }
        #expect(error?.code == .importFailed && error?.message.contains("Thread") == true)
        #expect(!context.hasChanges)
    }

    @Test func `imported Encodable rows keep their dates and data exactly`() throws {
        struct Row: Encodable {
            var number: Int
            var fired: Date?
            var image: Data?
            var extent: Extent?
            var set: String?
        }
        let date = Date(timeIntervalSinceReferenceDate: -0.1)
        let rows = [
            Row(
                number: 1, fired: date, image: Data([7]), extent: Extent(width: 1, height: 2),
                set: "s"), Row(number: 2),
        ]
        #expect(try Tile.importEncodable(rows, in: context).inserted == 2)
        let tile = try #require(try Tile.findFirst(by: \.number, 1, in: context))
        #expect(tile.fired == date && tile.image == Data([7]) && tile.set?.name == "s")
        #expect(tile.extent == Extent(width: 1, height: 2))
        #expect(try Tile.importEncodable(rows, in: context).unchanged == 2)
    }

    @Test func `dates inside Codable values are imported exactly`() throws {
        struct Row: Encodable {
            var number: Int
            var glazing: Glazing
        }
        let (day, coat) = (
            Date(timeIntervalSinceReferenceDate: 812_345_678.123_456),
            Date(timeIntervalSinceReferenceDate: -0.1)
        )
        let glazing = Glazing(day: day, coats: [coat, day])
        let report = try Tile.importDictionaries(
            [["number": 1, "glazing": ["day": day, "coats": [coat, day]] as [String: Any]]],
            in: context)
        #expect(report.problems.isEmpty)
        #expect(try tile.glazing == glazing)
        let again = try Tile.importEncodable([Row(number: 1, glazing: glazing)], in: context)
        #expect(again.unchanged == 1)
    }

    @Test func `an import reports a date that has no text form for a text attribute`() throws {
        let late = Date(timeIntervalSinceReferenceDate: 1e12)
        let report = try Tile.importDictionaries([["number": 1, "name": late]], in: context)
        #expect(report.problems.map(\.path) == ["name"])
        #expect(try tile.name == nil)
    }

    @Test func `an import reads rows written as Swift literals`() throws {
        let report = try Tile.importValues(
            [
                [
                    "number": 1, "weight": 1.5, "tags": ["a", "b"], "isBroken": true,
                    "set": ["name": "s"],
                ]
            ],
            in: context)
        #expect(report.inserted == 1 && report.problems.isEmpty)
        #expect(try tile.tags == ["a", "b"])
    }

    @Test func `a Codable value is imported from JSON or from text that contains JSON`() throws {
        let text = #"""
            [{"number": 1, "tags": [ "a" , "b" ], "extent": {"height": 2, "width": 1}},
             {"number": 1, "tags": "[\"a\",\"b\"]", "extent": "{\"width\":1,\"height\":2}"},
             {"number": 1, "tags": [1]}]
            """#
        let report = try Tile.importJSON(Data(text.utf8), in: context)
        #expect(report.inserted == 1 && report.unchanged == 1 && report.skipped == 1)
        #expect(try tile.tags == ["a", "b"])
        #expect(try tile.extent == Extent(width: 1, height: 2))
    }

    @Test func `importing the same float again is no change`() throws {
        let text = Data(#"{"number": 1, "float": 0.1}"#.utf8)
        #expect(try Tile.importJSON(text, in: context).inserted == 1)
        #expect(try tile.float == 0.1)
        #expect(try Tile.importJSON(text, in: context).unchanged == 1)
    }

    @Test func `an import reads each line of NDJSON as a separate JSON text`() throws {
        var options = ImportOptions()
        options.format = .ndjson
        let text =
            "\u{FEFF}{\"number\": 1}\n\r\n  {\"number\": 2}\r\n{\"number\": \n{\"number\": 3}"
        let report = try Tile.importJSON(Data(text.utf8), in: context, options: options)
        #expect(report.inserted == 3 && report.skipped == 1)
        #expect(report.problems[0].row == 2)
        #expect(report.problems[0].message.hasPrefix("Line 4 is not JSON at number: column 12: "))
        let inside = #"{"data": {"number": 4}}"# + "\n" + #"{"date": 0}"#
        let nested = try Tile.importJSON(
            Data(inside.utf8), at: "data", in: context, options: options)
        #expect(nested.inserted == 1 && nested.skipped == 1)
    }

    @Test func `a stack's import from a named pipe waits until the pipe is written`() async throws {
        let stack = try TestStack(for: Tile.self).stack
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "tiles-\(UUID().uuidString)")
        try #require(mkfifo(url.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: url) }
        let writer = Thread {
            Thread.sleep(forTimeInterval: 0.2)
            let handle = try? FileHandle(forWritingTo: url)
            try? handle?.write(contentsOf: Data(#"{"tiles": [{"number": 1}]}"#.utf8))
            try? handle?.close()
        }
        writer.start()
        let report = try await stack.importJSON(.file(url), at: "tiles", into: Tile.self)
        #expect(report.inserted == 1)
    }

    @Test func `an import reads rows from a JSON file`() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("recordstack-import-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(#"{"tiles": [{"number": 1}, {"number": 2}]}"#.utf8).write(to: url)
        let report = try Tile.importJSON(contentsOf: url, at: "tiles", in: context)
        #expect(report.inserted == 2)
    }

    @Test func `an object can import a row into its own properties`() throws {
        let tile = try Tile.create(in: context, number: 1)
        let other = try Tile.create(in: context, number: 2)
        let text = #"{"tile": {"number": 3, "name": "x", "set": "s"}}"#
        #expect(try tile.importJSON(Data(text.utf8), at: "tile").updated == 1)
        #expect(tile.number == 3 && tile.name == "x" && tile.set?.name == "s")
        #expect(try tile.importJSON(Data(text.utf8), at: "tile").unchanged == 1)
        #expect(try other.importDictionary(["name": "y"]).updated == 1)
        #expect(other.number == 2 && other.name == "y")
        #expect(try other.importDictionary(["number": "none"]).skipped == 1)
    }

    @Test func `invalid import options throw misuse`() throws {
        var (none, negative) = (ImportOptions(), ImportOptions())
        none.batchSize = 0
        negative.mostProblems = -1
        for options in [none, negative] {
            let error = #expect(throws: RecordStackError.self) {
                _ = try Tile.importJSON(Data("[]".utf8), in: context, options: options)
            }
            #expect(error?.code == .misuse)
        }
    }
}
