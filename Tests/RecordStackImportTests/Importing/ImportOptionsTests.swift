import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Kettle: ManagedObject {
    @Attribute(.unique) var serialNo: Int
    @Attribute var madeAt: Date?
    @Attribute var ownerURL: String?
    @Attribute var volume: Double = 1
    @Attribute(.importing(absent: .leave)) var remark: String?
    @Relationship var lids: ToMany<Lid>
}

@Entity final class Lid: ManagedObject {
    @Attribute(.unique) var code: String
    @Relationship(.notImported, inverse: \Kettle.lids) var kettle: Kettle?
}

/// Options of an import that apply to all properties.
@Suite("Import options") struct ImportOptionsTests {
    private let context: ManagedObjectContext
    private let test: TestStack

    init() throws {
        test = try TestStack(for: Kettle.self, Lid.self)
        context = test.stack.newContext()
    }

    private func load(_ text: String, _ options: ImportOptions) throws -> ImportReport {
        try Kettle.importJSON(Data(text.utf8), in: context, options: options)
    }

    @Test func `the import option keyStyle snakeCase reads keys in snake case`() throws {
        var options = ImportOptions()
        options.keyStyle = .snakeCase
        let report = try load(
            #"{"serial_no": 1, "made_at": 0, "owner_url": "x", "serialNo": 2, "volume": 3}"#,
            options)
        #expect(report.inserted == 1)
        let kettle = try #require(try Kettle.findFirst(in: context))
        #expect(kettle.serialNo == 1 && kettle.madeAt != nil)
        #expect(kettle.ownerURL == "x" && kettle.volume == 3)
    }

    @Test func `an import with replace resets omitted properties unless declared leave`() throws {
        _ = try load(
            #"{"serialNo": 1, "ownerURL": "x", "volume": 3, "remark": "r", "lids": ["a", "b"]}"#,
            .patch)
        let kettle = try #require(try Kettle.findFirst(in: context))
        #expect(try load(#"{"serialNo": 1}"#, .patch).unchanged == 1)
        #expect(kettle.volume == 3 && kettle.lids.count == 2)
        #expect(try load(#"{"serialNo": 1, "lids": ["b"]}"#, .replace).updated == 1)
        #expect(kettle.ownerURL == nil && kettle.volume == 1 && kettle.remark == "r")
        #expect(kettle.lids.map(\.code) == ["b"])
        #expect(try load(#"{"serialNo": 1}"#, .replace).updated == 1)
        #expect(kettle.lids.isEmpty)
    }

    @Test func `an import with null ignore and value whenNil keeps existing values`() throws {
        let kettle = try Kettle.create(in: context, serialNo: 1, volume: 2, remark: "mine")
        var options = ImportOptions()
        options.null = .ignore
        options.value = .whenNil
        _ = try load(
            #"{"serialNo": 1, "volume": null, "remark": "theirs", "ownerURL": "theirs"}"#, options)
        #expect(kettle.volume == 2 && kettle.remark == "mine" && kettle.ownerURL == "theirs")
    }

    @Test func `an import ends when it has more problems than allowed`() throws {
        var options = ImportOptions()
        options.mostProblems = 1
        let one = #"[{"serialNo": "x"}, {"serialNo": 1}]"#
        #expect(try load(one, options).problems.count == 1)
        let error = #expect(throws: RecordStackError.self) {
            try load(#"[{"serialNo": "x"}, {"serialNo": "y"}]"#, options)
        }
        #expect(error?.code == .importFailed && error?.message.contains("Row 1") == true)
    }

    @Test func `a dry run of an import reports changes and makes none`() async throws {
        try Kettle.create(in: context, serialNo: 1)
        try await context.save()
        let pending = try Kettle.create(in: context, serialNo: 2)
        var options = ImportOptions()
        options.isDryRun = true
        let report = try load(
            #"[{"serialNo": 1, "volume": 9}, {"serialNo": 2, "volume": 1}, {"serialNo": 3, "lids": ["a"]}]"#,
            options)
        #expect(report.updated == 1 && report.unchanged == 1 && report.inserted == 1)
        #expect(context.insertedObjects.count == 1 && context.insertedObjects.first === pending)
        #expect(context.updatedObjects.isEmpty)
        #expect(try Lid.count(in: context) == 0 && Kettle.count(in: context) == 2)
    }

    @Test func `an import in small batches creates each object once`() throws {
        let rows = (0..<25).map {
            #"{"serialNo": \#($0 % 20), "lids": ["\#($0 % 3)", "\#($0 % 4)"]}"#
        }
        var options = ImportOptions()
        options.batchSize = 3
        let report = try load("[\(rows.joined(separator: ","))]", options)
        #expect(report.inserted == 20 && report.rows == 25)
        #expect(try Lid.count(in: context) == 4)
    }
}
