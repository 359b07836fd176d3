import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// The values that each attribute rule accepts, and its messages about all other values.
@Suite("Validation rules") struct RuleTests {
    private func messages<Value: AttributeValue>(
        _ keyPath: KeyPath<Checked, Value>, _ value: Value
    ) throws -> [String] {
        try Checked.validationFailures(keyPath, value).map(\.message)
    }

    /// Checks good values, and bad values that all get the same message.
    private func expect<Value: AttributeValue>(
        _ keyPath: KeyPath<Checked, Value>, good: [Value], bad: [Value], _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for value in good {
            #expect(
                try messages(keyPath, value) == [], "\(value)", sourceLocation: sourceLocation)
        }
        for value in bad {
            #expect(
                try messages(keyPath, value) == [message], "\(value)",
                sourceLocation: sourceLocation)
        }
    }

    @Test func `range rules check numbers of every type`() throws {
        try expect(
            \.age, good: [0, 1, 120, nil], bad: [-1, 121, .min, .max],
            "Age must be between 0 and 120.")
        try expect(
            \.small, good: [1, 9], bad: [0, 10, .min, .max],
            "Small must be at least 1 and less than 10.")
        try expect(
            \.large, good: [0, UInt64(Int64.max), .max], bad: [], "")
        try expect(
            \.share, good: [0, 1, 0.5, -0.0], bad: [-0.000_1, 1.000_1, .infinity, -.infinity],
            "Share must be between 0.0 and 1.0.")
        try expect(\.part, good: [0.3, -5], bad: [0.300_001, 1], "Part must be at most 0.3.")
        let tenth = try #require(Decimal(string: "99.9"))
        let more = try #require(Decimal(string: "99.9000000000000000000000000000000001"))
        try expect(
            \.price, good: [0, tenth, 50], bad: [-1, more, 100],
            "Price must be between 0 and 99.9.")
    }

    @Test func `range rules check dates, text and custom types`() throws {
        try expect(
            \.since, good: [Date(timeIntervalSinceReferenceDate: 0), .distantFuture, nil],
            bad: [Date(timeIntervalSinceReferenceDate: -1)],
            "Since must not be before 2001-01-01T00:00:00Z.")
        try expect(
            \.letter, good: ["b", "c", "czzz"], bad: ["a", "d", "B", "é", ""],
            "Letter must be at least b and less than d.")
        try expect(
            \.grade, good: [.low, .middle], bad: [.high], "Grade must be between 9 and 5.")
    }

    @Test func `length rules count characters and bytes`() throws {
        let family = "👨‍👩‍👧"
        try expect(
            \.name, good: ["a", "ééééé", "e\u{301}", String(repeating: family, count: 5)],
            bad: ["", "abcdef", String(repeating: family, count: 6)],
            "Name must have between 1 and 5 characters.")
        try expect(
            \.bytes, good: [Data(), Data([1, 2]), nil], bad: [Data([1, 2, 3])],
            "Bytes must have at most 2 bytes.")
        try expect(
            \.country, good: ["DE", "é\u{301}é", nil], bad: ["D", "DEU", ""],
            "Country must have exactly 2 characters.")
    }

    @Test func `pattern rules match the whole text`() throws {
        try expect(
            \.code, good: ["AB1", "XY0123456789", nil], bad: ["", "AB", "AB1\n", "xAB1", "AB1 "],
            "Code must match the pattern [A-Z]{2}[0-9]+.")
        try expect(
            \.mail, good: [Mail(rawValue: "a@b"), nil], bad: [Mail(rawValue: "a@b@c")],
            "Mail must be an address.")
    }

    @Test func `choice rules accept only the listed values`() throws {
        try expect(
            \.size, good: ["S", "M", "L"], bad: ["s", "", "XL"], "Size must be one of S, M or L.")
        try expect(\.rate, good: [1, 2, 3], bad: [1.5, 0], "Rate must be one of 1.0, 2.0 or 3.0.")
        let half = try #require(Decimal(string: "0.5"))
        try expect(\.weight, good: [half, 1], bad: [2], "Weight must be one of 0.5 or 1.")
    }

    @Test func `custom rules check values and give their own messages`() throws {
        try expect(\.seats, good: [0, 2, -2], bad: [1], "Seats must be even.")
        #expect(try messages(\.tags, []) == ["Pick a tag or more."])
        #expect(try messages(\.tags, ["a", "a"]) == ["Tags must not repeat."])
        #expect(try messages(\.tags, ["a", "b"]) == [])
    }

    @Test func `an entity description contains the rules of its attributes`() throws {
        let entity = Checked.entityDescription
        #expect(try #require(entity.attribute(named: "name")).rules == [.length(1...5)])
        #expect(
            try #require(entity.attribute(named: "tags")).rules
                == [.custom("Pick a tag or more."), .custom("must not repeat")])
        let texts = entity.attributes.flatMap(\.rules).compactMap { rule in
            if case .range(let range) = rule { "\(range)" } else { nil }
        }
        #expect(
            texts == [
                "0...120", "1..<10", "0...", "0.0...1.0", "...0.30000001192092896",
                #""0"..."99.9""#, "0.0...", #""b"..<"d""#, "9...5",
            ])
        let plain = Person.entityDescription.attributes.flatMap(\.rules)
        #expect(plain.isEmpty)
    }

    @Test func `a missing required value is reported as required and nothing else`() throws {
        let test = try TestStack(for: Booking.self)
        let context = test.stack.newContext()
        let booking = try Booking.create(in: context)
        booking.room = try Room.create(in: context)
        // The title is not set, so it is empty and too short.
        let error = #expect(throws: RecordStackError.self) { try waitedSave(context) }
        #expect(error?.failures.map(\.rule) == [.required])
    }

    @Test func `validation messages show property names as readable labels`() throws {
        let names = [
            "age": "Age", "firstName": "First name", "first_name": "First name",
            "homepageURL": "Homepage URL", "URLOfPage": "URL of page", "isOK": "Is OK", "x": "X",
            "line2Text": "Line2 text", "größe": "Größe", "Zahl": "Zahl",
        ]
        for (name, label) in names { #expect(RuleText.label(of: name) == label) }
    }

    @Test func `pattern rules can be checked on several threads at once`() async throws {
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<500).reduce(0) { count, number in
                        let code = number.isMultiple(of: 2) ? "AB\(number)" : "ab\(task)"
                        let found = try? Checked.validationFailures(\.code, code)
                        return count + (found?.count ?? 1_000)
                    }
                }
            }
            for await count in group { #expect(count == 250) }
        }
    }

    @Test func `a store's file does not contain rules, so a model can change them`() throws {
        let test = try TestStack(for: Strict.Measure.self, at: .temporaryFile)
        try test.seed { try Strict.Measure.create(in: $0).value = 5 }
        try test.stack.close()
        let loose = try ContextStack(
            for: Loose.Measure.self, at: .file(try #require(test.path)))
        let context = loose.newContext()
        try #require(try Loose.Measure.find(in: context).first).value = 500
        #expect(try waitedSave(context) == .saved(.updating(1)))
        try loose.close()
        let strict = try ContextStack(
            for: Strict.Measure.self, at: .file(try #require(test.path)))
        let again = strict.newContext()
        let measure = try #require(try Strict.Measure.find(in: again).first)
        // A stored value that breaks a rule does no harm until it is changed.
        measure.note = "x"
        #expect(try waitedSave(again) == .saved(.updating(1)))
        #expect(try measure.validationFailures().count == 1)
        measure.value = 501
        #expect(throws: RecordStackError.self) { try waitedSave(again) }
        measure.value = 6
        #expect(try waitedSave(again) == .saved(.updating(1)))
        try strict.close()
    }
}

enum Strict {
    @Entity final class Measure: ManagedObject {
        @Attribute(.range(0...10)) var value: Int = 0
        @Attribute var note: String?
    }
}

enum Loose {
    @Entity final class Measure: ManagedObject {
        @Attribute var value: Int = 0
        @Attribute var note: String?
    }
}
