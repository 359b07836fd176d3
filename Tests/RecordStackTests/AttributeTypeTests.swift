import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

enum Status: String, CaseIterable, AttributeValue {
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

/// An entity with each type of attribute, required and not.
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

/// Every type of attribute, at its extremes, on every way that a value takes.
@Suite struct AttributeTypeTests {
    private static let decimals = [
        "0", "-1", "0.1", "-0.000000000000000000000000000001", "12.5",
        "99999999999999999999999999999999999999", "-9999999999999999999.9999999999999999999",
        "100000000000000000000000000000000000000000000000000", "1e-127", "1e127",
    ].map { Decimal(string: $0)! }

    private static let dates: [Date] = [
        -63_114_076_800, -978_307_200.000_001, -31_622_400.5, 0, 0.123_456_789, 252_423_993_599.999,
    ].map { Date(timeIntervalSinceReferenceDate: $0) }

    private static let texts = [
        "", "\0", "a\0b", "🏴󠁧󠁢󠁥󠁮󠁧󠁿👩‍👩‍👧‍👦", "e\u{301}", "\u{e9}", "\u{FEFF}x", "\u{10FFFF}",
        String(repeating: "ä", count: 500_000),
    ]

    /// Gives an object the extremes of a round.
    private static func fill(_ object: Specimen, _ round: Int) {
        func pick<Value>(_ values: [Value]) -> Value { values[round % values.count] }
        object.int8 = pick([.min, .max, 0])
        object.int16 = pick([.min, .max, 0])
        object.int32 = pick([.min, .max, 0])
        object.int64 = pick([.min, .max, 0])
        object.uint8 = pick([.min, .max, 1])
        object.uint16 = pick([.min, .max, 1])
        object.uint32 = pick([.min, .max, 1])
        object.uint64 = pick([.min, .max, UInt64(Int64.max), UInt64(Int64.max) + 1])
        object.uint = pick([.min, .max, 1])
        object.float = pick([.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, 0.1])
        object.double = pick([
            .leastNonzeroMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .ulpOfOne,
            .pi,
        ])
        object.decimal = pick(decimals)
        object.text = pick(texts)
        object.date = pick(dates)
        object.data = pick([Data(), Data([0]), Data(repeating: 0xFF, count: 1 << 20)])
        object.status = pick(Status.allCases)
        object.priority = pick([.low, .high])
        object.address = Address(street: pick(texts), floors: [round], since: pick(dates))
        object.tags = pick([[], ["a/b", "\0\"\\"], ["", "é"]])
        object.scores = pick([[:], ["z": 0.1, "a": -0.0, "m": 1e308]])
        object.maybeInt8 = pick([nil, -1])
        object.maybeUInt64 = pick([.max, nil])
        object.maybeFloat = pick([nil, 1.5])
        object.maybeDouble = pick([nil, .leastNonzeroMagnitude])
        object.maybeDecimal = pick([nil] + decimals)
        object.maybeStatus = pick([nil, .withdrawn])
        object.maybeAddress = pick([nil, Address(street: "x")])
        object.maybeTags = pick([nil, [], ["x"]])
    }

    /// What the attributes were set to, as text that differs where any bit does.
    private static func print(_ object: Specimen) -> [String] {
        [
            "\(object.int8) \(object.int16) \(object.int32) \(object.int64)",
            "\(object.uint8) \(object.uint16) \(object.uint32) \(object.uint64) \(object.uint)",
            "\(object.float.bitPattern) \(object.double.bitPattern) \(object.decimal)",
            "\(Array(object.text.utf8).hashValue) \(object.data.hashValue)",
            "\(object.date.timeIntervalSinceReferenceDate.bitPattern)",
            "\(object.status) \(object.priority) \(object.tags) \(object.scores.count)",
            "\(object.address.street.utf8.count) \(object.address.floors)",
            "\(object.address.since?.timeIntervalSinceReferenceDate.bitPattern ?? 0)",
            "\(object.maybeInt8 as Any) \(object.maybeUInt64 as Any) \(object.maybeFloat as Any)",
            "\(object.maybeDouble as Any) \(object.maybeDecimal as Any)",
            "\(object.maybeStatus as Any) \(object.maybeAddress as Any) \(object.maybeTags as Any)",
        ]
    }

    private static let rounds = 40

    /// The texts that a plain object with the same values would print.
    private func expected(_ context: ManagedObjectContext) throws -> [[String]] {
        try (0..<Self.rounds).map { round in
            let object = try Specimen.create(in: context, number: round)
            Self.fill(object, round)
            return Self.print(object)
        }
    }

    @Test(arguments: [TestStack.Place.memory, .temporaryFile])
    func `extremes survive saving, merging, refreshing and reopening`(place: TestStack.Place)
        async throws
    {
        let test = try TestStack(for: Specimen.self, at: place)
        let follower = test.stack.newContext()
        let context = test.stack.newContext()
        for number in 0..<Self.rounds { try Specimen.create(in: context, number: number) }
        try await context.save()
        // Registered with other values, so that the extremes come to them by merging.
        let followers = try Specimen.find(in: follower)
        for (round, object) in try Specimen.find(in: context).enumerated() {
            Self.fill(object, round)
        }
        try await context.save()
        let scratch = try TestStack(for: Specimen.self).stack.newContext()
        let expected = try expected(scratch)
        #expect(try Specimen.find(in: context).map(Self.print) == expected)
        _ = try Specimen.count(in: follower)
        #expect(followers.map(Self.print) == expected)
        #expect(try Specimen.find(in: test.stack.newContext()).map(Self.print) == expected)
        for object in followers {
            try follower.refresh(object, mergingChanges: false)
        }
        #expect(followers.map(Self.print) == expected)
        if let path = test.path {
            try test.stack.close()
            let again = try ContextStack(for: Specimen.self, at: .file(path))
            #expect(try Specimen.find(in: again.newContext()).map(Self.print) == expected)
            try again.close()
        }
    }

    @Test func `what was not changed is no change`() async throws {
        let test = try TestStack(for: Specimen.self)
        let context = test.stack.newContext()
        _ = try expected(context)
        try await context.save()
        for (round, object) in try Specimen.find(in: context).enumerated() {
            Self.fill(object, round)
            #expect(!object.hasChanges, "\(object.changedValues())")
        }
        #expect(!context.hasChanges)
    }

    @Test func `snapshots and their JSON keep the extremes`() async throws {
        let context = try TestStack(for: Specimen.self).stack.newContext()
        _ = try expected(context)
        try await context.save()
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        for snapshot in try Specimen.snapshots(in: context) {
            let data = try encoder.encode(snapshot)
            #expect(try decoder.decode(Snapshot<Specimen>.self, from: data) == snapshot)
        }
    }

    @Test func `decimals are sorted and compared as the numbers that they are`() async throws {
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

    @Test func `enums are compared and looked up by their raw values`() async throws {
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

    @Test func `a stored value that is none of an enum's makes the find throw`() async throws {
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

    @Test func `not a number is nil, or fails validation, and minus zero is zero`() async throws {
        let context = try TestStack(for: Specimen.self).stack.newContext()
        let object = try Specimen.create(in: context, number: 1)
        object.maybeDouble = .nan
        object.maybeFloat = .nan
        object.maybeDecimal = .nan
        object.double = -0.0
        object.float = -0.0
        try await context.save()
        try context.refresh(object, mergingChanges: false)
        #expect(object.maybeDouble == nil && object.maybeFloat == nil && object.maybeDecimal == nil)
        #expect(object.double.sign == .plus && object.float.sign == .plus)
        object.double = .nan
        object.float = .nan
        object.decimal = .nan
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .validation)
        #expect(error?.failures.map(\.property) == ["float", "double", "decimal"])
    }
}
