import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Epoch: ManagedObject {
    @Attribute var plain: Date?
    @Attribute(.dateFormat(.secondsSince1970)) var seconds: Date?
    @Attribute(.dateFormat(.millisecondsSince1970)) var milliseconds: Date?
    @Attribute(.dateFormat(.secondsSince1970, .millisecondsSince1970)) var both: Date?
    @Attribute(.dateFormat(.millisecondsSince1970, .secondsSince1970)) var either: Date?
    @Attribute(.dateFormat(.iso8601, .millisecondsSince1970, .secondsSince1970)) var any: Date?
    @Attribute(.dateFormat(.pattern("yyyyMMdd"), .pattern("yyyy"))) var compact: Date?
    @Attribute(.dateFormat(.pattern("yyyyMMdd"), .secondsSince1970)) var mixed: Date?
}

@Suite("Ambiguous dates")
struct ImportDateFormatTests {
    private let context: ManagedObjectContext

    init() throws { context = try TestStack(for: Epoch.self).stack.newContext() }

    private func load(_ key: String, _ json: String) throws -> (date: Date?, problem: String?) {
        let report = try Epoch.importJSON(Data(#"{"\#(key)": \#(json)}"#.utf8), in: context)
        let epoch = try #require(try Epoch.find(in: context).last)
        let value = epoch.changedValues()[key] ?? .null
        return (Date(storedValue: value), report.problems.first?.message)
    }

    @Test(arguments: ["2014", "20140831", "1517966773", "1517966773250", "0", "-1", "+5"])
    func `an imported date of digits alone is a problem that names the formats`(text: String) throws
    {
        let (date, problem) = try load("plain", "\"\(text)\"")
        #expect(date == nil)
        let message = try #require(problem)
        #expect(message.contains("ISO 8601") && message.contains(".dateFormat"), "\(message)")
    }

    @Test func `text of digits alone is imported as a date if a date format fits it`() throws {
        let day = Date(timeIntervalSince1970: 1_409_443_200)
        #expect(try load("compact", #""20140831""#).date == day)
        #expect(try load("compact", #""2014""#).date == Date(timeIntervalSince1970: 1_388_534_400))
        #expect(try load("mixed", #""20140831""#).date == day)
        #expect(
            try load("seconds", #""20140831""#).date == Date(timeIntervalSince1970: 20_140_831))
        let message = try load("compact", #""201408""#).problem
        #expect(message?.contains("yyyyMMdd") == true && message?.contains("yyyy") == true)
    }

    @Test(arguments: ["plain", "seconds", "milliseconds", "both", "either", "any", "mixed"])
    func `an imported date before year 1 or after 9999 is a problem`(key: String) throws {
        for json in ["253402300800000", "-62135596800001", "1e17", "-1e17", "1e300"] {
            let (date, problem) = try load(key, json)
            #expect(date == nil || key == "milliseconds" && json.hasPrefix("-6"), "\(key) \(json)")
            #expect(problem?.contains("9999") == true || date != nil, "\(problem ?? "")")
        }
        #expect(try load("plain", "1517966773250").date == nil)
        #expect(try load("plain", "253402300800").date == nil)
        #expect(
            try load("plain", "253402300799").date == Date(timeIntervalSince1970: 253_402_300_799))
        #expect(
            try load("plain", "-62135596800").date == Date(timeIntervalSince1970: -62_135_596_800))
        #expect(try load("plain", "-62135596801").date == nil)
        let far = Date(timeIntervalSince1970: 1e15)
        let report = try Epoch.importDictionaries([["plain": far]], in: context)
        #expect(report.problems.map(\.property) == ["plain"])
    }

    @Test(arguments: ["both", "either", "any"])
    func `an import picks the plausible one of two numeric date formats`(key: String) throws {
        let moment = Date(timeIntervalSince1970: 1_517_966_773)
        #expect(try load(key, "1517966773").date == moment)
        #expect(try load(key, "1517966773000").date == moment)
        #expect(try load(key, #""1517966773""#).date == moment)
        #expect(try load(key, #""1517966773000""#).date == moment)
        #expect(try load(key, "1517966773.0").date == moment)
        let early = Date(timeIntervalSince1970: -1_517_966_773)
        #expect(try load(key, "-1517966773").date == early)
        #expect(try load(key, "-1517966773000").date == early)
        // The number is too short to tell, so the first declared format applies.
        let isSeconds = key == "both"
        #expect(try load(key, "5000").date == Date(timeIntervalSince1970: isSeconds ? 5_000 : 5))
    }

    @Test func `an import tells seconds from milliseconds between 1973 and 5138`() throws {
        var seeds = Seeded.fromEnvironment()
        for _ in 0..<Seeded.rounds(200, full: 10_000) {
            let seconds = Int.random(in: 100_000_000..<100_000_000_000, using: &seeds)
            for key in ["both", "either", "any"] {
                let wanted = Date(timeIntervalSince1970: Double(seconds))
                let place: Comment = "seed \(seeds.seed): \(key) \(seconds)"
                #expect(try load(key, "\(seconds)").date == wanted, place)
                #expect(try load(key, "\(seconds)000").date == wanted, place)
            }
        }
    }
}
