import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

enum Fruit: String, AttributeValue, CaseIterable {
    case apple, pear
}

enum Ripeness: Int, AttributeValue, CaseIterable {
    case green = 1
    case ripe = 2
}

struct Peel: CodableAttributeValue {
    var color = ""
    var layers: [Int] = []

    static let placeholder = Peel()
}

/// A URL that must use a safe scheme.
struct SafeLink: RawRepresentable, AttributeValue {
    let rawValue: URL

    init?(rawValue: URL) {
        guard rawValue.scheme == "https" else { return nil }
        self.rawValue = rawValue
    }

    static var placeholder: SafeLink { SafeLink(rawValue: URL(string: "https://example.org")!)! }
}

/// A UUID other than the nil UUID.
struct RealID: RawRepresentable, AttributeValue {
    let rawValue: UUID

    init?(rawValue: UUID) {
        guard rawValue.uuidString.contains(where: { $0 != "0" && $0 != "-" }) else { return nil }
        self.rawValue = rawValue
    }

    static var placeholder: RealID { RealID(rawValue: UUID())! }
}

/// A Boolean in a type of its own.
struct Switch: RawRepresentable, AttributeValue {
    let rawValue: Bool

    init(rawValue: Bool) { self.rawValue = rawValue }

    static let placeholder = Switch(rawValue: false)
}

/// A date after 2000.
struct RecentDate: RawRepresentable, AttributeValue {
    let rawValue: Date

    init?(rawValue: Date) {
        guard rawValue.timeIntervalSince1970 > 946_684_800 else { return nil }
        self.rawValue = rawValue
    }

    static var placeholder: RecentDate { RecentDate(rawValue: Date())! }
}

@Entity final class Converted: ManagedObject {
    @Attribute var text: String?
    @Attribute var whole: Int?
    @Attribute var wide: Int64?
    @Attribute var tiny: Int8?
    @Attribute var short: Int16?
    @Attribute var half: Int32?
    @Attribute var byte: UInt8?
    @Attribute var pair: UInt16?
    @Attribute var quad: UInt32?
    @Attribute var word: UInt?
    @Attribute var unsigned: UInt64?
    @Attribute var real: Double?
    @Attribute var single: Float?
    @Attribute var decimal: Decimal?
    @Attribute var flag: Bool?
    @Attribute var date: Date?
    @Attribute(.dateFormat(.millisecondsSince1970)) var milliseconds: Date?
    @Attribute(.dateFormat(.pattern("dd.MM.yyyy"), .secondsSince1970)) var day: Date?
    @Attribute var data: Data?
    @Attribute var uuid: UUID?
    @Attribute var url: URL?
    @Attribute var link: SafeLink?
    @Attribute var realID: RealID?
    @Attribute var fruit: Fruit?
    @Attribute var ripeness: Ripeness?
    @Attribute var peel: Peel?
    @Attribute var list: [String]?
    @Attribute var counts: [String: Int]?
    @Attribute var power: Switch?
    @Attribute var recent: RecentDate?
    @Attribute(.dateFormat(.millisecondsSince1970)) var recentMilliseconds: RecentDate?
}

/// A row of the table: a JSON value, and the attribute's value after its import.
struct Conversion: Sendable {
    let attribute: String
    let json: String
    /// The expected value, or nil if the JSON value is a problem.
    let wanted: StoredValue?

    init(_ attribute: String, _ json: String, _ wanted: (any AttributeValue)?) {
        self.attribute = attribute
        self.json = json
        self.wanted = wanted?.storedValue
    }
}

extension Conversion {
    private static let uuid = UUID(uuidString: "6F1F2B9E-3F0A-4B7E-9A51-0D2F5F6C7A10")
    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    static let texts: [Conversion] = [
        Conversion("text", #""as it is""#, "as it is"), Conversion("text", "12.50", "12.50"),
        Conversion("text", "1e3", "1e3"), Conversion("text", "-0", "-0"),
        Conversion("text", "true", "true"), Conversion("text", "false", "false"),
        Conversion("text", #""""#, ""), Conversion("text", #"" a ""#, " a "),
        Conversion("text", #""\u00e9\n\ud83d\ude00""#, "é\n😀"), Conversion("text", "[1]", nil),
        Conversion("text", #"{"a": 1}"#, nil),
    ]

    static let integers: [Conversion] = [
        Conversion("whole", "12", 12), Conversion("whole", "12.0", 12),
        Conversion("whole", "1.2e1", 12), Conversion("whole", "-7", -7),
        Conversion("whole", "120e-1", 12),
        Conversion("whole", "9007199254740993", 9007199254740993),
        Conversion("whole", "9223372036854775807", Int.max),
        Conversion("whole", "-9223372036854775808", Int.min),
        Conversion("whole", "9223372036854775808", nil), Conversion("whole", "1.5", nil),
        Conversion("whole", "1e400", nil), Conversion("whole", #""12""#, 12),
        Conversion("whole", #""+12""#, 12), Conversion("whole", #""-12""#, -12),
        Conversion("whole", #""12.0""#, nil), Conversion("whole", #"" 12""#, nil),
        Conversion("whole", #""""#, nil), Conversion("whole", #""1,000""#, nil),
        Conversion("whole", "true", 1), Conversion("whole", "false", 0),
        Conversion("whole", "[]", nil), Conversion("wide", "42", 42 as Int64),
        Conversion("wide", #""9223372036854775807""#, Int64.max),
        Conversion("tiny", "-128", Int8.min),
        Conversion("tiny", "128", nil), Conversion("tiny", #""127""#, Int8.max),
        Conversion("byte", "255", UInt8.max), Conversion("byte", "256", nil),
        Conversion("byte", "-1", nil), Conversion("short", "-32768", Int16.min),
        Conversion("short", "32768", nil), Conversion("short", "1.0", 1 as Int16),
        Conversion("half", "2147483647", Int32.max), Conversion("half", "2147483648", nil),
        Conversion("half", #""-2147483648""#, Int32.min), Conversion("half", "true", 1 as Int32),
        Conversion("pair", "65535", UInt16.max), Conversion("pair", "65536", nil),
        Conversion("pair", #""-1""#, nil), Conversion("quad", "4294967295", UInt32.max),
        Conversion("quad", "4294967296", nil), Conversion("quad", "1e3", 1_000 as UInt32),
        Conversion("word", "18446744073709551615", UInt.max),
        Conversion("word", "18446744073709551616", nil), Conversion("word", "0.5", nil),
        Conversion("unsigned", "18446744073709551615", UInt64.max),
        Conversion("unsigned", "18446744073709551616", nil), Conversion("unsigned", "-1", nil),
        Conversion("unsigned", #""18446744073709551615""#, UInt64.max),
        Conversion("unsigned", "18446744073709551615.0", UInt64.max),
        Conversion("unsigned", "1e19", UInt64(10_000_000_000_000_000_000)),
        Conversion("unsigned", "1e20", nil), Conversion("unsigned", "true", UInt64(1)),
        Conversion("word", "false", UInt(0)), Conversion("byte", "true", UInt8(1)),
        Conversion("tiny", "false", Int8(0)), Conversion("quad", "[]", nil),
    ]

    static let numbers: [Conversion] = [
        Conversion("real", "1.5", 1.5), Conversion("real", "12", 12.0),
        Conversion("real", "0.1", 0.1), Conversion("real", "1e308", 1e308),
        Conversion("real", "1e309", nil),
        Conversion("real", "5e-324", Double.leastNonzeroMagnitude),
        Conversion("real", #""2.5""#, 2.5), Conversion("real", #""1e3""#, 1_000.0),
        Conversion("real", #""inf""#, nil), Conversion("real", #""nan""#, nil),
        Conversion("real", #""2,5""#, nil), Conversion("real", "true", 1.0),
        Conversion("real", "false", 0.0), Conversion("single", "0.1", Float(0.1)),
        Conversion("single", "1e39", nil), Conversion("single", #""0.5""#, Float(0.5)),
        Conversion("decimal", "12.50", Decimal(string: "12.5")),
        Conversion("decimal", "1e3", Decimal(1_000)),
        Conversion("decimal", #""0.1""#, Decimal(string: "0.1")),
        Conversion(
            "decimal", String(repeating: "9", count: 38),
            Decimal(string: String(repeating: "9", count: 38))),
        Conversion("decimal", String(repeating: "9", count: 39), nil),
        Conversion("decimal", #""1,5""#, nil), Conversion("decimal", "true", nil),
        Conversion("decimal", "1e127", Decimal(string: "1e127")),
        Conversion("decimal", "1e200", nil),
        Conversion("decimal", "1e-127", Decimal(string: "1e-127")),
        Conversion("decimal", "1e-129", nil), Conversion("decimal", "1.5e-128", nil),
        Conversion("single", "true", Float(1)), Conversion("single", "false", Float(0)),
    ]

    static let flags: [Conversion] =
        [
            "true", #""true""#, #""TRUE""#, #""yes""#, #""Y""#, #""t""#, #""1""#, #""on""#, "1",
            "2", "-1", "0.5",
        ]
        .map { Conversion("flag", $0, true) }
        + ["true", #""yes""#, "2"].map { Conversion("power", $0, true) }
        + ["false", #""off""#, "0"].map { Conversion("power", $0, false) }
        + [#""maybe""#].map { Conversion("power", $0, nil) }
        + ["false", #""false""#, #""No""#, #""n""#, #""f""#, #""0""#, #""off""#, "0", "0.0", "-0"]
        .map { Conversion("flag", $0, false) }
        + [#""""#, #""maybe""#, #""2""#, #"" true""#, "[]", "{}"].map {
            Conversion("flag", $0, nil)
        }

    static let dates: [Conversion] = [
        Conversion("date", #""2018-02-07T01:26:13Z""#, date(1_517_966_773)),
        Conversion("date", #""2018-02-07T01:26:13.5Z""#, date(1_517_966_773.5)),
        Conversion("date", #""2018-02-07T02:26:13+01:00""#, date(1_517_966_773)),
        Conversion("date", #""2018-02-07T01:26:13,5Z""#, date(1_517_966_773.5)),
        Conversion("date", #""2018-02-07 01:26:13Z""#, date(1_517_966_773)),
        Conversion("date", #""2018-02-07t01:26:13Z""#, date(1_517_966_773)),
        Conversion("date", #""2018-02-07T02:26:13+0100""#, date(1_517_966_773)),
        Conversion("date", #""2018-02-07T00:26:13-01""#, date(1_517_966_773)),
        Conversion("date", #""2018-02-07T01:26:13""#, date(1_517_966_773)),
        Conversion("date", #""2018-02-07T01:26""#, date(1_517_966_760)),
        Conversion("date", #""2018-02-07""#, date(1_517_961_600)),
        Conversion("date", "1517966773", date(1_517_966_773)),
        Conversion("date", "1517966773.25", date(1_517_966_773.25)),
        Conversion("date", #""1517966773""#, nil), Conversion("date", #""2014""#, nil),
        Conversion("date", #""2018-02-30""#, nil), Conversion("date", #""Feb 7 2018""#, nil),
        Conversion("date", #""""#, nil), Conversion("date", "true", nil),
        Conversion("milliseconds", "1517966773250", date(1_517_966_773.25)),
        Conversion("milliseconds", #""1517966773250""#, date(1_517_966_773.25)),
        Conversion("milliseconds", #""2018-02-07""#, nil),
        Conversion("day", #""07.02.2018""#, date(1_517_961_600)),
        Conversion("day", "1517961600", date(1_517_961_600)),
        Conversion("day", #""2018-02-07""#, nil), Conversion("day", #""31.02.2018""#, nil),
        Conversion("recent", #""2018-02-07T01:26:13Z""#, date(1_517_966_773)),
        Conversion("recent", "1517966773", date(1_517_966_773)),
        Conversion("recent", #""1970-02-07""#, nil), Conversion("recent", "0", nil),
        Conversion("recentMilliseconds", "1517966773250", date(1_517_966_773.25)),
        Conversion("recentMilliseconds", #""2018-02-07""#, nil),
    ]

    static let others: [Conversion] = [
        Conversion("data", #""aGVsbG8=""#, Data("hello".utf8)), Conversion("data", #""""#, Data()),
        Conversion("data", #""not base64!""#, nil), Conversion("data", "1", nil),
        Conversion("data", "true", nil),
        Conversion("uuid", #""6f1f2b9e-3f0a-4b7e-9a51-0d2f5f6c7a10""#, uuid),
        Conversion("uuid", #""6F1F2B9E-3F0A-4B7E-9A51-0D2F5F6C7A10""#, uuid),
        Conversion("uuid", #""6f1f2b9e""#, nil), Conversion("uuid", "1", nil),
        Conversion("uuid", "true", nil),
        Conversion("url", #""https://example.org/?q=1""#, URL(string: "https://example.org/?q=1")),
        Conversion("link", #""https://example.org""#, URL(string: "https://example.org")),
        Conversion("link", #""http://example.org""#, nil),
        Conversion("realID", #""6f1f2b9e-3f0a-4b7e-9a51-0d2f5f6c7a10""#, uuid),
        Conversion("realID", #""00000000-0000-0000-0000-000000000000""#, nil),
        Conversion("link", "1", nil), Conversion("link", "true", nil),
        Conversion("realID", "1", nil), Conversion("realID", "false", nil),
        Conversion(
            "peel", #"{"color": "red", "layers": [1]}"#, Peel(color: "red", layers: [1])),
        Conversion(
            "peel", #""{\"color\": \"red\", \"layers\": []}""#, Peel(color: "red", layers: [])),
        Conversion("peel", "1", nil), Conversion("peel", #""red""#, nil),
        Conversion("url", #""""#, nil), Conversion("url", "1", nil), Conversion("url", "true", nil),
        Conversion("fruit", #""pear""#, Fruit.pear), Conversion("fruit", #""plum""#, nil),
        Conversion("fruit", #""Pear""#, nil), Conversion("fruit", "1", nil),
        Conversion("ripeness", "2", Ripeness.ripe), Conversion("ripeness", #""1""#, Ripeness.green),
        Conversion("ripeness", "true", Ripeness.green), Conversion("ripeness", "3", nil),
        Conversion("ripeness", "1.5", nil), Conversion("ripeness", #""ripe""#, nil),
    ]

    static let all = texts + integers + numbers + flags + dates + others
}

/// Every cell of the conversion table in the documentation, with values that convert and values
/// that do not.
@Suite("Conversion table") struct ConversionTableTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Converted.self)
        context = test.stack.newContext()
    }

    private func load(_ attribute: String, _ json: String) throws -> (Converted, ImportReport) {
        let row = Data(#"{"\#(attribute)": \#(json)}"#.utf8)
        let report = try Converted.importJSON(row, in: context)
        return (try #require(try Converted.find(in: context).last), report)
    }

    @Test func `an import converts a value exactly, or reports it and sets nothing`() throws {
        for row in Conversion.all {
            let at: Comment = "\(row.attribute) from \(row.json)"
            let (object, report) = try load(row.attribute, row.json)
            let values = object.changedValues().filter { !$0.value.isNull }
            if let wanted = row.wanted {
                #expect(values == [row.attribute: wanted], at)
                #expect(report.problems.isEmpty, at)
            } else {
                #expect(values == [:], at)
                #expect(report.problems.map(\.property) == [row.attribute], at)
                #expect(report.problems.map(\.path) == [row.attribute], at)
            }
            // The attributes are optional, so the row is imported. A required attribute would keep
            // its value.
            #expect(report.inserted == 1 && report.skipped == 0, at)
        }
    }

    @Test func `an import converts values of dictionaries like those of JSON`() throws {
        for row in Conversion.all where row.attribute != "decimal" && !row.json.contains("e") {
            let text = Data("[\(row.json)]".utf8)
            guard let values = try JSONSerialization.jsonObject(with: text) as? [Any] else {
                continue
            }
            // Foundation has no UInt64, no number with more digits than a Double, and reads -0 as
            // 0.
            if values[0] is NSNumber && row.json.utf8.count > 12 || row.json == "-0" { continue }
            if row.json.contains(".") && row.attribute == "text" { continue }
            let at: Comment = "\(row.attribute) from \(values[0])"
            let report = try Converted.importDictionaries(
                [[row.attribute: values[0]]], in: context)
            let object = try #require(try Converted.find(in: context).last)
            let found = object.changedValues().filter { !$0.value.isNull }
            #expect(found == (row.wanted.map { [row.attribute: $0] } ?? [:]), at)
            #expect(report.problems.isEmpty == (row.wanted != nil), at)
        }
    }

    @Test func `an import sets a Codable attribute to JSON that fits, or reports it`() throws {
        let (object, report) = try load("peel", #"{"color": "red", "layers": [1, 2]}"#)
        #expect(object.peel == Peel(color: "red", layers: [1, 2]) && report.problems.isEmpty)
        let (text, _) = try load("peel", #""{\"color\": \"red\", \"layers\": []}""#)
        #expect(text.peel == Peel(color: "red", layers: []))
        let (list, _) = try load("list", #"["a", "b"]"#)
        #expect(list.list == ["a", "b"])
        let (counts, _) = try load("counts", #"{"a": 1, "b": -2, "a": 3}"#)
        #expect(counts.counts == ["a": 3, "b": -2])
        for (attribute, json) in [
            ("peel", "1"), ("peel", #"{"color": 1, "layers": []}"#), ("peel", "[]"),
            ("list", "[1]"), ("list", #"{"a": 1}"#), ("list", "true"), ("counts", #"{"a": "b"}"#),
            ("counts", "[]"), ("counts", #"{"a": 1.5}"#),
        ] {
            let (object, report) = try load(attribute, json)
            #expect(object.peel == nil && object.list == nil && object.counts == nil)
            #expect(report.problems.map(\.property) == [attribute], "\(attribute) from \(json)")
        }
    }

    /// Values that dictionaries can contain and JSON cannot.
    @Test func `an import converts dates, data and URLs in dictionaries`() throws {
        let date = Date(timeIntervalSince1970: 1_517_966_773.5)
        let (data, uuid) = (Data([0xFB, 0xFF]), UUID())
        let table: [(String, Any, (any AttributeValue)?)] = [
            ("date", date, date), ("milliseconds", date, date), ("day", date, date),
            ("recent", date, date), ("recent", Date(timeIntervalSince1970: 0), nil),
            ("text", date, "2018-02-07T01:26:13.5Z"), ("whole", date, nil), ("real", date, nil),
            ("flag", date, nil), ("url", date, nil), ("uuid", date, nil), ("data", date, nil),
            ("data", data, data), ("text", data, "+/8="), ("date", data, nil),
            ("whole", data, nil), ("uuid", data, nil), ("uuid", uuid, uuid),
            ("text", uuid, uuid.uuidString),
            ("url", URL(string: "https://a.b")!, URL(string: "https://a.b")),
            ("text", URL(string: "https://a.b")!, "https://a.b"), ("whole", Decimal(12), 12),
            ("text", Decimal(string: "0.10")!, "0.1"), ("flag", 2, true), ("real", Float(0.5), 0.5),
            ("real", Double.nan, nil), ("whole", UInt64.max, nil),
        ]
        for (attribute, value, wanted) in table {
            let at: Comment = "\(attribute) from \(value)"
            let report = try Converted.importDictionaries([[attribute: value]], in: context)
            let object = try #require(try Converted.find(in: context).last)
            let found = object.changedValues().filter { !$0.value.isNull }
            #expect(found == (wanted.map { [attribute: $0.storedValue] } ?? [:]), at)
            #expect(report.problems.map(\.path) == (wanted == nil ? [attribute] : []), at)
        }
    }

    @Test func `a custom type over a date or Boolean is exported like its raw value`() throws {
        let (object, _) = try load("recent", "1517966773.5")
        object.recentMilliseconds = RecentDate(
            rawValue: Date(timeIntervalSince1970: 1_517_966_773.25))
        object.power = Switch(rawValue: true)
        var options = ExportOptions()
        options.only = ["power", "recent", "recentMilliseconds"]
        let text = String(decoding: try object.exportJSON(options: options), as: UTF8.self)
        #expect(
            text
                == #"{"power":true,"recent":"2018-02-07T01:26:13.5Z","recentMilliseconds":1517966773250}"#
                + "\n")
    }
}
