import Foundation
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Lender: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var age: Int = 0
    @Relationship(.notImported) var loans: ToMany<Advance>
}

@Entity final class Borrower: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var age: Int
    @Relationship(.notImported) var loans: ToMany<Advance>
}

@Entity final class Advance: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(.required, inverse: \Lender.loans) var lender: Lender?
    @Relationship(.required, inverse: \Borrower.loans) var borrower: Borrower?
    @Relationship(inverse: \Pledge.loans) var pledge: Pledge?
}

/// An entity with an identity of the lender and a number.
@Entity(.unique(\.lender, \.number), identity: \.lender, \.number)
final class Offer: ManagedObject {
    @Attribute var number: Int
    @Attribute var rate: Double
    @Relationship(.required) var lender: Lender?
}

@Entity class Pledge: ManagedObject {
    @Attribute(.unique) var code: String
    @Relationship(.notImported) var loans: ToMany<Advance>
}

@Entity final class Cottage: Pledge {
    @Relationship(.notImported) var gardens: ToMany<Allotment>
}

@Entity final class Brooch: Pledge {}

@Entity final class Allotment: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(inverse: \Cottage.gardens) var house: Cottage?
}

@Entity final class Docket: ManagedObject {
    @Attribute(.unique, .notImported) var code: String
    @Attribute var series: String
    @Attribute var number: Int
}

extension Docket: Importable {
    static func importIdentity(of row: ImportRow) throws -> ImportValue? {
        guard let series = row["series"]?.string, let number = row["number"]?.int else {
            return nil
        }
        return .string("\(series)-\(number)")
    }
}

/// Skipped rows, which must leave nothing behind and report one problem for each fault.
@Suite("Skipped rows") struct ImportLeftOutTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(
            for: Advance.self, Offer.self, Cottage.self, Brooch.self, Allotment.self, Docket.self)
        context = test.stack.newContext()
        try Brooch.create(in: context, code: "r")
        try context.saveAndWait()
    }

    static let loans: [(json: String, paths: [String])] = [
        (#"{"number": 1, "lender": {"code": "l"}, "borrower": null}"#, ["borrower"]),
        (#"{"number": 1, "lender": {"code": "l"}}"#, ["borrower"]),
        (#"{"number": 1, "borrower": {"code": "b", "age": 3}}"#, ["lender"]),
        (
            #"{"number": 1, "lender": {"code": "l"}, "borrower": {"code": "b"}}"#,
            ["borrower.age", "borrower"]
        ),
        (#"{"number": 1, "lender": {"code": "l"}, "borrower": "b"}"#, ["borrower", "borrower"]),
        (#"{"number": 1, "lender": {"code": "l"}, "borrower": [1]}"#, ["borrower", "borrower"]),
    ]

    @Test(arguments: loans)
    func `a skipped import row changes nothing`(row: (json: String, paths: [String])) throws {
        let report = try Advance.importJSON(Data(row.json.utf8), in: context)
        #expect(report.skipped == 1 && report.problems.map(\.path) == row.paths)
        #expect(report.problems.last?.isRowSkipped == true)
        #expect(!context.hasChanges)
    }

    @Test func `a skipped import row creates no object that its identity names`() throws {
        for rest in [#""rate": "x""#, #""rate": null"#, #""number": 2"#] {
            let text = #"{"number": 1, "lender": {"code": "l"}, \#(rest)}"#
            let report = try Offer.importJSON(Data(text.utf8), in: context)
            #expect(report.skipped == 1 && report.problems.count == 1)
            #expect(!context.hasChanges)
        }
        let text = #"{"number": 1, "lender": {"code": "l"}, "rate": 2}"#
        #expect(try Offer.importJSON(Data("[\(text), \(text)]".utf8), in: context).unchanged == 1)
        #expect(try Lender.count(in: context) == 1)
        // An existing lender needs no rate.
        let known = #"{"number": 1, "lender": {"code": "l", "age": 4}}"#
        #expect(try Offer.importJSON(Data(known.utf8), in: context).problems.isEmpty)
        #expect(try Lender.find(in: context).map(\.age) == [4])
        try context.saveAndWait()
    }

    @Test func `an import key that names an object of a wrong entity is a problem`() throws {
        let report = try Allotment.importJSON(
            Data(#"{"number": 1, "house": "r"}"#.utf8), in: context)
        #expect(report.inserted == 1 && report.problems.map(\.path) == ["house"])
        #expect(
            report.problems[0].message == "house: the object of the key is a Brooch, not a Cottage."
        )
        #expect(try Allotment.find(in: context).map { $0.house == nil } == [true])
        try context.saveAndWait()
    }

    @Test func `an import can compute an identity that is not in the source`() throws {
        let text = Data(#"[{"series": "a", "number": 1}, {"series": "a", "number": 2}]"#.utf8)
        #expect(try Docket.importJSON(text, in: context).inserted == 2)
        try context.saveAndWait()
        #expect(try Docket.importJSON(text, in: context).unchanged == 2)
        #expect(
            try Docket.find(sortedBy: .ascending(\.code), in: context).map(\.code) == [
                "a-1", "a-2",
            ])
        let none = try Docket.importJSON(
            Data(#"{"series": "a", "number": null}"#.utf8), in: context)
        #expect(none.skipped == 1)
    }
}
