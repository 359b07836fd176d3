import Foundation
import RecordStack

/// A property whose merges are recorded, with three values for it.
struct MergedProperty {
    let name: String
    var isRelationship = false
    /// Short names of the three values.
    let values: [String]
    /// The attribute values that a custom policy returns.
    let given: [String: any AttributeValue]
    let set: (Pot, Int) throws -> Void
    let read: (Pot) -> String

    static func attribute<Value: AttributeValue>(
        _ name: String, _ path: ReferenceWritableKeyPath<Pot, Value>,
        _ values: [(name: String, value: Value)], given: Value
    ) -> MergedProperty {
        MergedProperty(
            name: name, values: values.map(\.name), given: [name: given],
            set: { pot, place in pot[keyPath: path] = values[place].value },
            read: { pot in
                let shown = pot[keyPath: path]
                if let value = values.first(where: { isSame($0.value, shown) }) {
                    return value.name
                }
                return isSame(shown, given) ? "given" : "\(shown)"
            })
    }

    /// Compares the texts of two values byte by byte, so that −0.0 and 0.0 differ.
    private static func isSame<Value>(_ first: Value, _ second: Value) -> Bool {
        Array("\(first)".utf8) == Array("\(second)".utf8)
    }

    /// The value of `mine` that a custom policy returns if the property is a relationship.
    static let givenMine = 7

    private static func relationship<Target: ManagedObject>(
        _ name: String, _ path: ReferenceWritableKeyPath<Pot, Target?>,
        target: @escaping (Pot, Int) throws -> Target?, nameOf: @escaping (Target) -> String,
        leadsBack: @escaping (Target, Pot) -> Bool
    ) -> MergedProperty {
        MergedProperty(
            name: name, isRelationship: true, values: ["nil", "a", "b"], given: ["mine": givenMine],
            set: { pot, place in pot[keyPath: path] = try target(pot, place) },
            read: { pot in
                guard let related = pot[keyPath: path] else { return "nil" }
                return nameOf(related) + (leadsBack(related, pot) ? "" : "?")
            })
    }

    static var rack: MergedProperty {
        relationship(
            "rack", \.rack,
            target: { pot, place in
                if place == 0 { return nil }
                return try Rack.findFirst(
                    by: \.name, ["", "a", "b"][place], in: pot.managedObjectContext!)
            }, nameOf: \.name, leadsBack: { $0.pots.contains($1) })
    }

    static var lid: MergedProperty {
        relationship(
            "lid", \.lid,
            target: { pot, place in
                if place == 0 { return nil }
                let name = "\(["", "a", "b"][place])\(pot.number)"
                return try Lid.findFirst(by: \.name, name, in: pot.managedObjectContext!)
            }, nameOf: { String($0.name.prefix(1)) }, leadsBack: { $0.pot === $1 })
    }

    /// The properties for which every case is recorded.
    static var whole: [MergedProperty] {
        [
            attribute("note", \.note, [("nil", nil), ("a", "a"), ("b", "b")], given: "given"),
            attribute("count", \.count, [("0", 0), ("1", 1), ("2", 2)], given: 9),
            rack, lid,
        ]
    }

    /// More properties, whose values are stored and compared in other ways.
    static var others: [MergedProperty] {
        [
            attribute(
                "isFull", \.isFull, [("nil", nil), ("no", false), ("yes", true)], given: true),
            attribute("weight", \.weight, [("nil", nil), ("1.5", 1.5), ("2.5", 2.5)], given: 9.5),
            // NaN is stored as null, and −0.0 as 0.0.
            attribute(
                "height", \.height, [("0.0", 0.0), ("-0.0", -0.0), ("nan", .nan)], given: 9.5),
            attribute("price", \.price, [("nil", nil), ("1", 1), ("1.1", 1.1)], given: 9),
            attribute(
                "fired", \.fired,
                [
                    ("nil", nil), ("1970", Date(timeIntervalSince1970: 0)),
                    ("2001", Date(timeIntervalSinceReferenceDate: 0.25)),
                ], given: Date(timeIntervalSince1970: 9)),
            attribute(
                "picture", \.picture, [("nil", nil), ("none", Data()), ("one", Data([1]))],
                given: Data([9, 9])),
            attribute(
                "code", \.code,
                [
                    ("nil", nil), ("1", UUID(uuidString: "11111111-1111-1111-1111-111111111111")),
                    ("2", UUID(uuidString: "22222222-2222-2222-2222-222222222222")),
                ], given: UUID(uuidString: "99999999-9999-9999-9999-999999999999")),
            attribute(
                "link", \.link,
                [("nil", nil), ("a", URL(string: "https://a")), ("b", URL(string: "https://b"))],
                given: URL(string: "https://given")),
            attribute(
                "glaze", \.glaze, [("nil", nil), ("green", .green), ("blue", .blue)], given: .white),
            // One letter in two Unicode spellings.
            attribute(
                "note", \.note, [("nil", nil), ("é", "\u{E9}"), ("é", "e\u{301}")], given: "given"),
        ]
    }
}
