import Foundation
import RecordStack
import RecordStackTesting
import Testing

private enum Huge: UInt64, CaseIterable, AttributeValue {
    case small = 0
    case large = 0x8000_0000_0000_0000
    case top = 0xFFFF_FFFF_FFFF_FFFF
}

private enum Word: String, CaseIterable, AttributeValue {
    case empty = ""
    case nul = "\0"
    case plain
    case marked = "e\u{301}"
    case single = "\u{e9}"

    init?(rawValue: String) {
        // The synthesized initializer compares by canonical equivalence, which makes two cases
        // equal.
        let found = Self.allCases.first { $0.rawValue.utf8.elementsEqual(rawValue.utf8) }
        guard let found else { return nil }
        self = found
    }
}

private struct Moment: RawRepresentable, AttributeValue {
    var rawValue: Date
    static let placeholder = Moment(rawValue: .distantPast)
}

/// A value that encodes as a single number instead of an object.
private struct Single: CodableAttributeValue {
    var number: UInt64 = 0
    static let placeholder = Single()

    init(number: UInt64 = 0) { self.number = number }
    init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt64.self)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

/// A value whose encoding can throw.
private struct Unwritable: CodableAttributeValue {
    var isWritable = true
    static let placeholder = Unwritable()

    init(isWritable: Bool = true) { self.isWritable = isWritable }
    init(from decoder: any Decoder) throws {
        isWritable = try decoder.singleValueContainer().decode(Bool.self)
    }
    func encode(to encoder: any Encoder) throws {
        struct Refusal: Error {}
        guard isWritable else { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(isWritable)
    }
}

private struct Nest: CodableAttributeValue {
    var text = ""
    var real = 0.0
    var single: Float = 0
    var wide: Int64 = 0
    var unsigned: UInt64 = 0
    var decimal: Decimal = 0
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var data = Data()
    var uuid = UUID.placeholder
    var status: Status?
    var inner: [String: [Double?]] = [:]

    static let placeholder = Nest()

    /// The values as bits. Texts are compared byte by byte.
    var bits: [StoredValue] {
        let reals = [real.bitPattern, date.timeIntervalSinceReferenceDate.bitPattern]
        let inner = inner.mapValues { $0.map { $0?.bitPattern } }.sorted { $0.key < $1.key }
        return [text, "\(reals) \(single.bitPattern) \(inner)"].map(\.storedValue) + [
            wide.storedValue, unsigned.storedValue, decimal.storedValue, data.storedValue,
            uuid.storedValue, status.storedValue,
        ]
    }
}

/// The extreme values of each type, in sort order.
private enum Table {
    static let texts =
        [
            "", "\0", "\0\0", "\n\r\t\u{1B}", "\"'\\/", "A", "a", "a\0", "a\0b",
            String(repeating: "b", count: 1 << 20), "e\u{301}", "\u{7F}", "\u{e9}",
            String(repeating: "ä", count: 1 << 19), "\u{202E}rtl", "\u{FEFF}bom", "\u{FFFD}",
            "\u{FFFF}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍👩‍👧‍👦", "\u{10FFFF}",
        ].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }

    static let reals: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, (-1.0).nextDown, -1, (-1.0).nextUp,
        -.leastNormalMagnitude, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude,
        .leastNonzeroMagnitude.nextUp, .leastNormalMagnitude.nextDown, .leastNormalMagnitude,
        .ulpOfOne, 0.1, 0.1.nextUp, 1.0.nextDown, 1, 1.0.nextUp, .pi, 9_007_199_254_740_991,
        9_007_199_254_740_992, 9_223_372_036_854_775_808, .greatestFiniteMagnitude, .infinity,
    ]

    static let floats: [Float] = [
        -.infinity, -.greatestFiniteMagnitude, (-1 as Float).nextDown, -1, -.leastNonzeroMagnitude,
        0, .leastNonzeroMagnitude, .leastNormalMagnitude.nextDown, .leastNormalMagnitude, .ulpOfOne,
        0.1, (0.1 as Float).nextUp, 1, (1 as Float).nextUp, 16_777_216, .greatestFiniteMagnitude,
        .infinity,
    ]

    /// Dates of the years 1, 1969, 2001 and 9999, with fractions, and neighbours of some of them.
    static let dates: [Date] = [
        -.infinity, -.greatestFiniteMagnitude, -63_114_076_800, (-63_114_076_800.0).nextUp,
        -63_114_076_799.999, -1_009_843_199.75, -978_307_200.000_001, -978_307_200,
        -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 0.1, 0.123_456_789, 31_622_400.5,
        252_423_993_599.999, 252_423_993_599.999.nextUp, .greatestFiniteMagnitude, .infinity,
    ].map { Date(timeIntervalSinceReferenceDate: $0) }

    static let decimals: [Decimal] = {
        let digits = "12345678901234567890123456789012345678"
        let plain = [
            "0", "1", "0.1", "12.5", "99999999999999999999999999999999999999",
            "0.99999999999999999999999999999999999999", "9999999999999999999.9999999999999999999",
            "1e-128", "1e-127", "1e127", digits, digits + "e-128", digits + "e-64", digits + "e-37",
            digits + "e64", digits + "e127",
        ].map { Decimal(string: $0)! }
        let all = plain + [.greatestFiniteMagnitude, .leastNonzeroMagnitude]
        return Set(all + all.map { -$0 }).sorted()
    }()

    static var datas: [Data] {
        [
            Data(), Data([0]), Data([0, 0]), Data([0, 255]), Data([127]),
            Data(repeating: 0xC3, count: 1 << 20), Data([255]), Data([255, 0]),
        ]
    }

    static let uuids = [
        "00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
        "7FFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF", "80000000-0000-0000-0000-000000000000",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ].map { UUID(uuidString: $0)! }

    static let urls = [
        "about:blank", "HTTP://EXAMPLE.org:80/%7Ea/./b/../c", "../up?x=1#y", "#", "?", "//host",
        "file:///tmp/a%20b", "mailto:ann@example.org", "https://example.org/ü?q=ä&r=%00",
        "https://user:pass@[::1]:8080/", "data:,%F0%9F%98%80",
        "https://example.org/" + String(repeating: "a/", count: 5_000),
    ].map { URL(string: $0)! }

    static var nests: [Nest] {
        [
            Nest(),
            Nest(
                text: "\0\"\\/e\u{301}\u{2028}\u{10FFFF}", real: -.leastNonzeroMagnitude,
                single: .greatestFiniteMagnitude, wide: .min, unsigned: .max,
                decimal: Decimal(string: "-0.12345678901234567890123456789012345678")!,
                date: dates[5], data: Data(0...255), uuid: uuids[4], status: .withdrawn,
                inner: ["": [], "\0": [nil, .infinity], "é": [-.infinity, 0.1]]),
            Nest(
                text: String(repeating: "x", count: 1 << 20), real: .infinity, single: -.infinity,
                wide: .max, date: Date(timeIntervalSinceReferenceDate: .infinity)),
            Nest(real: .nan, inner: ["nan": [.nan]]),
        ]
    }
}

/// Extreme values of every attribute type, required and optional, in every kind of access.
@Suite("Extreme attribute values") struct ExtremeTests {
    private static var whole: [Extremes] {
        [
            Extremes(Int8.self), Extremes(Int16.self), Extremes(Int32.self), Extremes(Int64.self),
            Extremes(Int.self), Extremes(UInt8.self), Extremes(UInt16.self), Extremes(UInt32.self),
            Extremes(UInt64.self), Extremes(UInt.self), Extremes([false, true]) { $0 },
        ]
    }

    private static var scalars: [Extremes] {
        [
            Extremes(Table.reals, bits: \.bitPattern), Extremes(Table.floats, bits: \.bitPattern),
            Extremes([0.0], changing: [.init(given: -0.0, kept: 0.0)], bits: \Double.bitPattern),
            Extremes([0.0], changing: [.init(given: -0.0, kept: 0.0)], bits: \Float.bitPattern),
            Extremes(Table.decimals) { $0 },
            Extremes(
                [Decimal(0)],
                changing: [
                    .init(given: Decimal(sign: .minus, exponent: 3, significand: 0), kept: 0)
                ]
            ) { $0 },
            Extremes(Table.texts) { Data($0.utf8) },
            Extremes(Table.dates, bits: \.timeIntervalSinceReferenceDate.bitPattern),
            Extremes(
                [Date(timeIntervalSinceReferenceDate: 0)],
                changing: [
                    .init(
                        given: Date(timeIntervalSinceReferenceDate: -0.0),
                        kept: Date(timeIntervalSinceReferenceDate: 0))
                ], bits: \.timeIntervalSinceReferenceDate.bitPattern),
            Extremes(Table.datas) { $0 }, Extremes(Table.uuids) { $0 },
            Extremes(Table.urls, isOrdered: false) { Data($0.absoluteString.utf8) },
        ]
    }

    private static var enums: [Extremes] {
        [
            Extremes([Status.draft, .published, .withdrawn]) { $0 },
            Extremes([Priority.low, .high]) { $0 },
            Extremes(Huge.allCases) { $0 },
            Extremes([Word.empty, .nul, .marked, .plain, .single]) { $0 },
            Extremes(
                Table.dates.map(Moment.init),
                bits: \.rawValue.timeIntervalSinceReferenceDate.bitPattern
            ),
        ]
    }

    private static var coded: [Extremes] {
        [
            Extremes(Table.nests, isOrdered: false, bits: \.bits),
            Extremes([Single(), Single(number: .max)]) { $0.number },
            list([Int.min, -1, 0, .max]) { $0 }, list([UInt64.min, .max]) { $0 },
            list([Int8.min, .max]) { $0 }, list([true, false]) { $0 },
            list(Table.reals + [-0.0, .nan], bits: \.bitPattern),
            list(Table.floats + [-0.0], bits: \.bitPattern), list(Table.decimals) { $0 },
            list(Table.texts.filter { $0.utf8.count < 100 }) { Data($0.utf8) },
            list(Table.dates, bits: \.timeIntervalSinceReferenceDate.bitPattern),
            list(Table.datas.filter { $0.count < 100 }) { $0 }, list(Table.uuids) { $0 },
            list(Table.urls) { Data($0.absoluteString.utf8) }, list(Status.allCases) { $0 },
            list(Array(Table.nests.prefix(2)), bits: \.bits),
            list([nil, 0.1, nil, -.infinity]) { $0?.bitPattern },
            list([[], [[]], [[], ["", "\0"]]]) { $0.map { $0.map { Data($0.utf8) } } },
            list([[:], ["a": nil], ["": 1, "z": .max]]) { (value: [String: Int?]) in value },
            Extremes([[:], ["": []], ["a.b": [1], "\"": [.min, .max]]], isOrdered: false) {
                (value: [String: [Int64]]) in value
            },
        ]
    }

    /// Returns lists of the values: an empty list, a list of each value, and a list of all values.
    private static func list<Element: AttributeValue & Codable, Bits: Equatable & Sendable>(
        _ values: [Element], bits: @escaping @Sendable (Element) -> Bits
    ) -> Extremes {
        Extremes([[]] + values.map { [$0] } + [values], isOrdered: false) { $0.map(bits) }
    }

    @Test(
        arguments: whole + scalars + enums + coded, [TestStack.Location.memory, .temporaryFile])
    func `extreme values survive saving, merging and filtering unchanged`(
        _ type: Extremes, at location: TestStack.Location
    ) async throws {
        try await type.check(location)
    }

    @Test func `a composed é is stored and filtered as different from a decomposed é`() async throws
    {
        let context = try TestStack(for: Box<String>.self).stack.newContext()
        let box = try Box<String>.create(in: context)
        (box.number, box.value) = (1, "e\u{301}")
        try await context.save()
        box.value = "\u{e9}"
        #expect(box.hasChanges)
        try await context.save()
        try context.refresh(box, mergingChanges: false)
        #expect(Array(box.value.unicodeScalars) == ["\u{e9}"])
        #expect(try Box<String>.count(in: context) { $0.value == "e\u{301}" } == 0)
    }

    @Test func `a relative URL is stored as its absolute URL`() async throws {
        let context = try TestStack(for: Box<URL>.self).stack.newContext()
        let box = try Box<URL>.create(in: context)
        box.number = 1
        box.value = URL(string: "b?c", relativeTo: URL(string: "https://example.org/a/"))!
        try await context.save()
        try context.refresh(box, mergingChanges: false)
        #expect(box.value == URL(string: "https://example.org/a/b?c"))
    }

    @Test func `saving a value that its type cannot encode fails validation`() async throws {
        let context = try TestStack(for: Box<Unwritable>.self).stack.newContext()
        let box = try Box<Unwritable>.create(in: context)
        let unwritable = Unwritable(isWritable: false)
        (box.number, box.value, box.maybe) = (1, unwritable, unwritable)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .validation)
        #expect(Set(error?.failures.compactMap(\.property) ?? []) == ["value", "maybe"])
        #expect(error?.failures.allSatisfy { $0.rule == .encodable } == true)
        (box.value, box.maybe) = (Unwritable(), nil)
        try await context.save()
        try context.refresh(box, mergingChanges: false)
        #expect(box.maybe == nil && box.value.isWritable)
    }

    @Test func `NaN fails validation if required, and becomes nil if optional`() async throws {
        try await refuse(Double.nan)
        try await refuse(Double.signalingNaN)
        try await refuse(Float.nan)
        try await refuse(Decimal.nan)
        try await refuse(Date(timeIntervalSinceReferenceDate: .nan))
    }

    /// Checks that validation refuses the value in a required attribute, that an optional attribute
    /// becomes nil, and that a filter treats the value as nil.
    private func refuse<Value: AttributeValue>(_ value: Value) async throws {
        let context = try TestStack(for: Box<Value>.self).stack.newContext()
        let box = try Box<Value>.create(in: context)
        (box.number, box.value, box.maybe) = (1, value, value)
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.code == .validation && error?.failures.map(\.property) == ["value"])
        box.value = .placeholder
        try await context.save()
        try context.refresh(box, mergingChanges: false)
        #expect(box.maybe == nil && box.value == .placeholder)
        #expect(try Box<Value>.count(in: context) { $0.maybe == value } == 1, "as nil does")
    }
}
