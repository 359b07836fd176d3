import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// A value that every source can contain.
enum SourceShape: Sendable, CustomStringConvertible {
    case null
    case bool(Bool)
    case integer(Int)
    case unsigned(UInt64)
    case real(Double)
    case single(Float)
    case text(String)

    var json: String {
        switch self {
        case .null: "null"
        case .text(let text): String(decoding: try! JSONEncoder().encode(text), as: UTF8.self)
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .real(let value): "\(value)"
        case .single(let value): "\(value)"
        }
    }

    var native: Any {
        switch self {
        case .null: Int?.none as Any
        case .bool(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .real(let value): value
        case .single(let value): value
        case .text(let text): text
        }
    }

    /// The value as an object of Foundation.
    var boxed: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .single(let value): NSNumber(value: value)
        case .text(let text): NSString(string: text)
        }
    }

    var importValue: ImportValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .number(value)
        case .unsigned(let value): .number(value)
        case .real(let value): .number(value)
        case .single(let value): .number("\(value)")
        case .text(let text): .string(text)
        }
    }

    var description: String { json }

    static let all: [SourceShape] =
        [.null, .bool(true), .bool(false)]
        + [
            0, 1, 2, -1, 10, 100, 127, 128, -128, -129, 255, 256, 32_768, 65_535, 65_536,
            1_517_966_773, 1_517_966_773_250, 2_147_483_648, 4_294_967_296,
            9_007_199_254_740_993, Int.max, Int.min,
        ].map { .integer($0) }
        + [0, 1, 2, 1 << 63, UInt64.max].map { .unsigned($0) }
        + [
            0, -0.0, 1, 2, -1, 0.5, 2.5, 0.1, -1.5, 100, 255, 1e15, 1e16, 1e20, 1e39, 1e300,
            -1e300, 1e-7, 1_517_966_773.25, 123_456_789.125, 9_007_199_254_740_992,
        ].map { .real($0) }
        + [0.1, 1, 16_777_216, 3.4e38].map { .single($0) }
        + [
            "", " ", "1", "0", "2", "-1", "+1", "01", "1.0", "12.5", "1e3", "1e400", "true",
            "FALSE", "yes", "off", "null", "nan", "inf", " 1", "1 ", "a", "apple", "ripe",
            "18446744073709551615", "2018-02-07", "2018-02-07T01:26:13Z", "07.02.2018", "2014",
            "20140831", "1517966773", "1517966773250", "6F1F2B9E-3F0A-4B7E-9A51-0D2F5F6C7A10",
            "https://example.org", "aGVsbG8=", "[1]", "[\"a\"]", "{\"a\": 1}", "{}", "\"a\"",
            "é", "e\u{301}", "\u{0}", "\u{1}", "\u{FEFF}a", "🧶",
        ].map { .text($0) }
}

/// A row that encodes one value under one key.
private struct EncodedRow: Encodable {
    let key: String
    let shape: SourceShape

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let key = Key(stringValue: key)
        switch shape {
        case .null: try container.encodeNil(forKey: key)
        case .bool(let value): try container.encode(value, forKey: key)
        case .integer(let value): try container.encode(value, forKey: key)
        case .unsigned(let value): try container.encode(value, forKey: key)
        case .real(let value): try container.encode(value, forKey: key)
        case .single(let value): try container.encode(value, forKey: key)
        case .text(let value): try container.encode(value, forKey: key)
        }
    }
}

@Entity final class Trestle: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var count: Int = 0
    @Relationship(inverse: \Trestle.others) var next: Trestle?
    @Relationship(.notImported) var others: ToMany<Trestle>
}

/// Every attribute type, with every kind of value, from every kind of source.
@Suite("Equal values from all sources")
struct ImportSourceTableTests {
    /// The result of an import: a stored value and the problems of each row.
    private struct Outcome: Equatable {
        var value: StoredValue
        var problems: [String]
    }

    private static let attributes = Converted.entityDescription.attributes.map(\.name)

    private func outcomes(
        _ attribute: String, _ run: (ManagedObjectContext) throws -> ImportReport
    ) throws -> [Outcome] {
        let context = try TestStack(for: Converted.self).stack.newContext()
        let report = try run(context)
        let objects = try Converted.find(in: context)
        try #require(objects.count == report.inserted && report.skipped == 0)
        return objects.enumerated().map { row, object in
            Outcome(
                value: object.changedValues()[attribute] ?? .null,
                problems: report.problems.filter { $0.row == row }.map(\.description))
        }
    }

    @Test(arguments: attributes)
    func `a value is imported alike from JSON, dictionaries and Encodable rows`(attribute: String)
        throws
    {
        let shapes = SourceShape.all
        let text = "[\(shapes.map { "{\"\(attribute)\": \($0.json)}" }.joined(separator: ", "))]"
        let wanted = try outcomes(attribute) { try Converted.importJSON(Data(text.utf8), in: $0) }
        try #require(wanted.count == shapes.count)
        func compare(_ source: String, _ found: [Outcome]) {
            for (shape, (one, other)) in zip(shapes, zip(wanted, found)) where one != other {
                Issue.record("\(attribute) from \(shape) in \(source): \(other), text: \(one)")
            }
            #expect(found.count == wanted.count)
        }
        compare(
            "dictionaries",
            try outcomes(attribute) { context in
                try Converted.importDictionaries(
                    shapes.map { [attribute: $0.native] }, in: context)
            })
        compare(
            "boxed values",
            try outcomes(attribute) { context in
                try Converted.importDictionaries(shapes.map { [attribute: $0.boxed] }, in: context)
            })
        compare(
            "optional boxed values",
            try outcomes(attribute) { context in
                try Converted.importDictionaries(
                    shapes.map { [attribute: Optional($0.boxed as? NSObject) as Any] }, in: context)
            })
        compare(
            "encodable values",
            try outcomes(attribute) { context in
                try Converted.importEncodable(
                    shapes.map { EncodedRow(key: attribute, shape: $0) }, in: context)
            })
        compare(
            "import values",
            try outcomes(attribute) { context in
                try Converted.importValues(
                    shapes.map { .object([attribute: $0.importValue]) }, in: context)
            })
    }

    @Test(arguments: attributes)
    func `an import reads JSONSerialization values as it reads the JSON text`(
        attribute: String
    ) throws {
        // Foundation reads some numbers as other numbers.
        let shapes = try SourceShape.all.filter { shape in
            let values = try JSONSerialization.jsonObject(with: Data("[\(shape.json)]".utf8))
            if case .text(let text) = shape {
                return (values as? [String])?.first?.utf8.elementsEqual(text.utf8) == true
            }
            guard let number = (values as? [Any])?.first as? NSNumber else { return true }
            if case .bool = shape { return true }
            return "\(number)" == shape.json
        }
        #expect(shapes.count > SourceShape.all.count - 8)
        let text = Data(
            "[\(shapes.map { "{\"\(attribute)\": \($0.json)}" }.joined(separator: ", "))]".utf8)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: text) as? [[String: Any]])
        let wanted = try outcomes(attribute) { try Converted.importJSON(text, in: $0) }
        let found = try outcomes(attribute) { try Converted.importDictionaries(rows, in: $0) }
        for (shape, (one, other)) in zip(shapes, zip(wanted, found)) where one != other {
            Issue.record("\(attribute) from \(shape): \(other), text: \(one)")
        }
    }

    @Test func `numbers from JSONSerialization are imported into text as in JSON`() throws {
        let context = try TestStack(for: Trestle.self).stack.newContext()
        let text = Data(
            #"[{"code": 1}, {"code": 2}, {"code": 0}, {"code": true}, {"code": 1.5}]"#.utf8)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: text) as? [[String: Any]])
        #expect(try Trestle.importDictionaries(rows, in: context).inserted == 5)
        #expect(try Set(Trestle.find(in: context).map(\.code)) == ["1", "2", "0", "true", "1.5"])
        #expect(try Trestle.importJSON(text, in: context).unchanged == 5)
    }

    @Test func `a related object's identity value is imported alike from any source`() throws {
        for shape in SourceShape.all {
            var outcomes: [String] = []
            let row = EncodedRow(key: "next", shape: shape)
            let runs: [(ManagedObjectContext) throws -> ImportReport] = [
                {
                    try Trestle.importJSON(
                        Data(#"{"code": "x", "next": \#(shape.json)}"#.utf8), in: $0)
                },
                { try Trestle.importDictionaries([["code": "x", "next": shape.native]], in: $0) },
                { try Trestle.importDictionaries([["code": "x", "next": shape.boxed]], in: $0) },
                { try Trestle.importEncodable([CodedRow(code: "x", rest: row)], in: $0) },
            ]
            for run in runs {
                let context = try TestStack(for: Trestle.self).stack.newContext()
                let report = try run(context)
                let codes = try Trestle.find(in: context).map {
                    "\($0.code.debugDescription) → \($0.next?.code.debugDescription ?? "nil")"
                }
                outcomes.append("\(codes.sorted()) \(report.problems)")
            }
            #expect(Set(outcomes).count == 1, "\(shape): \(outcomes)")
        }
    }
}

/// A row with a code and the encoded members of another row.
private struct CodedRow: Encodable {
    let code: String
    let rest: EncodedRow

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EncodedRow.Key.self)
        try container.encode(code, forKey: EncodedRow.Key(stringValue: "code"))
        try rest.encode(to: encoder)
    }
}
