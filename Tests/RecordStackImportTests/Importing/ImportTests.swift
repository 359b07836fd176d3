import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// Imports of JSON: mapping, identity, and values that do not fit.
@Suite("Imports") struct ImportTests {
    private func context() throws -> ManagedObjectContext {
        try TestStack(for: Guest.self, Member.self, EveryType.self).stack.newContext()
    }

    private func data(_ text: String) -> Data { Data(text.utf8) }

    @Test func `an imported null under one key yields to a value under another key`() throws {
        let context = try context()
        let report = try Guest.importJSON(
            data(
                """
                [{"email": "1", "full_name": null, "name": "A"},
                 {"name": "B", "full_name": "b", "email": "2"},
                 {"contact": {"mail": "3"}, "email": null, "name": "C", "name": "D"},
                 {"email": "4", "full_name": null, "name": null}]
                """), in: context)
        #expect(report.inserted == 4 && report.problems.isEmpty)
        let people = try Guest.find(sortedBy: .ascending(\.email), in: context)
        #expect(people.map(\.email) == ["1", "2", "3", "4"])
        #expect(people.map(\.name) == ["A", "b", "D", ""])
    }

    @Test func `an import keeps the value of an absent key, and null clears it`() async throws {
        let context = try context()
        let ann = try Guest.create(in: context, email: "ann", name: "Ann", age: 5)
        try await context.save()
        var report = try Guest.importJSON(data(#"{"email": "ann"}"#), in: context)
        #expect(report.unchanged == 1 && ann.age == 5 && !context.hasChanges)
        report = try Guest.importJSON(data(#"{"email": "ann", "age": null}"#), in: context)
        #expect(report.updated == 1 && ann.age == nil && ann.name == "Ann")
        report = try Guest.importJSON(data(#"{"email": "ann", "name": null}"#), in: context)
        #expect(report.updated == 1 && ann.name == "")
    }

    @Test func `an import row updates the stored or pending object of its identity`() async throws {
        let context = try context()
        try Guest.create(in: context, email: "stored")
        try await context.save()
        try Guest.create(in: context, email: "pending")
        let report = try Guest.importJSON(
            data(
                """
                [{"email": "stored", "age": 1}, {"email": "pending", "age": 2},
                 {"email": "new", "age": 3}, {"email": "new", "age": 4}, {"email": "new", "age": 4}]
                """), in: context)
        #expect(report.inserted == 1 && report.updated == 3 && report.unchanged == 1)
        #expect(try Guest.find(in: context).map(\.age) == [1, 2, 4])
    }

    @Test func `an import uses the declared identity if several attributes are unique`() throws {
        let context = try context()
        let text = #"[{"email": "a", "badge": 1}, {"email": "b", "badge": 1}]"#
        let report = try Member.importJSON(data(text), in: context)
        #expect(report.inserted == 1 && report.updated == 1)
        #expect(try Member.find(in: context).map(\.email) == ["b"])
    }

    @Test func `an import into an entity with two unique attributes needs an identity`() throws {
        let context = try TestStack(for: Seat.self, Voter.self).stack.newContext()
        let error = #expect(throws: RecordStackError.self) {
            try Seat.importJSON(data(#"[{"row": 1, "code": "a"}]"#), in: context)
        }
        #expect(error?.code == .misuse && error?.entity == "Seat")
        #expect(error?.message.contains(#"@Entity(identity: \.row)"#) == true)
        #expect(!context.hasChanges)
        // A subentity has the identity of its superentity.
        let text =
            #"[{"email": "a", "badge": 1, "pass": 2}, {"email": "b", "badge": 1, "pass": 3}]"#
        let report = try Voter.importJSON(data(text), in: context)
        #expect(report.inserted == 1 && report.updated == 1)
        #expect(try Voter.find(in: context).map(\.pass) == [3])
    }

    @Test func `an import reads decimals and unsigned numbers exactly or refuses them`() throws {
        let context = try TestStack(for: Price.self).stack.newContext()
        let digits = "12345678901234567890123456789012345678"
        let written = [
            ("12.50", "12.5"), ("-0.10", "-0.1"), ("1e3", "1000"), ("1.5E-3", "0.0015"), ("0", "0"),
            ("-0", "0"), (digits, digits), ("0." + digits, "0." + digits), ("0e400", "0"),
        ]
        for (text, expected) in written {
            for json in [text, "\"\(text)\""] {
                let row = #"{"amount": \#(json), "total": 18446744073709551615}"#
                let report = try Price.importJSON(data(row), in: context)
                #expect(report.inserted == 1, "\(json): \(report.problems)")
                let price = try #require(try Price.find(in: context).last)
                #expect(price.amount == Decimal(string: expected), "\(json)")
                #expect(price.total == .max)
            }
        }
        let refused = [
            digits + "9", "1e400", "1e-400", "\"1x\"", "\"\"", "\".5\"", "\"1.\"", "\"1e\"",
            "\"--1\"",
            "\"1 \"", "true", "[1]",
        ]
        for json in refused {
            let report = try Price.importJSON(data(#"{"amount": \#(json)}"#), in: context)
            #expect(report.skipped == 1, "\(json)")
            #expect(report.problems.first?.property == "amount")
        }
        for json in ["-1", "18446744073709551616", "1.5"] {
            let report = try Price.importJSON(
                data(#"{"amount": 1, "total": \#(json)}"#), in: context)
            #expect(report.problems.map(\.property) == ["total"], "\(json)")
        }
    }

    @Test func `an import reports a value that does not convert, or skips its row`() throws {
        let context = try context()
        let report = try Guest.importJSON(
            data(
                """
                [{"email": "1", "age": "eighteen"}, {"email": ["x"]}, {"age": 3}, 7,
                 {"email": "5", "age": 1.5}, {"email": null}]
                """), in: context)
        #expect(report.inserted == 2 && report.skipped == 4)
        let kinds = report.problems.sorted { $0.row < $1.row }.map {
            "\($0.row) \($0.path) \($0.isRowSkipped)"
        }
        #expect(
            kinds == [
                "0 age false", "1 email true", "2 email true", "3  true", "4 age false",
                "5 email true",
            ])
        #expect(report.problems.contains { $0.message.contains("“eighteen”") })
    }

    @Test func `an import reads every attribute type from JSON`() throws {
        let context = try context()
        let report = try EveryType.importJSON(
            data(
                """
                {"rows": [{"flag": "yes", "number": "9007199254740993", "wide": -9223372036854775808,
                  "real": 1e3, "text": 12.50, "date": "2018-02-07T01:26:13.5Z", "day": "07.02.2018",
                  "data": "aGVsbG8=", "uuid": "6f1f2b9e-3f0a-4b7e-9a51-0d2f5f6c7a10",
                  "url": "https://example.org/?q=1"}]}
                """), at: "rows", in: context)
        #expect(report.inserted == 1, "\(report)")
        let all = try #require(try EveryType.findFirst(in: context))
        #expect(all.flag && all.number == 9_007_199_254_740_993 && all.wide == .min)
        #expect(all.real == 1_000 && all.text == "12.50")
        #expect(all.date == Date(timeIntervalSince1970: 1_517_966_773.5))
        #expect(all.day == Date(timeIntervalSince1970: 1_517_961_600))
        #expect(all.data == Data("hello".utf8))
        #expect(all.uuid == UUID(uuidString: "6F1F2B9E-3F0A-4B7E-9A51-0D2F5F6C7A10"))
        #expect(all.url?.absoluteString == "https://example.org/?q=1")
    }

    @Test func `a custom attribute type can refuse an imported value`() throws {
        let context = try TestStack(for: Reading.self).stack.newContext()
        let report = try Reading.importJSON(
            data(
                """
                [{"grade": 3, "second": 1}, {"grade": 9}, {"grade": 4, "second": 12},
                 {"grade": "five"}]
                """), in: context)
        #expect(report.inserted == 2 && report.skipped == 2)
        #expect(try Reading.find(in: context).map(\.grade.value) == [3, 4])
        #expect(try Reading.find(in: context).map(\.second?.value) == [1, nil])
        #expect(report.problems[0].message == "grade is 9, not a Grade.")
    }

    @Test(arguments: [
        ("a.b", #"{"a": {"b": [{"email": "x"}]}}"#), ("a.1", #"{"a": [0, [{"email": "x"}], 2]}"#),
        ("1.a", #"[[1, {}], {"z": 1, "a": {"email": "x"}}]"#),
        ("0", #"[[{"email": "x"}]]"#), ("0", #"{"0": {"email": "x"}}"#),
        // The last of several keys wins here, too.
        ("a", #"{"a": [{"email": "y"}], "b": 1, "a": [{"email": "x"}], "c": [[]]}"#),
    ])
    func `an import finds the rows at a path`(place: String, text: String) throws {
        let context = try context()
        try Guest.importJSON(data(text), at: place, in: context)
        #expect(try Guest.find(in: context).map(\.email) == ["x"])
    }

    @Test(arguments: ["", ".a", "a.", "a..b"])
    func `an import path with an empty part throws misuse`(place: String) throws {
        let context = try context()
        let error = #expect(throws: RecordStackError.self) {
            try Guest.importJSON(data(#"{"a": []}"#), at: place, in: context)
        }
        #expect(error?.code == .misuse)
    }

    @Test func `the import error for truncated JSON names the position once`() throws {
        let context = try context()
        let error = try #require(
            #expect(throws: RecordStackError.self) {
                try Guest.importJSON(data("[{\"email\": \"x\"}\n"), in: context)
            })
        #expect("\(error)".components(separatedBy: "line 2").count == 2, "\(error)")
    }

    @Test func `importing invalid JSON or at a missing path changes nothing`() throws {
        let context = try context()
        for (text, place) in [
            (#"[{"email": "a"}, {"email": "b"}"#, nil), (#"{"rows": []}"#, "other"),
            (#"{"rows": {"items": 1}}"#, "rows.things"), ("[[1]]", "0.1"), ("[[1]]", "x"),
            ("", nil), ("[1,]", nil),
        ] as [(String, String?)] {
            let error = #expect(throws: RecordStackError.self) {
                try Guest.importJSON(data(text), at: place, in: context)
            }
            #expect(error?.code == .importFailed)
        }
        #expect(!context.hasChanges)
    }

    @Test func `an import reports its progress after every batch`() throws {
        let context = try context()
        let rows = (0..<2_500).map { #"{"email": "\#($0)"}"# }.joined(separator: ",")
        var told: [ImportProgress] = []
        try Guest.importJSON(data("[\(rows)]"), in: context) { told.append($0) }
        #expect(told.map(\.rows) == [1_000, 2_000, 2_500])
        #expect(told.last?.fraction == 1 && (told.first?.fraction ?? 1) < 0.5)
    }
}

/// A grade from 1 to 6.
struct Grade: AttributeValue {
    let value: Int

    static let attributeType = AttributeType(name: "Grade", storage: .integer)
    static let placeholder = Grade(value: 1)
    var storedValue: StoredValue { value.storedValue }

    init(value: Int) { self.value = value }

    init?(storedValue: StoredValue) {
        guard let value = Int(storedValue: storedValue), (1...6).contains(value) else { return nil }
        self.init(value: value)
    }
}

@Entity final class Reading: ManagedObject {
    @Attribute var grade: Grade
    @Attribute var second: Grade?
}

@Entity final class Price: ManagedObject {
    @Attribute var amount: Decimal
    @Attribute var total: UInt64?
}

@Entity(identity: \.badge) class Member: ManagedObject {
    @Attribute(.unique) var email: String
    @Attribute(.unique) var badge: Int
}

@Entity final class EveryType: ManagedObject {
    @Attribute var flag: Bool
    @Attribute var number: Int
    @Attribute var wide: Int64
    @Attribute var real: Double
    @Attribute var text: String
    @Attribute var date: Date
    @Attribute(.dateFormat(.pattern("dd.MM.yyyy"))) var day: Date
    @Attribute var data: Data
    @Attribute var uuid: UUID
    @Attribute var url: URL?
}

@Entity final class Voter: Member {
    @Attribute(.unique) var pass: Int
}

/// An entity written by hand, because the macro warns about the missing identity.
final class Seat: ManagedObject {
    private var _row: Int
    private var _code: String

    var row: Int {
        get {
            willAccessValue()
            return _row
        }
        set {
            willChangeValue(at: 0, from: _row)
            _row = newValue
        }
    }
    var code: String {
        get {
            willAccessValue()
            return _code
        }
        set {
            willChangeValue(at: 1, from: _code)
            _code = newValue
        }
    }

    override class var entityDescription: EntityDescription { storedDescription }
    override class var slotCount: Int { 2 }
    override class var relationshipCount: Int { 0 }

    private static let storedDescription = EntityDescription(
        name: "Seat", type: Seat.self,
        properties: [
            .attribute(\Seat.row, "row", .unique), .attribute(\Seat.code, "code", .unique),
        ])

    required init(row: borrowing RowCells, seed: ObjectSeed) {
        _row = Int.read(row, at: 0)
        _code = String.read(row, at: 1)
        super.init(row: row, seed: seed)
    }

    required init(seed: ObjectSeed) {
        _row = Int.placeholder
        _code = String.placeholder
        super.init(seed: seed)
    }

    override class func make(row: borrowing RowCells, seed: ObjectSeed) -> ManagedObject {
        Seat(row: row, seed: seed)
    }

    override func load(_ row: borrowing RowCells) {
        _row = Int.read(row, at: 0)
        _code = String.read(row, at: 1)
    }

    override func load(_ row: borrowing RowCells, slots: SlotSet) {
        if slots.contains(0) { _row = Int.read(row, at: 0) }
        if slots.contains(1) { _code = String.read(row, at: 1) }
    }

    override func write(to writer: inout CellWriter) {
        _row.write(to: &writer)
        _code.write(to: &writer)
    }

    override func storedValue(at slot: Int) -> StoredValue {
        switch slot {
        case 0: _row.storedValue
        case 1: _code.storedValue
        default: super.storedValue(at: slot)
        }
    }
}
