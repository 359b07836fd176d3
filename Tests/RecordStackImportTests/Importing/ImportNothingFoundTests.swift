import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Beacon: ManagedObject {
    @Attribute var name: String = "none"
    @Attribute(.imported(from: "place.east")) var east: Double?
    @Relationship(inverse: \Signal.beacon) var signals: ToMany<Signal>
}

@Entity final class Signal: ManagedObject {
    @Attribute var text: String?
    @Relationship(.notImported) var beacon: Beacon?
}

/// An entity without imported properties. Hooks set its values.
@Entity final class Echo: ManagedObject {
    @Attribute(.notImported) var text: String = ""
}

@Suite("Rows without any declared key")
struct ImportNothingFoundTests {
    private let context: ManagedObjectContext

    init() throws {
        context = try TestStack(for: Beacon.self, Signal.self, Echo.self).stack.newContext()
    }

    static let rows = [
        #"{"message": "rate limit exceeded"}"#, "{}", #"{"place": {}}"#, #"{"place": {"west": 1}}"#,
        #"{"place": 3}"#, #"{"Name": "a"}"#, #"{"data": [{"name": "a"}]}"#,
    ]

    @Test(arguments: rows)
    func `an import row without a declared key is a problem, not a new object`(row: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(row.utf8))
        let dictionary = try #require(value as? [String: Any])
        let reports = [
            try Beacon.importJSON(Data(row.utf8), in: context),
            try Beacon.importDictionaries([dictionary], in: context),
        ]
        for report in reports {
            #expect(report.skipped == 1 && report.inserted == 0 && !context.hasChanges)
            #expect(report.problems.map(\.isRowSkipped) == [true])
            let message = try #require(report.problems.first?.message)
            #expect(message.contains("name, place.east, signals"), "\(message)")
            for key in dictionary.keys { #expect(message.contains(key), "\(message)") }
        }
        #expect(reports[0].problems == reports[1].problems)
    }

    @Test(arguments: [
        #"{"name": "a"}"#, #"{"name": null}"#, #"{"place": {"east": null}}"#, #"{"signals": []}"#,
        #"{"signals": null}"#, #"{"place": {"east": "x"}}"#,
    ])
    func `an import row with a known key is imported even if its value is wrong`(row: String) throws
    {
        let report = try Beacon.importJSON(Data(row.utf8), in: context)
        #expect(report.inserted == 1)
    }

    @Test func `an import reports a nested object without a declared key by its path`() throws {
        let text = #"{"name": "a", "signals": [{"text": "x"}, {"error": 1}, {}]}"#
        let report = try Beacon.importJSON(Data(text.utf8), in: context)
        #expect(report.inserted == 1)
        #expect(report.problems.map(\.path) == ["signals.1", "signals.2"])
        #expect(try Signal.find(in: context).map(\.text) == ["x"])
    }

    @Test func `importing a row without a declared key leaves the object unchanged`() throws {
        let beacon = try Beacon.create(in: context)
        let report = try beacon.importJSON(Data(#"{"error": 1}"#.utf8))
        #expect(report.skipped == 1 && report.problems.count == 1)
        #expect(try beacon.importJSON(Data(#"{"name": "b"}"#.utf8)).updated == 1)
    }

    @Test func `an import of an entity without imported properties accepts any row`() throws {
        var hooks = ImportHooks()
        hooks.didImport(Echo.self) { echo, row in echo.text = row["x"]?.string ?? "-" }
        let text = Data(#"[{"x": "a"}, {}]"#.utf8)
        #expect(try Echo.importJSON(text, in: context, hooks: hooks).inserted == 2)
        #expect(try Set(Echo.find(in: context).map(\.text)) == ["a", "-"])
    }

    @Test(arguments: [
        ("data", "items, meta"), ("items.0", "array of 0"), ("meta.page", "next"),
        ("meta.next.x", "number"), ("meta.text.x", "text"), ("items.x", "array"),
        ("meta.none.x", "null"),
    ])
    func `the error for a missing import path lists the keys that exist`(
        path: String, found: String
    ) async throws {
        let stack = try TestStack(for: Beacon.self, Signal.self).stack
        let text = Data(#"{"items": [], "meta": {"next": 2, "text": "t", "none": null}}"#.utf8)
        let error = #expect(throws: RecordStackError.self) {
            _ = try Beacon.importJSON(text, at: path, in: context)
        }
        #expect(error?.message.contains(found) == true, "\(path): \(error?.message ?? "")")
        let streamed = await #expect(throws: RecordStackError.self) {
            _ = try await stack.importJSON(text, at: path, into: Beacon.self)
        }
        #expect(streamed?.message == error?.message)
    }
}
