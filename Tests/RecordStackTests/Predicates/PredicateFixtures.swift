import Foundation
import RecordStack
import RecordStackTesting
import Testing

enum Mood: String, CaseIterable, Codable, AttributeValue {
    case calm, merry, angry
    var isGood: Bool { self != .angry }
    var letter: String { String(rawValue.prefix(1)) }
}

enum Tier: Int, Codable, AttributeValue {
    case low = 1
    case high = 2
    static let placeholder = Tier.low
}

@Entity class Visitor: ManagedObject {
    @Attribute var name: String
    @Attribute var nick: String?
    @Attribute var age: Int?
    @Attribute var visits: Int
    @Attribute var score: Double
    @Attribute var balance: Decimal
    @Attribute var seen: Date
    @Attribute var photo: Data
    @Attribute var isMember: Bool
    @Attribute var isBanned: Bool?
    @Attribute var mood: Mood
    @Attribute var grade: Tier
    @Attribute var tags: [String]
    @Attribute var ticket: UInt64
    @Relationship(inverse: \Lodge.guests) var lodge: Lodge?
    @Relationship var lodges: OrderedToMany<Lodge>
    var shout: String { name.uppercased() }
}

@Entity final class Regular: Visitor {
    @Attribute var since: Int = 2_000
}

@Entity final class Lodge: ManagedObject {
    @Attribute var title: String
    @Attribute var rooms: Int?
    @Relationship var guests: ToMany<Visitor>
    @Relationship(inverse: \Visitor.lodges) var owner: Visitor?
}

/// Five visitors and three lodges, saved in one context and pending in another.
struct Visitors {
    let stored: ManagedObjectContext
    let pending: ManagedObjectContext
    private let stacks: [TestStack]

    init() async throws {
        stacks = try (0..<2).map { _ in
            try TestStack(for: Visitor.self, Regular.self, Lodge.self)
        }
        stored = stacks[0].stack.newContext()
        pending = stacks[1].stack.newContext()
        for context in [stored, pending] { try Self.fill(context) }
        try await stored.save()
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        let a = try Lodge.create(in: context, title: "A", rooms: 4)
        let b = try Lodge.create(in: context, title: "B")
        let c = try Lodge.create(in: context, title: "C", rooms: 2)
        let ann = try visitor("ann", "Annie", 30, 3, 1.5, "10.5", 0, [1, 2], .calm, in: context)
        let bob = try visitor("bob", nil, nil, 0, -2, "-1", 100, [], .angry, in: context)
        let cid = try visitor("cid", "", 17, 7, 0.5, "10.5", -50, [9], .merry, in: context)
        let dan = try visitor("dan", "e\u{301}", 64, 1_000, 0, "1000", 7, [0], .calm, in: context)
        let eve = try visitor("eve", "EVE", 30, 2, 3, "0", 8, [1, 2], .angry, in: context)
        (ann.isMember, cid.isMember, dan.isMember) = (true, true, true)
        (ann.isBanned, cid.isBanned) = (false, true)
        (ann.lodge, cid.lodge, dan.lodge, eve.lodge) = (a, a, b, b)
        (bob.grade, dan.ticket) = (.high, .max)
        (a.owner, c.owner) = (ann, ann)
    }

    private static func visitor(
        _ name: String, _ nick: String?, _ age: Int?, _ visits: Int, _ score: Double,
        _ balance: String, _ seconds: Double, _ photo: [UInt8], _ mood: Mood,
        in context: ManagedObjectContext
    ) throws -> Visitor {
        try Visitor.create(
            in: context, name: name, nick: nick, age: age, visits: visits, score: score,
            balance: #require(Decimal(string: balance)),
            seen: Date(timeIntervalSinceReferenceDate: seconds), photo: Data(photo),
            isMember: false, mood: mood, grade: .low, tags: [name], ticket: 1)
    }

    /// Checks that SQL, memory and Foundation find the expected visitors for a predicate.
    func expect(
        _ predicate: Predicate<Visitor>, _ expected: String, asFoundation agrees: Bool = true,
        _ place: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: Never.self, sourceLocation: place) {
            for context in [stored, pending] {
                let found = try Visitor.find(matching: Filter(predicate), in: context)
                #expect(
                    found.map(\.name).joined(separator: " ") == expected, sourceLocation: place)
            }
            guard agrees else { return }
            let all = try Visitor.find(in: stored)
            let evaluated = try all.filter { try predicate.evaluate($0) }.map(\.name)
            #expect(
                evaluated.joined(separator: " ") == expected, "Foundation", sourceLocation: place)
        }
    }
}
