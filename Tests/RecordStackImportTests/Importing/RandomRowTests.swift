import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Hamper: ManagedObject {
    @Attribute(.unique, .imported(from: "id")) var number: Int
    @Attribute(.imported(from: "full", "short", "about.title")) var title: String?
    @Attribute(.imported(from: "sizes.1", "size")) var size: Int?
    @Attribute(.imported(from: "weight", "about.weight")) var weight: Double = 1.5
    @Attribute(.imported(from: "open")) var isOpen: Bool?
    @Attribute var label: String? = "new"
    @Attribute(.imported(from: "owner", "about.owner")) var owner: String
}

/// Random rows, compared with a plain implementation of the rules.
@Suite("Random rows") struct RandomRowTests {
    @Test(arguments: Seeded.lanes)
    func `importing random rows gives the objects that the test computes itself`(lane: Int) throws {
        let start = Seeded.fromEnvironment(lane: lane)
        var seeds = start
        var seen: [String: Int] = [:]
        let rounds = Seeded.laneRounds(200, full: 4_000)
        for round in 0..<rounds {
            let place: Comment = "seed \(start.seed), round \(round)"
            let context = try TestStack(for: Hamper.self).stack.newContext()
            let rules = HamperRules(&seeds)
            var shelf: [Int: HamperModel] = [:]
            for _ in 0..<3 {
                let rows = (0..<seeds.below(30)).map { _ in HamperRow(&seeds) }
                let text = "[\(rows.map { $0.text(&seeds) }.joined(separator: ", "))]"
                let report = try Hamper.importJSON(
                    Data(text.utf8), in: context, options: rules.options)
                var counts: [String: Int] = [:]
                for row in rows { counts[row.apply(rules, to: &shelf), default: 0] += 1 }
                let found = try Hamper.find(sortedBy: .ascending(\.number), in: context)
                let values = found.map { "\($0.number): \(HamperModel($0))" }
                let wanted = shelf.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                try #require(values == wanted, "\(place): \(text)")
                try #require(report.inserted == counts["inserted"] ?? 0, place)
                try #require(report.updated == counts["updated"] ?? 0, place)
                try #require(report.unchanged == counts["unchanged"] ?? 0, place)
                try #require(report.skipped == counts["skipped"] ?? 0, place)
                seen.merge(counts) { $0 + $1 }
            }
        }
        print("RandomRowTests, seed \(start.seed): \(seen.sorted { $0.key < $1.key })")
        // Even the twelve rounds under a sanitizer contain enough of each outcome.
        guard rounds >= 10 else { return }
        let outcomes = ["inserted", "updated", "unchanged", "skipped"]
        #expect(outcomes.allSatisfy { seen[$0, default: 0] > rounds / 2 }, "seed \(start.seed)")
    }
}

/// The policies of an import.
private struct HamperRules {
    var options = ImportOptions()

    init(_ seeds: inout Seeded) {
        options.null = [.clear, .ignore, .setDefault].randomElement(using: &seeds)!
        options.absent = [.leave, .leave, .clear, .setDefault].randomElement(using: &seeds)!
        options.fallback = [.whenNull, .whenAbsent].randomElement(using: &seeds)!
        options.value = [.set, .set, .whenNil, .whenNew].randomElement(using: &seeds)!
        options.batchSize = [1, 7, 1_000].randomElement(using: &seeds)!
    }
}

/// The values of an object as text, without the nil ones.
private struct HamperModel: Equatable, CustomStringConvertible {
    var values: [String: String] = [:]

    init() {}

    init(_ object: Hamper) {
        values["title"] = object.title
        values["size"] = object.size.map { "\($0)" }
        values["weight"] = "\(object.weight)"
        values["open"] = object.isOpen.map { "\($0)" }
        values["label"] = object.label
        values["owner"] = object.owner
    }

    var description: String {
        values.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }.joined(separator: ", ")
    }
}

/// A row's entry for one key.
private enum HamperWord {
    case absent, null
    /// A value as JSON, and as the attribute's text.
    case value(json: String, String)
    case unfit(json: String)

    var json: String? {
        switch self {
        case .absent: nil
        case .null: "null"
        case .value(let json, _), .unfit(let json): json
        }
    }
}

private struct HamperField {
    let name: String
    let keys: [String]
    var isOptional = true
    var preset: String?

    static let all = [
        HamperField(name: "title", keys: ["full", "short", "about.title"]),
        HamperField(name: "size", keys: ["sizes.1", "size"]),
        HamperField(
            name: "weight", keys: ["weight", "about.weight"], isOptional: false, preset: "1.5"),
        HamperField(name: "open", keys: ["open"]),
        HamperField(name: "label", keys: ["label"], preset: "new"),
        HamperField(name: "owner", keys: ["owner", "about.owner"], isOptional: false),
    ]

    func word(_ seeds: inout Seeded) -> HamperWord {
        // With more absent owners, too few rows would be complete.
        let absent = name == "owner" ? 15 : 35
        if seeds.chance(absent) { return .absent }
        if seeds.chance(20) { return .null }
        if seeds.chance(name == "owner" ? 3 : 8) {
            return .unfit(json: ["[1, {\"id\": 7}]", "{\"label\": [\"x\"]}"][seeds.below(2)])
        }
        let number = seeds.below(5)
        switch name {
        case "size":
            return .value(
                json: ["\(number)", "\"\(number)\"", "\(number).0"][seeds.below(3)], "\(number)")
        case "weight": return .value(json: "\(number).25", "\(number).25")
        case "open":
            return number < 2 ? .value(json: "true", "true") : .value(json: "false", "false")
        default:
            return seeds.chance(20)
                ? .value(json: "\"\\u0061\(number)\"", "a\(number)")
                : .value(json: "\"a\(number)\"", "a\(number)")
        }
    }
}

private struct HamperRow {
    let number: Int?
    private var words: [String: HamperWord] = [:]

    init(_ seeds: inout Seeded) {
        number = seeds.chance(95) ? seeds.below(8) : nil
        for field in HamperField.all {
            for key in field.keys { words[key] = field.word(&seeds) }
        }
    }

    /// Returns the row as JSON, with its keys in random order and with unknown keys among them.
    func text(_ seeds: inout Seeded) -> String {
        var members: [String] = []
        if let number { members.append("\"id\": \(number)") }
        var about: [String] = []
        for (key, word) in words.sorted(by: { $0.key < $1.key }) {
            guard let json = word.json else { continue }
            if key == "sizes.1" {
                members.append("\"sizes\": [{\"size\": 9}, \(json), 8]")
            } else if key.hasPrefix("about.") {
                about.append("\"\(key.dropFirst(6))\": \(json)")
            } else {
                members.append("\"\(key)\": \(json)")
            }
        }
        if !about.isEmpty {
            members.append("\"about\": {\(about.shuffled(using: &seeds).joined(separator: ", "))}")
        }
        if seeds.chance(30) { members.append("\"\": {\"id\": [true]}") }
        if seeds.chance(30) { members.append("\"idle\": 3") }
        return "{\(members.shuffled(using: &seeds).joined(separator: ", "))}"
    }

    /// Applies the row to an object.
    /// - Returns: the outcome for the row.
    func apply(_ rules: HamperRules, to shelf: inout [Int: HamperModel]) -> String {
        // A row without a number identifies no object and cannot create one.
        guard let number else { return "skipped" }
        let old = shelf[number]
        guard let new = merged(rules, old) else { return "skipped" }
        shelf[number] = new
        return old == nil ? "inserted" : old == new ? "unchanged" : "updated"
    }

    private func merged(_ rules: HamperRules, _ old: HamperModel?) -> HamperModel? {
        var new = old ?? HamperModel()
        for field in HamperField.all {
            if old == nil { new.values[field.name] = field.preset }
            switch word(for: field, rules.options.fallback) {
            case .value(_, let value):
                switch rules.options.value {
                case .set: new.values[field.name] = value
                case .whenNil where old == nil || old?.values[field.name] == nil:
                    new.values[field.name] = value
                case .whenNew where old == nil: new.values[field.name] = value
                default: break
                }
            case .absent: fillAbsent(field, rules, &new, isNew: old == nil)
            case .null:
                switch rules.options.null {
                case .ignore: fillAbsent(field, rules, &new, isNew: old == nil)
                case .clear:
                    if !field.isOptional && field.preset == nil { return nil }
                    new.values[field.name] = field.isOptional ? nil : field.preset
                case .setDefault:
                    if !field.isOptional && field.preset == nil { return nil }
                    new.values[field.name] = field.preset
                }
            case .unfit: if !field.isOptional { return nil }
            }
        }
        return new.values["owner"] == nil ? nil : new
    }

    private func fillAbsent(
        _ field: HamperField, _ rules: HamperRules, _ new: inout HamperModel, isNew: Bool
    ) {
        if isNew || rules.options.absent == .leave { return }
        if !field.isOptional && field.preset == nil { return }
        let clears = field.isOptional && rules.options.absent == .clear
        new.values[field.name] = clears ? nil : field.preset
    }

    /// Returns the entry that counts under a field's keys.
    private func word(for field: HamperField, _ rule: ImportFallbackPolicy) -> HamperWord {
        var isNull = false
        for key in field.keys {
            switch words[key] ?? .absent {
            case .absent: continue
            case .null:
                if rule == .whenAbsent { return .null }
                isNull = true
            case let word: return word
            }
        }
        return isNull ? .null : .absent
    }
}
