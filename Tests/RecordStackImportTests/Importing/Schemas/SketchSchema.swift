import Foundation
import RecordStack
import RecordStackModel
import TestSupport

/// The types of attributes in random schemas, with values as a source contains them.
enum SketchKind: String, CaseIterable, Sendable {
    case whole, small, unsigned, real, single, decimal, text, flag, date, data, uuid, url, list,
        hitch

    var type: any AttributeValue.Type {
        switch self {
        case .whole: Int.self
        case .small: Int16.self
        case .unsigned: UInt64.self
        case .real: Double.self
        case .single: Float.self
        case .decimal: Decimal.self
        case .text: String.self
        case .flag: Bool.self
        case .date: Date.self
        case .data: Data.self
        case .uuid: UUID.self
        case .url: URL.self
        case .list: [String].self
        case .hitch: Hitch.self
        }
    }

    /// Returns a value of a source, and the value that must be stored for it.
    func value(
        _ formats: [ImportDateFormat], _ seeds: inout Seeded
    ) -> (ImportValue, StoredValue) {
        let number = seeds.below(200) - 50
        let asText = seeds.chance(25)
        func either(_ text: String) -> ImportValue { asText ? .string(text) : .number(text) }
        switch self {
        case .whole: return (either("\(number)"), number.storedValue)
        case .small: return (either("\(number)"), Int16(number).storedValue)
        case .unsigned:
            let value = seeds.next()
            return (either("\(value)"), value.storedValue)
        case .real:
            let value = Double(number) / 8
            return (either("\(value)"), value.storedValue)
        case .single:
            let value = Float(number) / 16
            return (either("\(value)"), value.storedValue)
        case .decimal:
            let value = Decimal(number) / 4
            return (either(value.description), value.storedValue)
        case .text:
            let text = ["", "a", "é", "e\u{301}", "12", "null", "\"", "\u{1}"][seeds.below(8)]
            return (.string(text), text.storedValue)
        case .flag: return (.bool(number > 0), (number > 0).storedValue)
        case .date: return Self.date(number, formats)
        case .data:
            let data = Data([UInt8(seeds.below(256)), 7])
            return (.string(data.base64EncodedString()), data.storedValue)
        case .uuid:
            let bytes = (0..<16).map { _ in UInt8(seeds.below(256)) }
            let id = UUID(storedValue: .blob(bytes))!
            return (.string(id.uuidString), id.storedValue)
        case .url:
            let text = "https://example.org/\(number)?q=é"
            return (.string(text), URL(string: text)!.storedValue)
        case .list:
            let words = (0..<seeds.below(3)).map { "w\($0)" }
            return (.array(words.map { .string($0) }), words.storedValue)
        case .hitch:
            let hitch = Hitch.allCases[seeds.below(3)]
            return (.string(hitch.rawValue), hitch.storedValue)
        }
    }

    private static func date(
        _ number: Int, _ formats: [ImportDateFormat]
    ) -> (ImportValue, StoredValue) {
        let days = 12_000 + number
        let date = Date(timeIntervalSince1970: Double(days) * 86_400)
        let text = date.formatted(.iso8601.year().month().day())
        switch formats.first {
        case nil, .iso8601?: return (.string(text), date.storedValue)
        case .pattern?:
            return (.string(text.replacing("-", with: "")), date.storedValue)
        case .secondsSince1970?: return (.number(days * 86_400), date.storedValue)
        case .millisecondsSince1970?: return (.number(days * 86_400_000), date.storedValue)
        }
    }

    /// A value of a source that does not fit the type.
    var unfit: ImportValue {
        switch self {
        case .text: .array([.number(1)])
        case .list: .object(["x": .number(1)])
        default: .object(["list": .bool(true)])
        }
    }
}

/// An attribute of a random schema.
struct SketchField: Sendable {
    let name: String
    let kind: SketchKind
    /// The declared key paths. If there are none, the name is the key.
    var keys: [String] = []
    var null: ImportNullPolicy?
    var absent: ImportAbsentPolicy?
    var value: ImportValuePolicy?
    var fallback: ImportFallbackPolicy?
    var preset: StoredValue?
    var formats: [ImportDateFormat] = []

    /// The key paths as arrays of steps.
    var paths: [[String]] {
        (keys.isEmpty ? [name] : keys).map { key in
            key.replacing("\\.", with: "\u{2}").split(separator: ".").map {
                String($0).replacing("\u{2}", with: ".")
            }
        }
    }

    init(_ name: String, _ kind: SketchKind, _ seeds: inout Seeded) {
        self.name = name
        self.kind = kind
        let all = [
            name, "\(name)1", "o.\(name)", "o.p.\(name)", "l\(name).1", "\(name)\\.x",
            // A Swift dictionary can contain only one of the two.
            seeds.chance(50) ? "\u{E9}\(name)" : "e\u{301}\(name)",
        ]
        keys = Array(all.shuffled(using: &seeds).prefix(seeds.below(4)))
        if kind == .date {
            formats = [
                [], [.iso8601], [.secondsSince1970], [.millisecondsSince1970],
                [.secondsSince1970, .millisecondsSince1970],
                [.millisecondsSince1970, .secondsSince1970], [.pattern("yyyyMMdd"), .iso8601],
            ].randomElement(using: &seeds)!
        }
    }

    mutating func addRules(_ seeds: inout Seeded) {
        if seeds.chance(30) { null = [.clear, .ignore, .setDefault].randomElement(using: &seeds) }
        if seeds.chance(20) { absent = [.leave, .clear, .setDefault].randomElement(using: &seeds) }
        if seeds.chance(20) { value = [.set, .whenNil, .whenNew].randomElement(using: &seeds) }
        if seeds.chance(30) { fallback = [.whenNull, .whenAbsent].randomElement(using: &seeds) }
        if seeds.chance(30) { preset = kind.value(formats, &seeds).1 }
    }
}

/// A random entity, with an identity of one or two parts, a required attribute, two other
/// attributes, a reference and an ordered list.
struct SketchSchema: Sendable {
    let isComposite: Bool
    let idKey: String
    let partDefault: String
    var need: SketchField
    var a: SketchField
    var b: SketchField
    let replaces: Bool

    init(_ seeds: inout Seeded) {
        isComposite = seeds.chance(50)
        idKey = ["id", "meta.id", "key"][seeds.below(3)]
        partDefault = ["x", "y"][seeds.below(2)]
        need = SketchField("need", .text, &seeds)
        if seeds.chance(50) { need.preset = .text("needed") }
        a = SketchField("a", SketchKind.allCases.randomElement(using: &seeds)!, &seeds)
        a.addRules(&seeds)
        b = SketchField("b", SketchKind.allCases.randomElement(using: &seeds)!, &seeds)
        b.addRules(&seeds)
        replaces = seeds.chance(50)
    }

    var fields: [SketchField] { [need, a, b] }

    /// True if a row without a key has the same effect on a new object as on an existing one.
    var isSettled: Bool { fields.allSatisfy { $0.absent != .clear || $0.preset == nil } }
}
