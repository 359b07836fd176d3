import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// A real feed of 1,707 earthquakes, which is not part of this package.
private let feed = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/data/earthquakes.json")

@Suite(
    "Import of an earthquake feed",
    .enabled(if: FileManager.default.fileExists(atPath: feed.path)))
struct EarthquakeTests {
    private func load(_ test: TestStack) async throws -> ImportReport {
        let data = try Data(contentsOf: feed)
        return try await test.stack.saveWithBlock { context in
            try Quake.importJSON(data, at: "features", in: context)
        }
    }

    @Test func `a second import of the earthquake feed writes nothing`() async throws {
        let test = try TestStack(for: Quake.self, at: .temporaryFile)
        let first = try await load(test)
        #expect(first.inserted == 1_707 && first.rows == 1_707 && first.problems.isEmpty)
        test.recorder.reset()
        let second = try await load(test)
        let statements = test.recorder.statements
        #expect(second.unchanged == 1_707 && second.rows == 1_707)
        let writes = statements.filter { sql in
            ["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
        }
        #expect(writes.isEmpty, "\(writes)")
        let lookUps = statements.filter { $0.hasPrefix("SELECT t0.") }
        #expect(lookUps.count == 2, "one for each thousand rows: \(lookUps)")
    }

    @Test func `an import of the earthquake feed reads values as JSONDecoder does`() async throws {
        let test = try TestStack(for: Quake.self, at: .temporaryFile)
        _ = try await load(test)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        let decoded = try decoder.decode(Feed.self, from: Data(contentsOf: feed)).features
        let context = test.stack.newContext()
        for feature in decoded {
            let quake = try #require(try Quake.findFirst(by: \.id, feature.id, in: context))
            compare(quake, feature)
        }
        #expect(try Quake.count(in: context) == decoded.count)
    }

    private func compare(_ quake: Quake, _ feature: Feed.Feature) {
        let wanted = feature.properties
        #expect(quake.magnitude == wanted.mag)
        #expect(quake.place == wanted.place)
        #expect(quake.time == wanted.time && quake.updated == wanted.updated)
        #expect(quake.zoneMinutes == wanted.tz)
        #expect(quake.url == wanted.url && quake.detail == wanted.detail)
        #expect(quake.felt == wanted.felt && quake.cdi == wanted.cdi && quake.mmi == wanted.mmi)
        #expect(quake.alert == wanted.alert && quake.status == wanted.status)
        #expect(quake.tsunami == (wanted.tsunami != 0))
        #expect(quake.sig == wanted.sig && quake.net == wanted.net && quake.code == wanted.code)
        #expect(quake.ids == wanted.ids && quake.sources == wanted.sources)
        #expect(quake.types == wanted.types && quake.nst == wanted.nst)
        #expect(quake.dmin == wanted.dmin && quake.rms == wanted.rms && quake.gap == wanted.gap)
        #expect(quake.magType == wanted.magType && quake.kind == wanted.type)
        #expect(quake.title == wanted.title)
        let coordinates = feature.geometry.coordinates
        #expect(
            [quake.longitude, quake.latitude, quake.depth]
                == [coordinates[0], coordinates[1], coordinates[2]])
    }

    @Test func `another SQLite program can read the rows that an import has saved`() async throws {
        let test = try TestStack(for: Quake.self, at: .temporaryFile)
        _ = try await load(test)
        let program = try ForeignProgram(path: #require(test.path))
        #expect(
            try program.rows("SELECT count(*), max(magnitude) FROM Quake") == [["1707", "6.4"]])
        let columns = try program.rows(
            "SELECT name, type, \"notnull\" FROM pragma_table_info('Quake')")
        #expect(columns.first == ["_key", "INTEGER", "0"])
        #expect(columns.contains(["magnitude", "REAL", "0"]))
        #expect(columns.contains(["time", "REAL", "1"]))
        #expect(columns.contains(["id", "TEXT", "1"]))
    }

    @Test func `pages by number visit every imported row once`() async throws {
        let test = try TestStack(for: Quake.self)
        _ = try await load(test)
        let context = test.stack.newContext()
        var seen: [String] = []
        var number = 1
        while true {
            let page = try Quake.page(
                number, size: 100, sortedBy: [.descending(\.magnitude), .ascending(\.time)],
                in: context)
            #expect(page.total == 1_707 && page.pageCount == 18)
            seen += page.items.map(\.id)
            if !page.hasNext { break }
            number += 1
        }
        #expect(number == 18 && Set(seen).count == 1_707)
        let all = try Quake.find(
            sortedBy: [.descending(\.magnitude), .ascending(\.time)], in: context)
        #expect(all.map(\.id) == seen)
    }
}

@Entity final class Quake: ManagedObject {
    @Attribute(.unique) var id: String
    @Attribute(.indexed, .imported(from: "properties.mag")) var magnitude: Double?
    @Attribute(.imported(from: "properties.place")) var place: String?
    @Attribute(.imported(from: "properties.time"), .dateFormat(.millisecondsSince1970))
    var time: Date
    @Attribute(.imported(from: "properties.updated"), .dateFormat(.millisecondsSince1970))
    var updated: Date?
    @Attribute(.imported(from: "properties.tz")) var zoneMinutes: Int?
    @Attribute(.imported(from: "properties.url")) var url: URL?
    @Attribute(.imported(from: "properties.detail")) var detail: URL?
    @Attribute(.imported(from: "properties.felt")) var felt: Int?
    @Attribute(.imported(from: "properties.cdi")) var cdi: Double?
    @Attribute(.imported(from: "properties.mmi")) var mmi: Double?
    @Attribute(.imported(from: "properties.alert")) var alert: String?
    @Attribute(.imported(from: "properties.status")) var status: String?
    @Attribute(.imported(from: "properties.tsunami")) var tsunami: Bool = false
    @Attribute(.imported(from: "properties.sig")) var sig: Int?
    @Attribute(.imported(from: "properties.net")) var net: String?
    @Attribute(.imported(from: "properties.code")) var code: String?
    @Attribute(.imported(from: "properties.ids")) var ids: String?
    @Attribute(.imported(from: "properties.sources")) var sources: String?
    @Attribute(.imported(from: "properties.types")) var types: String?
    @Attribute(.imported(from: "properties.nst")) var nst: Int?
    @Attribute(.imported(from: "properties.dmin")) var dmin: Double?
    @Attribute(.imported(from: "properties.rms")) var rms: Double?
    @Attribute(.imported(from: "properties.gap")) var gap: Double?
    @Attribute(.imported(from: "properties.magType")) var magType: String?
    @Attribute(.imported(from: "properties.type")) var kind: String?
    @Attribute(.imported(from: "properties.title")) var title: String?
    @Attribute(.imported(from: "geometry.coordinates.0")) var longitude: Double?
    @Attribute(.imported(from: "geometry.coordinates.1")) var latitude: Double?
    @Attribute(.imported(from: "geometry.coordinates.2")) var depth: Double?
}

private struct Feed: Decodable {
    struct Feature: Decodable {
        let id: String
        let properties: Properties
        let geometry: Geometry
    }

    struct Geometry: Decodable {
        let coordinates: [Double?]
    }

    struct Properties: Decodable {
        let mag: Double?, place: String?, time: Date, updated: Date?, tz: Int?, url: URL?
        let detail: URL?, felt: Int?, cdi: Double?, mmi: Double?, alert: String?, status: String?
        let tsunami: Int, sig: Int?, net: String?, code: String?, ids: String?, sources: String?
        let types: String?, nst: Int?, dmin: Double?, rms: Double?, gap: Double?
        let magType: String?, type: String?, title: String?
    }

    let features: [Feature]
}
