import Foundation
import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// An entity with one attribute of each kind that policies treat differently.
@Entity final class Governed: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.imported(from: "optional", "optional2")) var optional: String?
    @Attribute(.imported(from: "defaulted", "defaulted2")) var defaulted: String? = "default"
    @Attribute(.imported(from: "level", "level2")) var level: String = "default"
    @Attribute(.imported(from: "required", "required2")) var required: String
}

/// An entity that declares every policy of an attribute. The import requests the opposite.
@Entity final class Declared: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute(.importing(null: .clear)) var nullClear: String? = "default"
    @Attribute(.importing(null: .ignore)) var nullIgnore: String? = "default"
    @Attribute(.importing(null: .setDefault)) var nullDefault: String? = "default"
    @Attribute(.importing(absent: .leave)) var absentLeave: String? = "default"
    @Attribute(.importing(absent: .clear)) var absentClear: String? = "default"
    @Attribute(.importing(absent: .setDefault)) var absentDefault: String? = "default"
    @Attribute(.importing(value: .set)) var valueSet: String? = "default"
    @Attribute(.importing(value: .whenNil)) var valueWhenNil: String? = "default"
    @Attribute(.importing(value: .whenNew)) var valueWhenNew: String? = "default"
    @Attribute(.imported(from: "fall", "fall2"), .importing(fallback: .whenNull))
    var fallWhenNull: String? = "default"
    @Attribute(.imported(from: "fall", "fall2"), .importing(fallback: .whenAbsent))
    var fallWhenAbsent: String? = "default"
}

/// A policy, the form in which a source mentions all attributes, and the expected values.
struct PolicyRow: Sendable, CustomTestStringConvertible {
    let name: String
    let options: ImportOptions
    let input: String
    /// The expected values of `optional`, `defaulted`, `level` and `required`, or nil if the row is
    /// skipped.
    let wanted: [String?]?
    var problems = 0

    var testDescription: String { "\(name), \(input)" }

    init(
        _ name: String, _ input: String, _ wanted: [String?]?, problems: Int = 0,
        _ set: (inout ImportOptions) -> Void
    ) {
        self.name = name
        self.input = input
        self.wanted = wanted
        self.problems = problems
        var options = ImportOptions()
        set(&options)
        self.options = options
    }

    /// Cases for an object in which every attribute is "old".
    static let found: [PolicyRow] = [
        PolicyRow("null: clear", "null", nil, problems: 1) { $0.null = .clear },
        PolicyRow("null: clear", "null but required", [nil, nil, "default", "old"]) {
            $0.null = .clear
        },
        PolicyRow("null: ignore", "null", ["old", "old", "old", "old"]) { $0.null = .ignore },
        PolicyRow("null: setDefault", "null", nil, problems: 1) { $0.null = .setDefault },
        PolicyRow("null: setDefault", "null but required", [nil, "default", "default", "old"]) {
            $0.null = .setDefault
        },
        PolicyRow("absent: leave", "absent", ["old", "old", "old", "old"]) { $0.absent = .leave },
        PolicyRow("absent: clear", "absent", [nil, nil, "default", "old"]) { $0.absent = .clear },
        PolicyRow("absent: setDefault", "absent", [nil, "default", "default", "old"]) {
            $0.absent = .setDefault
        },
        PolicyRow("null: ignore, absent: clear", "null", [nil, nil, "default", "old"]) {
            ($0.null, $0.absent) = (.ignore, .clear)
        },
        PolicyRow("value: set", "value", ["new", "new", "new", "new"]) { $0.value = .set },
        PolicyRow("value: whenNil", "value", ["old", "old", "old", "old"]) { $0.value = .whenNil },
        PolicyRow("value: whenNew", "value", ["old", "old", "old", "old"]) { $0.value = .whenNew },
        PolicyRow("unfit", "unfit where it may be", ["old", "old", "new", "new"], problems: 2) {
            _ in
        },
        PolicyRow("unfit", "unfit level", nil, problems: 1) { _ in },
        PolicyRow("unfit", "unfit required", nil, problems: 1) { _ in },
        PolicyRow("fallback: whenNull", "null, then value", ["new", "new", "new", "old"]) {
            $0.fallback = .whenNull
        },
        PolicyRow("fallback: whenNull", "absent, then value", ["new", "new", "new", "new"]) {
            $0.fallback = .whenNull
        },
        PolicyRow("fallback: whenNull", "value, then null", ["new", "new", "new", "new"]) {
            $0.fallback = .whenNull
        },
        PolicyRow("fallback: whenNull", "null, then null", [nil, nil, "default", "old"]) {
            $0.fallback = .whenNull
        },
        PolicyRow("fallback: whenAbsent", "null, then value", [nil, nil, "default", "old"]) {
            $0.fallback = .whenAbsent
        },
        PolicyRow("fallback: whenAbsent", "absent, then value", ["new", "new", "new", "new"]) {
            $0.fallback = .whenAbsent
        },
        PolicyRow("fallback: whenAbsent", "value, then null", ["new", "new", "new", "new"]) {
            $0.fallback = .whenAbsent
        },
        PolicyRow(
            "fallback: whenAbsent, null: ignore", "null, then value", ["old", "old", "old", "old"]
        ) {
            ($0.fallback, $0.null) = (.whenAbsent, .ignore)
        },
        PolicyRow("patch", "absent", ["old", "old", "old", "old"]) { $0 = .patch },
        PolicyRow("replace", "absent", [nil, "default", "default", "old"]) { $0 = .replace },
    ]

    /// Cases for an object that the import creates.
    static let made: [PolicyRow] = [
        PolicyRow("absent", "absent", nil, problems: 1) { _ in },
        PolicyRow("absent: leave", "absent but required", [nil, "default", "default", "new"]) {
            $0.absent = .leave
        },
        PolicyRow("absent: clear", "absent but required", [nil, "default", "default", "new"]) {
            $0.absent = .clear
        },
        PolicyRow("absent: setDefault", "absent but required", [nil, "default", "default", "new"]) {
            $0.absent = .setDefault
        },
        PolicyRow("null: clear", "null", nil, problems: 1) { $0.null = .clear },
        PolicyRow("null: clear", "null but required", nil, problems: 1) { $0.null = .clear },
        PolicyRow("null: clear", "null, required new", [nil, nil, "default", "new"]) {
            $0.null = .clear
        },
        PolicyRow("null: ignore", "null, required new", [nil, "default", "default", "new"]) {
            $0.null = .ignore
        },
        PolicyRow("null: setDefault", "null, required new", [nil, "default", "default", "new"]) {
            $0.null = .setDefault
        },
        PolicyRow("value: set", "value", ["new", "new", "new", "new"]) { $0.value = .set },
        PolicyRow("value: whenNil", "value", ["new", "new", "new", "new"]) { $0.value = .whenNil },
        PolicyRow("value: whenNew", "value", ["new", "new", "new", "new"]) { $0.value = .whenNew },
        PolicyRow(
            "fallback: whenNull", "null, then value, required new", ["new", "new", "new", "new"]
        ) {
            $0.fallback = .whenNull
        },
        PolicyRow(
            "fallback: whenAbsent", "null, then value, required new", [nil, nil, "default", "new"]
        ) {
            $0.fallback = .whenAbsent
        },
        PolicyRow("unfit", "unfit where it may be", [nil, "default", "new", "new"], problems: 2) {
            _ in
        },
        PolicyRow("unfit", "unfit required", nil, problems: 1) { _ in },
    ]

    /// Returns values under the first and the second key of each attribute, and a valid value for
    /// the required attribute.
    private static func pairs(_ first: String?, _ second: String, _ required: String?) -> String {
        var text = ""
        for name in ["optional", "defaulted", "level"] {
            if let first { text += #", "\#(name)": \#(first)"# }
            text += #", "\#(name)2": \#(second)"#
        }
        if let required { text += #", "required": \#(required)"# }
        return text
    }

    var json: String {
        let values =
            switch input {
            case "absent": ""
            case "absent but required": #", "required": "new""#
            case "null": #", "optional": null, "defaulted": null, "level": null, "required": null"#
            case "null but required": #", "optional": null, "defaulted": null, "level": null"#
            case "null, required new":
                #", "optional": null, "defaulted": null, "level": null, "required": "new""#
            case "value":
                #", "optional": "new", "defaulted": "new", "level": "new", "required": "new""#
            case "unfit where it may be":
                #", "optional": [1], "defaulted": {}, "level": "new", "required": "new""#
            case "unfit level": #", "level": [1]"#
            case "null, then value": Self.pairs("null", #""new""#, nil)
            case "null, then null": Self.pairs("null", "null", nil)
            case "null, then value, required new": Self.pairs("null", #""new""#, #""new""#)
            case "absent, then value": Self.pairs(nil, #""new""#, #""new""#)
            case "value, then null": Self.pairs(#""new""#, "null", #""new""#)
            default: #", "required": [1]"#
            }
        return #"{"id": 1\#(values)}"#
    }
}

/// Every policy of an import, for every kind of attribute and every form in which a source mentions
/// it.
@Suite("Import policies of attributes") struct PolicyTableTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Governed.self, Declared.self)
        context = test.stack.newContext()
    }

    private func check(_ row: PolicyRow, in objects: [Governed], _ report: ImportReport) {
        #expect(report.problems.count == row.problems)
        #expect(report.skipped == (row.wanted == nil ? 1 : 0))
        guard let wanted = row.wanted, let object = objects.first else { return }
        #expect([object.optional, object.defaulted, object.level, object.required] == wanted)
    }

    @Test(arguments: PolicyRow.found)
    func `import policies decide which attributes of an existing object change`(row: PolicyRow)
        throws
    {
        let object = try Governed.create(in: context, id: 1, required: "old")
        (object.optional, object.defaulted, object.level) = ("old", "old", "old")
        try context.saveAndWait()
        let report = try Governed.importJSON(Data(row.json.utf8), in: context, options: row.options)
        check(row, in: [object], report)
        // A skipped row changes nothing.
        if row.wanted == nil || row.wanted == ["old", "old", "old", "old"] {
            #expect(!object.hasChanges && report.updated == 0)
        } else {
            #expect(report.updated == 1)
        }
    }

    @Test(arguments: PolicyRow.made)
    func `import policies decide which attribute values a new object gets`(row: PolicyRow) throws {
        let report = try Governed.importJSON(Data(row.json.utf8), in: context, options: row.options)
        let objects = try Governed.find(in: context)
        check(row, in: objects, report)
        #expect(objects.count == (row.wanted == nil ? 0 : 1) && report.inserted == objects.count)
    }

    @Test func `the import policy whenNil sets only nil attributes`() throws {
        let object = try Governed.create(in: context, id: 1, required: "old")
        object.defaulted = nil
        var options = ImportOptions()
        options.value = .whenNil
        let row = PolicyRow("", "value", nil) { _ in }
        _ = try Governed.importJSON(Data(row.json.utf8), in: context, options: options)
        #expect(object.optional == "new" && object.defaulted == "new")
        #expect(object.level == "default" && object.required == "old")
    }

    @Test func `a policy that an attribute declares overrides the import's policy`() throws {
        let object = try Declared.create(in: context, id: 1)
        /// Returns the values that an "old" attribute gets under all policies of the import.
        func values(
            _ attribute: ReferenceWritableKeyPath<Declared, String?>, _ json: String
        ) throws -> Set<String> {
            var found: Set<String> = []
            for null in [ImportNullPolicy.clear, .ignore, .setDefault] {
                for absent in [ImportAbsentPolicy.leave, .clear, .setDefault] {
                    for value in [ImportValuePolicy.set, .whenNil, .whenNew] {
                        var options = ImportOptions()
                        (options.null, options.absent, options.value) = (null, absent, value)
                        object[keyPath: attribute] = "old"
                        _ = try Declared.importJSON(Data(json.utf8), in: context, options: options)
                        found.insert(object[keyPath: attribute] ?? "nil")
                    }
                }
            }
            return found
        }
        let null = { (name: String) in #"{"id": 1, "\#(name)": null}"# }
        let value = { (name: String) in #"{"id": 1, "\#(name)": "new"}"# }
        #expect(try values(\.nullClear, null("nullClear")) == ["nil"])
        // An ignored null counts as absent, so the import's policy applies.
        #expect(try values(\.nullIgnore, null("nullIgnore")) == ["old", "nil", "default"])
        #expect(try values(\.nullDefault, null("nullDefault")) == ["default"])
        #expect(try values(\.absentLeave, #"{"id": 1}"#) == ["old"])
        #expect(try values(\.absentClear, #"{"id": 1}"#) == ["nil"])
        #expect(try values(\.absentDefault, #"{"id": 1}"#) == ["default"])
        #expect(try values(\.valueSet, value("valueSet")) == ["new"])
        #expect(try values(\.valueWhenNil, value("valueWhenNil")) == ["old"])
        #expect(try values(\.valueWhenNew, value("valueWhenNew")) == ["old"])
        let both = #"{"id": 1, "fall": null, "fall2": "new"}"#
        for fallback in [ImportFallbackPolicy.whenNull, .whenAbsent] {
            var options = ImportOptions()
            options.fallback = fallback
            (object.fallWhenNull, object.fallWhenAbsent) = ("old", "old")
            _ = try Declared.importJSON(Data(both.utf8), in: context, options: options)
            #expect(object.fallWhenNull == "new" && object.fallWhenAbsent == nil)
        }
    }
}
