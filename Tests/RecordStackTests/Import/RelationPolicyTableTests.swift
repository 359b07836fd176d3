import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

@Entity final class Kennel: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(.notImported) var hounds: ToMany<Greyhound>
}

@Entity final class Greyhound: ManagedObject {
    @Attribute(.unique) var tag: Int
    @Relationship(inverse: \Kennel.hounds) var kennel: Kennel?
    @Relationship(inverse: \Toy.hound) var toys: ToMany<Toy>
    @Relationship var walks: OrderedToMany<Walk>
}

@Entity final class Toy: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(.notImported) var hound: Greyhound?
}

@Entity final class Walk: ManagedObject {
    @Attribute(.unique) var name: String
}

/// A policy, what a source says of a relationship, and what it leads to then.
struct RelationRow: Sendable, CustomTestStringConvertible {
    let name: String
    let json: String
    /// Numbers or names; nil where the row is left out.
    let wanted: [String]?
    var problems = 0
    var options = ImportOptions()

    var testDescription: String { "\(name), \(json)" }

    init(
        _ name: String, _ json: String, _ wanted: [String]?, problems: Int = 0,
        _ set: (inout ImportOptions) -> Void
    ) {
        self.name = name
        self.json = json
        self.wanted = wanted
        self.problems = problems
        set(&options)
    }

    /// Of a hound in kennel 1.
    static let toOne: [RelationRow] = [
        RelationRow("null: clear", #""kennel": null"#, []) { $0.null = .clear },
        RelationRow("null: ignore", #""kennel": null"#, ["1"]) { $0.null = .ignore },
        RelationRow("null: setDefault", #""kennel": null"#, []) { $0.null = .setDefault },
        RelationRow("absent: leave", "", ["1"]) { $0.absent = .leave },
        RelationRow("absent: clear", "", []) { $0.absent = .clear },
        RelationRow("absent: setDefault", "", []) { $0.absent = .setDefault },
        RelationRow("value: set", #""kennel": 2"#, ["2"]) { $0.value = .set },
        RelationRow("value: set", #""kennel": "2""#, ["2"]) { $0.value = .set },
        RelationRow("value: set", #""kennel": {"number": 2}"#, ["2"]) { $0.value = .set },
        RelationRow("value: whenNil", #""kennel": 2"#, ["1"]) { $0.value = .whenNil },
        RelationRow("value: whenNew", #""kennel": 2"#, ["1"]) { $0.value = .whenNew },
        RelationRow("unfit", #""kennel": [2]"#, ["1"], problems: 1) { _ in },
        RelationRow("unfit", #""kennel": "two""#, ["1"], problems: 1) { _ in },
        RelationRow("missing: create", #""kennel": 9"#, ["9"]) { $0.missing = .create },
        RelationRow("missing: skip", #""kennel": 9"#, ["1"], problems: 1) { $0.missing = .skip },
        RelationRow("missing: fail", #""kennel": 9"#, nil, problems: 1) { $0.missing = .fail },
        RelationRow("missing: skip", #""kennel": 2"#, ["2"]) { $0.missing = .skip },
        RelationRow("missing: fail", #""kennel": 2"#, ["2"]) { $0.missing = .fail },
        // What is nested is no key: it is made, whatever becomes of keys.
        RelationRow("missing: fail", #""kennel": {"number": 9}"#, ["9"]) { $0.missing = .fail },
    ]

    /// Of a hound with the toys or the walks "a" and "b".
    static let members: [RelationRow] = [
        RelationRow("members: add", #"["b", "c"]"#, ["a", "b", "c"]) { $0.members = .add },
        RelationRow("members: add", #"[{"name": "c"}, "b"]"#, ["a", "b", "c"]) {
            $0.members = .add
        },
        RelationRow("members: add", #""c""#, ["a", "b", "c"]) { $0.members = .add },
        RelationRow("members: add", "[]", ["a", "b"]) { $0.members = .add },
        RelationRow("members: replace", #"["b", "c"]"#, ["b", "c"]) { $0.members = .replace },
        RelationRow("members: replace", #"["c", "c", "a"]"#, ["c", "a"]) { $0.members = .replace },
        RelationRow("members: replace", "[]", []) { $0.members = .replace },
        RelationRow("members: replace", #"["b", "a"]"#, ["b", "a"]) { $0.members = .replace },
        RelationRow("members: replaceAndDelete", #"["b", "c"]"#, ["b", "c"]) {
            $0.members = .replaceAndDelete
        },
        RelationRow("null: clear", "null", []) { $0.null = .clear },
        RelationRow("null: ignore", "null", ["a", "b"]) { $0.null = .ignore },
        RelationRow("null: setDefault", "null", []) { $0.null = .setDefault },
        RelationRow("absent: leave", "", ["a", "b"]) { $0.absent = .leave },
        RelationRow("absent: clear", "", []) { $0.absent = .clear },
        RelationRow("absent: setDefault", "", []) { $0.absent = .setDefault },
        RelationRow("value: set", #"["c"]"#, ["a", "b", "c"]) { $0.value = .set },
        RelationRow("value: whenNil", #"["c"]"#, ["a", "b"]) { $0.value = .whenNil },
        RelationRow("value: whenNew", #"["c"]"#, ["a", "b"]) { $0.value = .whenNew },
        RelationRow("unfit", #"["c", [1]]"#, ["a", "b", "c"], problems: 1) { _ in },
        RelationRow("missing: skip", #"["b", "c"]"#, ["a", "b"], problems: 1) {
            $0.missing = .skip
        },
        RelationRow("missing: fail", #"["b", "c"]"#, nil, problems: 1) { $0.missing = .fail },
        RelationRow("patch", #"["c"]"#, ["a", "b", "c"]) { $0 = .patch },
        RelationRow("replace", #"["c"]"#, ["c"]) { $0 = .replace },
        RelationRow("replace", "", []) { $0 = .replace },
    ]
}

/// Every policy of imports, over relationships of each kind.
@Suite struct RelationPolicyTableTests {
    private let test: TestStack
    private let context: ManagedObjectContext
    private let hound: Greyhound

    init() throws {
        test = try TestStack(for: Greyhound.self, Kennel.self, Toy.self, Walk.self)
        context = test.stack.newContext()
        hound = try Greyhound.create(in: context, tag: 1)
        hound.kennel = try Kennel.create(in: context, number: 1)
        try Kennel.create(in: context, number: 2)
        for name in ["a", "b"] {
            try hound.toys.insert(Toy.create(in: context, name: name))
            try hound.walks.append(Walk.create(in: context, name: name))
        }
        try context.saveAndWait()
    }

    private func load(_ json: String, _ row: RelationRow) throws -> ImportReport {
        let text = json.isEmpty ? #"{"tag": 1}"# : #"{"tag": 1, \#(json)}"#
        let report = try Greyhound.importJSON(Data(text.utf8), in: context, options: row.options)
        #expect(report.problems.count == row.problems, "\(report.problems)")
        #expect(report.skipped == (row.wanted == nil ? 1 : 0))
        return report
    }

    @Test(arguments: RelationRow.toOne)
    func `to one`(row: RelationRow) throws {
        // What the import says of absent members would change these as well.
        let report = try load(row.json, row)
        let wanted = row.wanted ?? ["1"]
        #expect(hound.kennel.map { ["\($0.number)"] } ?? [] == wanted)
        if row.options.absent == .leave {
            #expect(report.updated == (wanted == ["1"] ? 0 : 1))
            #expect(hound.toys.count == 2 && hound.walks.count == 2)
        }
        let isMade = row.json.contains("9") && wanted == ["9"]
        #expect(try Kennel.count(in: context) == (isMade ? 3 : 2))
    }

    @Test func `to one where there is none`() throws {
        for (policy, wanted) in [(ImportValuePolicy.set, 2), (.whenNil, 2), (.whenNew, nil)] {
            hound.kennel = nil
            _ = try load(#""kennel": 2"#, RelationRow("", "", []) { $0.value = policy })
            #expect(hound.kennel?.number == wanted, "\(policy)")
        }
    }

    @Test(arguments: RelationRow.members)
    func `to many`(row: RelationRow) throws {
        _ = try load(row.json.isEmpty ? "" : #""toys": \#(row.json)"#, row)
        #expect(Set(hound.toys.map(\.name)) == Set(row.wanted ?? ["a", "b"]))
        let isDeleted = row.options.members == .replaceAndDelete
        #expect(try Toy.exists(in: context) { $0.name == "a" } == !isDeleted)
    }

    @Test(arguments: RelationRow.members)
    func `to many in order`(row: RelationRow) throws {
        _ = try load(row.json.isEmpty ? "" : #""walks": \#(row.json)"#, row)
        #expect(hound.walks.map(\.name) == row.wanted ?? ["a", "b"])
        let isDeleted = row.options.members == .replaceAndDelete
        #expect(try Walk.exists(in: context) { $0.name == "a" } == !isDeleted)
    }
}
