import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// An entity whose keys differ in their bytes, although Swift treats them as equal.
@Entity final class Cafe: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.imported(from: "caf\u{E9}")) var composed: String?
    @Attribute(.imported(from: "cafe\u{301}")) var decomposed: String?
    @Attribute(.imported(from: "x.\u{301}y")) var inner: Int?
    @Attribute(.importTransform { $0["re\u{301}"] ?? "none" }) var chosen: String?
    @Attribute var words: [String: Int]?
}

@Entity class Menu: ManagedObject {
    @Attribute(.unique) var id: Int
}

@Entity final class MenuDuJour: Menu {}

extension Menu: Importable {
    static var importDiscriminator: ImportDiscriminator? {
        ImportDiscriminator("k\u{E9}", ["d\u{E9}": MenuDuJour.self])
    }
}

@Suite("Comparing keys by bytes")
struct ImportKeyBytesTests {
    private let context: ManagedObjectContext
    private static let (one, two) = ("caf\u{E9}", "cafe\u{301}")

    init() throws {
        context = try TestStack(for: Cafe.self, Menu.self, MenuDuJour.self).stack.newContext()
    }

    private func cafe() throws -> Cafe { try #require(try Cafe.findFirst(in: context)) }

    /// Rows with both keys, for each way in which a row is read.
    static let rows = [
        #"{"id": 1, "\#(one)": "a", "\#(two)": "b"}"#,
        #"{"\#(two)": "b", "\#(one)": "a", "id": 1}"#,
        #"{"id": 1, "\#(one)": "x", "\#(two)": "b", "\#(one)": "a"}"#,
        #"{"id": 1, "caf\u00e9": "a", "cafe\u0301": "b"}"#,
    ]

    @Test(arguments: rows, [false, true])
    func `import keys with different bytes are different keys`(row: String, isSeen: Bool) throws {
        var hooks = ImportHooks()
        var seen: [[String?]] = []
        if isSeen {
            hooks.didImport(Cafe.self) { _, row in
                seen.append([row[Self.one]?.string, row[Self.two]?.string])
            }
        }
        #expect(try Cafe.importJSON(Data(row.utf8), in: context, hooks: hooks).inserted == 1)
        #expect(try cafe().composed == "a" && cafe().decomposed == "b")
        #expect(seen == (isSeen ? [["a", "b"]] : []))
        let exported = try String(decoding: cafe().exportJSON(), as: UTF8.self)
        #expect(Array(exported.utf8).firstRange(of: Array("\"\(Self.one)\":\"a\"".utf8)) != nil)
        #expect(Array(exported.utf8).firstRange(of: Array("\"\(Self.two)\":\"b\"".utf8)) != nil)
    }

    @Test func `an import finds a dictionary's keys by their bytes`() throws {
        let report = try Cafe.importDictionaries(
            [["id": 1, Self.two: "b"], ["id": 2, Self.one: "a"]], in: context)
        #expect(report.inserted == 2)
        let found = try Cafe.find(sortedBy: .ascending(\.id), in: context)
        #expect(found.map(\.composed) == [nil, "a"] && found.map(\.decomposed) == ["b", nil])
    }

    @Test func `an import finds an Encodable row's keys by their bytes`() throws {
        struct Row: Encodable {
            let composed: Bool
            func encode(to encoder: any Encoder) throws {
                try (composed ? ["id": "1", "caf\u{E9}": "a"] : ["id": "2", "cafe\u{301}": "b"])
                    .encode(to: encoder)
            }
        }
        try Cafe.importEncodable([Row(composed: true), Row(composed: false)], in: context)
        let found = try Cafe.find(sortedBy: .ascending(\.id), in: context)
        #expect(found.map(\.composed) == ["a", nil] && found.map(\.decomposed) == [nil, "b"])
    }

    @Test func `ImportValue treats keys that differ only in Unicode form as different`() throws {
        let value: ImportValue = ["\(Self.one)": 1, "\(Self.two)": 2]
        #expect(value[Self.one] == 1 && value[Self.two] == 2)
        #expect(value != ["\(Self.one)": 1])
        #expect(ImportValue.object(["\(Self.one)": 1]) != .object(["\(Self.two)": 1]))
        let report = try Cafe.importValues(
            [["id": 1, "\(Self.one)": "a", "\(Self.two)": "b"]], in: context)
        #expect(report.inserted == 1)
        #expect(try cafe().composed == "a" && cafe().decomposed == "b")
    }

    @Test func `import transforms find keys by their bytes`() throws {
        let rows = [#"{"re\u0301": "a"}"#, #"{"r\u00e9": "b"}"#].enumerated()
        let text = "[\(rows.map { #"{"id": \#($0), "chosen": \#($1)}"# }.joined(separator: ","))]"
        try Cafe.importJSON(Data(text.utf8), in: context)
        let found = try Cafe.find(sortedBy: .ascending(\.id), in: context)
        #expect(found.map(\.chosen) == ["a", "none"])
    }

    @Test func `a dot separates an import key path even before a combining character`() throws {
        let text = #"{"id": 1, "x": {"\u0301y": 5}}"#
        #expect(try Cafe.importJSON(Data(text.utf8), in: context).inserted == 1)
        #expect(try cafe().inner == 5)
    }

    @Test func `an import compares discriminators and the path of rows byte by byte`() throws {
        let text = #"""
            {"r\u00e9": [{"id": 1, "k\u00e9": "d\u00e9"}, {"id": 2, "ke\u0301": "d\u00e9"},
             {"id": 3, "k\u00e9": "de\u0301"}], "re\u0301": []}
            """#
        let report = try Menu.importJSON(Data(text.utf8), at: "r\u{E9}", in: context)
        #expect(report.inserted == 2 && report.skipped == 1)
        #expect(try MenuDuJour.find(in: context).map(\.id) == [1])
        let none = try Menu.importJSON(Data(text.utf8), at: "re\u{301}", in: context)
        #expect(none.rows == 0)
        let value = try Menu.importDictionaries([["id": 9, "k\u{E9}": "d\u{E9}"]], in: context)
        #expect(value.inserted == 1)
        #expect(try MenuDuJour.count(in: context) == 2)
    }
}
