import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

enum Status: String, CaseIterable, Codable, AttributeValue {
    case draft, published, withdrawn
}

enum Priority: Int8, AttributeValue {
    case low = -1
    case high = 1

    static var placeholder: Priority { .low }
}

struct Address: CodableAttributeValue {
    var street = ""
    var floors: [Int] = []
    var since: Date?

    static let placeholder = Address()
}

/// An entity with an attribute of every type, required and optional.
@Entity final class Specimen: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var int8: Int8 = 0
    @Attribute var int16: Int16 = 0
    @Attribute var int32: Int32 = 0
    @Attribute var int64: Int64 = 0
    @Attribute var uint8: UInt8 = 0
    @Attribute var uint16: UInt16 = 0
    @Attribute var uint32: UInt32 = 0
    @Attribute(.indexed) var uint64: UInt64 = 0
    @Attribute var uint: UInt = 0
    @Attribute var float: Float = 0
    @Attribute var double: Double = 0
    @Attribute(.indexed) var decimal: Decimal = 0
    @Attribute var text: String = ""
    @Attribute var date: Date = Date(timeIntervalSinceReferenceDate: 0)
    @Attribute var data: Data = Data()
    @Attribute var status: Status = .draft
    @Attribute var priority: Priority = .high
    @Attribute var address: Address = Address()
    @Attribute var tags: [String] = []
    @Attribute var scores: [String: Double] = [:]
    @Attribute var maybeInt8: Int8?
    @Attribute var maybeUInt64: UInt64?
    @Attribute var maybeFloat: Float?
    @Attribute var maybeDouble: Double?
    @Attribute var maybeDecimal: Decimal?
    @Attribute var maybeStatus: Status?
    @Attribute var maybeAddress: Address?
    @Attribute var maybeTags: [String]?
}

/// Rules that hold for single types of attributes. `ExtremeTests` covers all types.
@Suite("Attribute types") struct AttributeTypeTests {
    @Test func `an entity with attributes of every type keeps its values in a file`() async throws {
        let test = try TestStack(for: Specimen.self, at: .temporaryFile)
        let context = test.stack.newContext()
        let plain = try Specimen.create(in: context, number: 1)
        let full = try Specimen.create(
            in: context, number: 2, int8: .min, int16: .min, int32: .min, int64: .min, uint8: .max,
            uint16: .max, uint32: .max, uint64: .max, uint: .max, float: .infinity,
            double: -.infinity, decimal: Decimal(string: "-0.1")!, text: "\0", date: .distantPast,
            data: Data([0]), status: .withdrawn, priority: .low,
            address: Address(street: "é", floors: [1]), tags: [""], scores: ["a": .infinity],
            maybeInt8: .max, maybeUInt64: .max, maybeFloat: 0, maybeDouble: 0, maybeDecimal: 0,
            maybeStatus: .published, maybeAddress: Address(), maybeTags: [])
        try await context.save()
        let expected = try [plain.snapshot, full.snapshot]
        #expect(plain.maybeTags == nil && plain.priority == .high && full.maybeTags == [])
        #expect(full.date == .distantPast && full.uint64 == .max && full.scores == ["a": .infinity])
        #expect(try Specimen.snapshots(in: test.stack.newContext()) == expected)
        try test.stack.close()
        let again = try ContextStack(for: Specimen.self, at: .file(#require(test.path)))
        #expect(try Specimen.find(in: again.newContext()).snapshots() == expected)
        try again.close()
    }

    @Test func `decimals sort and compare by numeric value`() async throws {
        var random = Seeded.fromEnvironment()
        let stack = try TestStack(for: Specimen.self).stack
        let context = stack.newContext()
        var values: [Decimal] = []
        for number in 0..<500 {
            let digits = Int.random(in: -9_999...9_999, using: &random)
            let scale = Int.random(in: -8...8, using: &random)
            let value = Decimal(digits) * Decimal(sign: .plus, exponent: scale, significand: 1)
            values.append(value)
            try Specimen.create(in: context, number: number).decimal = value
        }
        let seed = random.seed
        func check(_ context: ManagedObjectContext) throws {
            let found = try Specimen.find(sortedBy: .ascending(\.decimal), in: context)
            #expect(found.map(\.decimal) == values.sorted(), "seed \(seed)")
            for limit in values.prefix(50) {
                let count = try Specimen.count(in: context) { $0.decimal < limit }
                #expect(count == values.count { $0 < limit }, "\(limit), seed \(seed)")
                let same = try Specimen.count(in: context) { $0.decimal == limit }
                #expect(same == values.count { $0 == limit }, "\(limit), seed \(seed)")
            }
        }
        try check(context)
        try await context.save()
        try check(stack.newContext())
    }

    @Test func `enum attributes are compared, looked up and imported by raw value`() async throws {
        let context = try TestStack(for: Specimen.self).stack.newContext()
        for (number, status) in Status.allCases.enumerated() {
            try Specimen.create(in: context, number: number).status = status
        }
        try await context.save()
        #expect(try Specimen.count(in: context) { $0.status == .published } == 1)
        #expect(try Specimen.findFirst(by: \.status, .withdrawn, in: context)?.number == 2)
        #expect(try Specimen.count(in: context) { $0.maybeStatus == nil } == 3)
        let report = try Specimen.importJSON(
            Data(#"[{"number": 0, "status": "withdrawn"}, {"number": 1, "status": "lost"}]"#.utf8),
            in: context)
        #expect(report.updated == 1 && report.skipped == 1)
        #expect(report.problems.first?.message == "status is “lost”, not a Status.")
    }

    @Test func `a find throws when a row holds an unknown raw value of an enum`() async throws {
        let test = try TestStack(for: Specimen.self, at: .temporaryFile)
        let context = test.stack.newContext()
        try Specimen.create(in: context, number: 1)
        try await context.save()
        try ForeignProgram(path: #require(test.path)).run("UPDATE Specimen SET status = 'lost'")
        let error = #expect(throws: RecordStackError.self) {
            try Specimen.find(in: test.stack.newContext())
        }
        #expect(error?.code == .corrupt && error?.property == "status")
    }
}
