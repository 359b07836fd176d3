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
    @Relationship(.imported(from: "kennel", "kennel2"), inverse: \Kennel.hounds) var kennel: Kennel?
    @Relationship(.imported(from: "toys", "toys2"), inverse: \Toy.hound) var toys: ToMany<Toy>
    @Relationship var walks: OrderedToMany<Walk>
}

@Entity final class Toy: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(.notImported) var hound: Greyhound?
}

@Entity final class Walk: ManagedObject {
    @Attribute(.unique) var name: String
}

/// An entity that declares every policy of a relationship. The import requests the opposite.
@Entity final class Husky: ManagedObject {
    @Attribute(.unique) var tag: Int
    @Relationship(.importing(members: .add)) var added: OrderedToMany<Walk>
    @Relationship(.importing(members: .replace)) var replaced: OrderedToMany<Walk>
    @Relationship(.importing(members: .replaceAndDelete)) var deleted: OrderedToMany<Walk>
    @Relationship(.importing(missing: .create)) var made: Walk?
    @Relationship(.importing(missing: .skip)) var skipped: Walk?
    @Relationship(.importing(missing: .fail)) var failed: Walk?
    @Relationship(.imported(from: "one", "two"), .importing(fallback: .whenNull)) var second: Walk?
    @Relationship(.imported(from: "one", "two"), .importing(fallback: .whenAbsent)) var none: Walk?
    @Relationship(.importing(null: .ignore)) var kept: Walk?
    @Relationship(.importing(absent: .clear)) var cleared: Walk?
    @Relationship(.importing(value: .whenNil)) var first: Walk?
}

/// An entity that declares policies for nulls, absent keys and values, for to-one and to-many
/// relationships.
@Entity final class Samoyed: ManagedObject {
    @Attribute(.unique) var tag: Int
    @Relationship(.importing(null: .clear)) var nullClears: Walk?
    @Relationship(.importing(null: .setDefault)) var nullSets: Walk?
    @Relationship(.importing(null: .ignore, absent: .leave)) var nullKeeps: OrderedToMany<Walk>
    @Relationship(.importing(null: .clear)) var nullEmpties: OrderedToMany<Walk>
    @Relationship(.importing(absent: .leave)) var absentStays: Walk?
    @Relationship(.importing(absent: .setDefault)) var absentSets: Walk?
    @Relationship(.importing(absent: .leave)) var absentKeeps: OrderedToMany<Walk>
    @Relationship(.importing(absent: .clear)) var absentEmpties: OrderedToMany<Walk>
    @Relationship(.importing(value: .set)) var valueSets: Walk?
    @Relationship(.importing(value: .whenNew)) var valueOfNew: Walk?
    @Relationship(.importing(value: .whenNew)) var valuesOfNew: OrderedToMany<Walk>
}

/// A policy, the form in which a source mentions a relationship, and the expected result.
struct RelationRow: Sendable, CustomTestStringConvertible {
    let name: String
    let json: String
    /// The expected numbers or names, or nil if the row is skipped.
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

    /// Cases for a hound in kennel 1.
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
        RelationRow("fallback: whenNull", #""kennel": null, "kennel2": 2"#, ["2"]) {
            $0.fallback = .whenNull
        },
        RelationRow("fallback: whenAbsent", #""kennel": null, "kennel2": 2"#, []) {
            $0.fallback = .whenAbsent
        },
        RelationRow("fallback: whenAbsent", #""kennel2": 2"#, ["2"]) { $0.fallback = .whenAbsent },
        RelationRow("fallback: whenNull", #""kennel": 2, "kennel2": null"#, ["2"]) {
            $0.fallback = .whenNull
        },
        // A nested object is not a key, so it is created under every policy for missing keys.
        RelationRow("missing: fail", #""kennel": {"number": 9}"#, ["9"]) { $0.missing = .fail },
    ]

    /// Cases for a hound with the toys or walks "a" and "b".
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

/// Every policy of an import, for relationships of each kind.
@Suite("Import policies of relationships") struct RelationPolicyTableTests {
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
    func `import policies decide which object an existing object's to-one gets`(
        row: RelationRow
    ) throws {
        // The import's policy for absent keys would change these members as well.
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

    @Test func `an import sets an existing object's nil to-one unless under whenNew`() throws {
        for (policy, wanted) in [(ImportValuePolicy.set, 2), (.whenNil, 2), (.whenNew, nil)] {
            hound.kennel = nil
            _ = try load(#""kennel": 2"#, RelationRow("", "", []) { $0.value = policy })
            #expect(hound.kennel?.number == wanted, "\(policy)")
        }
    }

    @Test(arguments: RelationRow.members)
    func `import policies decide which members a to-many keeps and gets`(row: RelationRow) throws {
        _ = try load(row.json.isEmpty ? "" : #""toys": \#(row.json)"#, row)
        #expect(Set(hound.toys.map(\.name)) == Set(row.wanted ?? ["a", "b"]))
        let isDeleted = row.options.members == .replaceAndDelete
        #expect(try Toy.exists(in: context) { $0.name == "a" } == !isDeleted)
    }

    @Test(arguments: RelationRow.members)
    func `import policies decide the members of an ordered to-many, in order`(
        row: RelationRow
    ) throws {
        _ = try load(row.json.isEmpty ? "" : #""walks": \#(row.json)"#, row)
        #expect(hound.walks.map(\.name) == row.wanted ?? ["a", "b"])
        let isDeleted = row.options.members == .replaceAndDelete
        #expect(try Walk.exists(in: context) { $0.name == "a" } == !isDeleted)
    }

    @Test func `the fallback policy decides from which JSON key a to-many is imported`() throws {
        for (fallback, json, wanted) in [
            (ImportFallbackPolicy.whenNull, #""toys": null, "toys2": ["c"]"#, ["c"]),
            (.whenAbsent, #""toys": null, "toys2": ["c"]"#, []),
            (.whenAbsent, #""toys2": ["b"]"#, ["b"]),
            (.whenNull, #""toys2": null, "toys": ["a"]"#, ["a"]),
        ] {
            let row = RelationRow("", "", []) { ($0.fallback, $0.members) = (fallback, .replace) }
            _ = try load(json, row)
            #expect(hound.toys.map(\.name) == wanted, "\(fallback), \(json)")
        }
    }

    @Test
    func `a policy that a relationship declares overrides the import's policy`() async throws {
        for members in [ImportMembersPolicy.add, .replace, .replaceAndDelete] {
            for missing in [ImportMissingPolicy.create, .skip, .fail] {
                try await checkDeclared(members, missing)
            }
        }
    }

    private func checkDeclared(_ members: ImportMembersPolicy, _ missing: ImportMissingPolicy)
        async throws
    {
        let context = try TestStack(for: Husky.self, Walk.self).stack.newContext()
        var options = ImportOptions()
        (options.members, options.missing, options.fallback) = (
            members, missing, missing == .skip ? .whenAbsent : .whenNull
        )
        func load(_ json: String) throws -> (husky: Husky?, report: ImportReport) {
            let report = try Husky.importJSON(Data(json.utf8), in: context, options: options)
            return (try Husky.findFirst(by: \.tag, 1, in: context), report)
        }
        for name in ["a", "b", "c", "d", "e"] { try Walk.create(in: context, name: name) }
        let (husky, _) = try load(
            #"""
            {"tag": 1, "added": ["a"], "replaced": ["b"], "deleted": ["c"], "none": "a", "kept": "a",
             "cleared": "a", "first": "a"}
            """#)
        let found = try #require(husky)
        _ = try load(
            #"""
            {"tag": 1, "added": ["d"], "replaced": ["d"], "deleted": ["d"], "one": null, "two": "e", "kept": null,
             "first": "b"}
            """#)
        let note: Comment = "\(members), \(missing)"
        #expect(found.added.map(\.name) == ["a", "d"], note)
        #expect(found.replaced.map(\.name) == ["d"] && found.deleted.map(\.name) == ["d"], note)
        #expect(try !Walk.exists(in: context) { $0.name == "c" }, note)
        #expect(found.second?.name == "e" && found.none == nil, note)
        #expect(found.kept?.name == "a" && found.cleared == nil && found.first?.name == "a", note)
        let keys = try load(#"{"tag": 1, "made": "new", "skipped": "nobody"}"#)
        #expect(found.made?.name == "new" && found.skipped == nil, note)
        #expect(keys.report.problems.map(\.property) == ["skipped"], note)
        let failed = try load(#"{"tag": 1, "failed": "nobody"}"#)
        #expect(failed.report.skipped == 1 && found.failed == nil, note)
    }

    /// The import requests the opposite of each declared policy.
    @Test(
        arguments: [ImportNullPolicy.clear, .ignore, .setDefault],
        [ImportValuePolicy.set, .whenNew])
    func `declared null, absent and value policies win over those of the import`(
        null: ImportNullPolicy, value: ImportValuePolicy
    ) throws {
        let context = try TestStack(for: Samoyed.self, Walk.self).stack.newContext()
        let all = [
            "nullClears", "nullSets", "nullKeeps", "nullEmpties", "absentStays", "absentSets",
            "absentKeeps", "absentEmpties", "valueSets", "valueOfNew", "valuesOfNew",
        ]
        let members = all.map { "\"\($0)\": \"a\"" }.joined(separator: ", ")
        try Samoyed.importJSON(Data("{\"tag\": 1, \(members)}".utf8), in: context)
        for absent in [ImportAbsentPolicy.leave, .clear] {
            var options = ImportOptions()
            (options.null, options.value, options.absent) = (null, value, absent)
            let row = #"""
                {"tag": 1, "nullClears": null, "nullSets": null, "nullKeeps": null, "nullEmpties": null,
                 "valueSets": "b", "valueOfNew": "b", "valuesOfNew": ["b"]}
                """#
            try Samoyed.importJSON(Data(row.utf8), in: context, options: options)
            let dog = try #require(try Samoyed.findFirst(by: \.tag, 1, in: context))
            #expect(dog.nullClears == nil && dog.nullSets == nil)
            #expect(dog.nullKeeps.map(\.name) == ["a"] && dog.nullEmpties.isEmpty)
            #expect(dog.absentStays?.name == "a" && dog.absentSets == nil)
            #expect(dog.absentKeeps.map(\.name) == ["a"] && dog.absentEmpties.isEmpty)
            #expect(dog.valueSets?.name == "b" && dog.valueOfNew?.name == "a")
            #expect(dog.valuesOfNew.map(\.name) == ["a"])
        }
    }
}
