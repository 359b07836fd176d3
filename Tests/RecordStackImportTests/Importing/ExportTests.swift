import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Harvest: ManagedObject {
    @Attribute(.unique, .imported(from: "id")) var number: Int
    @Attribute(.imported(from: "meta.title", "title")) var title: String?
    @Attribute(.imported(from: "meta.place.0")) var east: Double?
    @Attribute(.imported(from: "meta.place.1")) var north: Double?
    @Attribute var cutAt: Date?
    @Attribute(.imported(from: "day"), .dateFormat(.pattern("EEEE, d. MMMM yyyy"))) var day: Date?
    @Attribute(.dateFormat(.millisecondsSince1970)) var ms: Date?
    @Attribute(.notImported) var secret: String?
    @Attribute(.imported(from: #"app\.version"#)) var version: String?
    @Attribute(
        .importTransform { .number(($0.double ?? 0) / 100) },
        .exportTransform { .number(Int(($0.double ?? 0) * 100)) }) var price: Double?
    @Attribute var flags: [String] = []
    @Attribute var isRipe: Bool = false
    @Relationship(inverse: \Orchard.harvests) var orchard: Orchard?
    @Relationship(inverse: \Crop.harvest) var crops: OrderedToMany<Crop>
    @Relationship(inverse: \Harvest.followers) var previous: Harvest?
    @Relationship(.notImported) var followers: ToMany<Harvest>
}

@Entity final class Orchard: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var harvests: ToMany<Harvest>
}

/// An entity without an identity.
@Entity final class Crop: ManagedObject {
    @Attribute var kind: String
    @Attribute var amount: Int = 0
    @Relationship var harvest: Harvest?
}

@Entity final class Jar: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var lid: String? = "tin"
    @Attribute var label: String?
    @Attribute(.imported(from: "owner.name")) var holder: String?
    @Relationship var owner: Orchard?
}

/// An entity whose transforms write values that JSON does not have.
@Entity final class Cask: ManagedObject {
    @Attribute(.exportTransform { .number($0.double == 1 ? "1,5" : "-0.5e1") }) var age: Int = 0
    @Attribute(
        .exportTransform {
            .array([.object(["of": .date(Date(timeIntervalSince1970: $0.double ?? 0))])])
        })
    var filled: Double = 0
}

@Suite("Exports") struct ExportTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(
            for: Harvest.self, Orchard.self, Crop.self, Beast.self, Hound.self, Tabby.self,
            Jar.self)
        context = test.stack.newContext()
    }

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    private func makeHarvests() throws -> Harvest {
        let orchard = try Orchard.create(in: context, name: "o")
        let first = try Harvest.create(in: context, number: 2)
        let harvest = try Harvest.create(in: context, number: 1)
        harvest.title = "a \"b\" \n é \u{1}"
        (harvest.east, harvest.north) = (1.5, -2)
        harvest.cutAt = Date(timeIntervalSinceReferenceDate: 539_659_573.5)
        harvest.day = Date(timeIntervalSince1970: 1_517_961_600)
        harvest.ms = Date(timeIntervalSince1970: 1.5)
        (harvest.secret, harvest.version, harvest.price) = ("s", "1.0", 12.5)
        harvest.flags = ["x", "y"]
        harvest.isRipe = true
        harvest.orchard = orchard
        harvest.previous = first
        for kind in ["pear", "apple"] {
            harvest.crops.append(try Crop.create(in: context, kind: kind))
        }
        return harvest
    }

    @Test func `an export writes an object in the form that an import reads`() throws {
        let harvest = try makeHarvests()
        var options = ExportOptions()
        options.except = ["crops"]
        let written = try text(harvest.exportJSON(options: options))
        #expect(
            written == #"""
                {"id":1,"meta":{"title":"a \"b\" \n é \u0001","place":[1.5,-2]},"cutAt":"2018-02-07T01:26:13.5Z",\#
                "day":"Wednesday, 7. February 2018","ms":1500,"app.version":"1.0","price":1250,"flags":["x","y"],\#
                "isRipe":true,"orchard":"o","previous":2}

                """#)
    }

    @Test func `an export writes whole milliseconds as whole numbers`() throws {
        let harvest = try makeHarvests()
        var options = ExportOptions()
        options.only = ["ms"]
        let years =
            (0..<1_000).map { 1_080_000_000_001 + $0 * 41 } + [-1, 0, 1, 253_402_300_799_999]
        for milliseconds in years {
            harvest.ms = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            let written = try text(harvest.exportJSON(options: options))
            #expect(written == "{\"ms\":\(milliseconds)}\n")
        }
        harvest.ms = Date(timeIntervalSince1970: 1.0625)
        #expect(try text(harvest.exportJSON(options: options)) == "{\"ms\":1062.5}\n")
    }

    @Test func `an export follows relationships to the requested depth`() throws {
        let harvest = try makeHarvests()
        var options = ExportOptions()
        options.only = ["number", "orchard", "crops", "previous"]
        options.depth = 1
        let written = try text(harvest.exportJSON(options: options))
        #expect(
            written == #"""
                {"id":1,"orchard":{"name":"o","harvests":[1]},"crops":[{"kind":"pear","amount":0},\#
                {"kind":"apple","amount":0}],"previous":{"id":2,"meta":{"title":null,"place":[null,null]},\#
                "cutAt":null,"day":null,"ms":null,"app.version":null,"price":null,"flags":[],"isRipe":false,\#
                "orchard":null,"previous":null}}

                """#)
    }

    @Test func `the export options only and except select and exclude properties`() throws {
        let harvest = try makeHarvests()
        var options = ExportOptions()
        options.only = ["number", "orchard.name", "crops.kind"]
        #expect(
            text(try harvest.exportJSON(options: options))
                == #"{"id":1,"orchard":{"name":"o"},"crops":[{"kind":"pear"},{"kind":"apple"}]}"#
                + "\n")
        options = ExportOptions()
        options.depth = 1
        options.includesNulls = false
        options.except = [
            "title", "east", "north", "day", "ms", "cutAt", "version", "price", "flags", "isRipe",
            "orchard.harvests", "crops.amount", "previous.isRipe", "previous.flags",
        ]
        #expect(
            text(try harvest.exportJSON(options: options))
                == #"{"id":1,"orchard":{"name":"o"},"crops":[{"kind":"pear"},{"kind":"apple"}],"previous":{"id":2}}"#
                + "\n")
    }

    @Test func `an export throws misuse if it is limited to an unknown property path`() throws {
        for path in ["numbr", "number.x", "orchard.nme", ""] {
            var options = ExportOptions()
            options.only = [path]
            let error = #expect(throws: RecordStackError.self) {
                _ = try Harvest.exportJSON(in: context, options: options)
            }
            #expect(error?.code == .misuse, "\(path)")
        }
    }

    @Test func `an export of a cycle ends at an object that is being written`() throws {
        let a = try Harvest.create(in: context, number: 1)
        let b = try Harvest.create(in: context, number: 2)
        (a.previous, b.previous) = (b, a)
        var options = ExportOptions()
        options.depth = 10
        options.only = ["number", "previous.number", "previous.previous.number"]
        #expect(
            text(try a.exportJSON(options: options))
                == #"{"id":1,"previous":{"id":2,"previous":1}}"# + "\n")
    }

    @Test func `an export writes objects in a fixed order, as JSON or as lines`() throws {
        for number in [3, 1, 2] { try Harvest.create(in: context, number: number) }
        var options = ExportOptions()
        options.only = ["number"]
        #expect(
            text(try Harvest.exportJSON(in: context, options: options))
                == #"[{"id":1},{"id":2},{"id":3}]"# + "\n")
        let large = try Harvest.exportJSON(
            sortedBy: .descending(\.number), in: context, options: options
        ) { $0.number >= 2 }
        #expect(text(large) == #"[{"id":3},{"id":2}]"# + "\n")
        options.format = .ndjson
        #expect(
            text(try Harvest.exportJSON(in: context, options: options))
                == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
        options.format = .json
        options.isPretty = true
        let pretty = try Harvest.exportJSON(in: context, options: options) { $0.number == 1 }
        #expect(text(pretty) == "[\n  {\n    \"id\": 1\n  }\n]\n")
        #expect(text(try Orchard.exportJSON(in: context, options: ExportOptions())) == "[]\n")
    }

    @Test func `an export throws misuse if a transform returns an invalid number`() throws {
        let context = try TestStack(for: Cask.self).stack.newContext()
        let cask = try Cask.create(in: context)
        #expect(
            text(try cask.exportJSON())
                == #"{"age":-0.5e1,"filled":[{"of":"1970-01-01T00:00:00Z"}]}"# + "\n")
        cask.age = 1
        let error = #expect(throws: RecordStackError.self) { _ = try cask.exportJSON() }
        #expect(error?.code == .misuse && error?.property == "age")
        #expect(error?.message.contains("is 1,5, which cannot be written in JSON") == true)
        (cask.age, cask.filled) = (2, 1e13)
        let late = #expect(throws: RecordStackError.self) { _ = try cask.exportJSON() }
        #expect(late?.property == "filled")
    }

    @Test func `an export writes the discriminator of a subentity`() throws {
        let hound = try Hound.create(in: context)
        hound.tag = "h"
        var options = ExportOptions()
        options.only = ["tag", "barks"]
        #expect(
            text(try hound.exportJSON(options: options))
                == #"{"tag":"h","barks":false,"meta":{"kind":"hound"}}"# + "\n")
        options.only = ["tag"]
        let beasts = try Beast.exportJSON(in: context, options: options)
        #expect(text(beasts) == #"[{"tag":"h","meta":{"kind":"hound"}}]"# + "\n")
        let other = try TestStack(for: Beast.self, Hound.self, Tabby.self)
        let fresh = other.stack.newContext()
        #expect(try Beast.importJSON(beasts, in: fresh).inserted == 1)
        #expect(try Hound.count(in: fresh) == 1)
    }

    @Test func `an export to a file is complete and reads back the same`() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("recordstack-export-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: url) }
        for number in 0..<3_000 { try Harvest.create(in: context, number: number) }
        #expect(try Harvest.exportJSON(to: url, in: context) == 3_000)
        let other = try TestStack(for: Harvest.self, Orchard.self, Crop.self)
        let fresh = other.stack.newContext()
        #expect(try Harvest.importJSON(contentsOf: url, in: fresh).inserted == 3_000)
        #expect(try Harvest.exportJSON(in: fresh) == Data(contentsOf: url))
        let error = #expect(throws: RecordStackError.self) {
            _ = try Harvest.exportJSON(
                to: URL(fileURLWithPath: "/nowhere/x.json"), in: context)
        }
        #expect(error?.code == .io)
    }

    @Test func `a failed export leaves an existing file unchanged`() throws {
        for number in 0..<3_000 { try Harvest.create(in: context, number: number) }
        try #require(try Harvest.findFirst(by: \.number, 2_999, in: context)).east = .infinity
        let folder = try TemporaryFolder("export")
        let path = folder.file("harvest.json")
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: RecordStackError.self) {
            _ = try Harvest.exportJSON(to: URL(fileURLWithPath: path), in: context)
        }
        #expect(error?.code == .misuse && error?.property == "east")
        #expect(try folder.contents() == ["harvest.json": Data("old".utf8)])
    }

    @Test func `an export loads related objects in batches`() throws {
        for number in 0..<200 {
            let harvest = try Harvest.create(in: context, number: number)
            harvest.orchard = try Orchard.create(in: context, name: "\(number)")
            harvest.crops.append(try Crop.create(in: context, kind: "k"))
        }
        try context.saveAndWait()
        let fresh = test.stack.newContext()
        var options = ExportOptions()
        options.depth = 1
        options.except = ["orchard.harvests"]
        // Statements for harvests, orchards, crops and previous harvests.
        let data = try test.expectStatements(...8) {
            try Harvest.exportJSON(in: fresh, options: options)
        }
        #expect(data.count > 1_000)
    }

    @Test func `an export writes null for a nil that an import would set to a default`() throws {
        let jar = try Jar.create(in: context, number: 1)
        (jar.lid, jar.label) = (nil, nil)
        var options = ExportOptions()
        options.includesNulls = false
        options.except = ["owner", "holder"]
        let data = try jar.exportJSON(options: options)
        #expect(text(data) == #"{"number":1,"lid":null}"# + "\n")
        let fresh = try TestStack(for: Jar.self).stack.newContext()
        #expect(try Jar.importJSON(data, in: fresh).inserted == 1)
        #expect(try Jar.find(in: fresh).map(\.lid) == [nil])
    }

    @Test func `an export throws misuse for a key path inside a value of another key`() throws {
        let jar = try Jar.create(in: context, number: 1)
        jar.owner = try Orchard.create(in: context, name: "o")
        let error = try #require(throws: RecordStackError.self) { _ = try jar.exportJSON() }
        #expect(error.code == .misuse)
        #expect(
            error.message.contains(
                "holder of Jar would be written within owner, where owner is written"),
            "\(error.message)")
        #expect(error.message.contains("options.depth"))
        var options = ExportOptions()
        options.except = ["holder"]
        #expect(try text(jar.exportJSON(options: options)).contains(#""owner":"o""#))
        (options.except, options.depth) = ([], 1)
        jar.holder = "o"
        #expect(try text(jar.exportJSON(options: options)).contains(#""owner":{"name":"o""#))
    }

    @Test func `an export throws misuse for a value that JSON cannot contain`() throws {
        let harvest = try Harvest.create(in: context, number: 1)
        harvest.east = .infinity
        let error = #expect(throws: RecordStackError.self) { _ = try harvest.exportJSON() }
        #expect(error?.code == .misuse && error?.property == "east")
    }

    @Test(arguments: [
        0, 0.5, -0.25, 812_345_678.123_456, -1e-7, 1e-300, 1e9 / 3, -63_113_904_000,
        252_423_993_599.5,
        -978_307_200.1, 1_234_567.000_001,
    ])
    func `an exported date is imported without any loss`(seconds: Double) throws {
        let harvest = try Harvest.create(in: context, number: 1)
        harvest.cutAt = Date(timeIntervalSinceReferenceDate: seconds)
        var options = ExportOptions()
        options.only = ["number", "cutAt"]
        let data = try harvest.exportJSON(options: options)
        let report = try Harvest.importJSON(data, in: context)
        #expect(report.unchanged == 1, "\(text(data))")
        #expect(harvest.cutAt?.timeIntervalSinceReferenceDate == seconds)
    }
}
