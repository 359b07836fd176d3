import Foundation
import RecordStack
import RecordStackTesting

enum Duty: String, Codable, EnumAttributeValue {
    case hand, mate, captain
}

@Entity final class Mariner: ManagedObject {
    @Attribute(.indexed) var name: String
    @Attribute var nick: String?
    @Attribute var age: Int?
    @Attribute var pay: Int
    @Attribute var debt: Int
    @Attribute var joined: Date
    @Attribute var duty: Duty
    @Attribute var isAshore: Bool
    @Relationship(inverse: \Vessel.crew) var vessel: Vessel?
}

@Entity final class Vessel: ManagedObject {
    @Attribute var title: String
    @Attribute var length: Double?
    @Relationship var crew: ToMany<Mariner>
}

/// Eight mariners and three vessels, saved in one context and pending in another.
struct Mariners {
    let stored: ManagedObjectContext
    let pending: ManagedObjectContext
    private let stacks: [TestStack]

    init() throws {
        stacks = try (0..<2).map { _ in try TestStack(for: Mariner.self, Vessel.self) }
        stored = stacks[0].stack.newContext()
        pending = stacks[1].stack.newContext()
        for context in [stored, pending] { try Self.fill(context) }
        try stored.saveAndWait()
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        let vega = try Vessel.create(in: context, title: "Vega", length: 31.5)
        let lyra = try Vessel.create(in: context, title: "Lyra", length: 12)
        try Vessel.create(in: context, title: "Argo")
        try mariner("Ann", "Annie", 34, 300, 0, -9, .captain, vega, in: context)
        try mariner("Ben", nil, 17, 90, 40, 0, .hand, vega, in: context)
        try mariner("Cid", "the 100%", nil, 120, 500, 3, .hand, nil, in: context).isAshore = true
        try mariner("Dagný", "", 52, 180, -20, 7, .mate, vega, in: context)
        try mariner("Eve", "EVE*", 18, 100, 100, 11, .hand, lyra, in: context).isAshore = true
        try mariner("Finn", "ben", 41, 220, 10, 0.5, .captain, lyra, in: context)
        try mariner("Gus", nil, 30, 0, 0, 40, .mate, nil, in: context)
        try mariner("anna", "Ann", 64, 200, 7, -400, .mate, lyra, in: context)
    }

    @discardableResult
    private static func mariner(
        _ name: String, _ nick: String?, _ age: Int?, _ pay: Int, _ debt: Int, _ day: Double,
        _ duty: Duty, _ vessel: Vessel?, in context: ManagedObjectContext
    ) throws -> Mariner {
        let mariner = try Mariner.create(
            in: context, name: name, nick: nick, age: age, pay: pay, debt: debt,
            joined: Date(timeIntervalSinceReferenceDate: day * 86_400), duty: duty,
            isAshore: false)
        mariner.vessel = vessel
        return mariner
    }
}
