import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

enum Hitch: String, AttributeValue, CaseIterable {
    case reef, bowline
    case sheetBend = "sheet bend"
}

@Entity final class Bight: ManagedObject {
    @Attribute(.unique, .imported(from: "id")) var number: Int
    @Attribute(.imported(from: "about.name", "name")) var name: String?
    @Attribute(.imported(from: "about.size.0")) var width: Double?
    @Attribute(.imported(from: "about.size.1")) var height: Float?
    @Attribute var made: Date?
    @Attribute var price: Decimal?
    @Attribute var data: Data?
    @Attribute var code: UUID?
    @Attribute var tags: [String] = []
    @Attribute var big: UInt64 = 0
    @Attribute var isTight: Bool = false
    @Attribute var knot: Hitch?
    @Attribute var label: String? = "tin"
    @Attribute(.dateFormat(.pattern("d. MMMM yyyy"), .iso8601)) var day: Date?
    @Attribute(.dateFormat(.millisecondsSince1970)) var tied: Date?
    @Relationship(inverse: \Cord.bights) var cord: Cord?
    @Relationship(.imported(from: "next"), inverse: \Bight.before) var next: Bight?
    @Relationship(.notImported) var before: ToMany<Bight>
    @Relationship(.symmetric) var friends: ToMany<Bight>
    @Relationship(.importing(members: .replace), inverse: \Cord.ends) var ends: OrderedToMany<Cord>
}

@Entity class Cord: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var length: Int?
    @Relationship(.notImported) var bights: ToMany<Bight>
    @Relationship(.notImported) var ends: ToMany<Bight>
    @Relationship(.importing(members: .replace), deleteRule: .cascade, inverse: \Splice.cord)
    var splices: ToMany<Splice>
}

@Entity final class Hawser: Cord {
    @Attribute var strands: Int = 3
    @Relationship(inverse: \Hawser.towed) var towing: Hawser?
    @Relationship(.notImported) var towed: ToMany<Hawser>
}

extension Cord: Importable {
    static var importDiscriminator: ImportDiscriminator? {
        ImportDiscriminator("kind", ["hawser": Hawser.self])
    }
}

/// An entity with an identity of its cord and its place, both of which are required.
@Entity(.unique(\.cord, \.place)) final class Splice: ManagedObject {
    @Attribute var place: Int
    @Attribute var maker: String?
    @Relationship(.required) var cord: Cord?
}

/// Graphs that are exported and imported again.
@Suite("Random exports") struct RandomExportTests {
    @Test(arguments: Seeded.lanes)
    func `a random graph of objects is the same after an export and an import`(lane: Int)
        async throws
    {
        let start = Seeded.fromEnvironment(lane: lane)
        var seeds = start
        let rounds = Seeded.laneRounds(200, full: 2_000)
        var objects = 0
        for _ in 0..<rounds {
            let seed = seeds.next()
            var random = Seeded(seed: seed)
            do {
                objects += try await Self.run(&random)
            } catch {
                Issue.record("seed \(start.seed), graph \(seed): \(error)")
                return
            }
        }
        print("seed \(start.seed), exports of \(objects) objects in \(rounds) graphs")
        #expect(objects > rounds * 5)
    }

    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    /// - Returns: the number of objects.
    private static func run(_ random: inout Seeded) async throws -> Int {
        let test = try TestStack(
            for: Bight.self, Cord.self, Hawser.self, Splice.self)
        let context = test.stack.newContext()
        try fill(context, &random)
        if random.chance(50) { try await context.save() }
        var options = ExportOptions()
        options.depth = random.below(3)
        options.includesNulls = random.chance(50)
        options.isPretty = random.chance(30)
        options.format = random.chance(30) ? .ndjson : .json
        let texts = try export(context, options)
        var importing = ImportOptions()
        importing.format = options.format
        importing.batchSize = 1 + random.below(20)
        let other = try TestStack(
            for: Bight.self, Cord.self, Hawser.self, Splice.self)
        let copy = try load(texts, importing, random.chance(50), into: other.stack)
        try check(context.dump().description, copy.dump().description)
        let again = try export(copy, options)
        for (text, other) in zip(texts, again) {
            try check(String(decoding: text, as: UTF8.self), String(decoding: other, as: UTF8.self))
        }
        return try Bight.count(in: copy) + Cord.count(in: copy) + Splice.count(in: copy)
    }

    private static func check(_ a: String, _ b: String) throws {
        if a != b { throw Difference(description: "\(a)\n--- became ---\n\(b)") }
    }

    private static func export(
        _ context: ManagedObjectContext, _ options: ExportOptions
    ) throws -> [Data] {
        [
            try Cord.exportJSON(in: context, options: options),
            try Splice.exportJSON(in: context, options: options),
            try Bight.exportJSON(in: context, options: options),
        ]
    }

    private static func load(
        _ texts: [Data], _ options: ImportOptions, _ intoStack: Bool, into stack: ContextStack
    ) throws -> ManagedObjectContext {
        let context = stack.newContext()
        var reports: [ImportReport] = []
        let types: [ManagedObject.Type] = [Cord.self, Splice.self, Bight.self]
        for (text, type) in zip(texts, types) {
            reports.append(
                try intoStack
                    ? stack.importJSONAndWait(.data(text), into: type, options: options)
                    : context.importJSON(text, into: type, options: options))
        }
        if !intoStack { try context.saveAndWait() }
        for report in reports where !report.problems.isEmpty {
            throw Difference(description: "\(report.problems)")
        }
        return context
    }

    private static func fill(_ context: ManagedObjectContext, _ random: inout Seeded) throws {
        let cords = try (0..<1 + random.below(8)).map { number in
            let name = text(&random) + "\(number)"
            let cord =
                random.chance(50)
                ? try Hawser.create(in: context, name: name)
                : try Cord.create(in: context, name: name)
            if random.chance(50) { cord.length = random.below(100) }
            for place in [3, 1, 2].prefix(random.below(4)) {
                let splice = try Splice.create(in: context, place: place, cord: cord)
                if random.chance(50) { splice.maker = text(&random) }
            }
            return cord
        }
        let hawsers = cords.compactMap { $0 as? Hawser }
        for hawser in hawsers {
            hawser.strands = random.below(9)
            if random.chance(50) { hawser.towing = hawsers.randomElement(using: &random) }
        }
        let bights = try (0..<1 + random.below(20)).map { number in
            let bight = try Bight.create(in: context, number: number * 7 - 30)
            fill(bight, &random)
            return bight
        }
        for bight in bights {
            if random.chance(60) { bight.cord = cords.randomElement(using: &random) }
            if random.chance(60) { bight.next = bights.randomElement(using: &random) }
            for _ in 0..<random.below(4) {
                bight.friends.insert(bights[random.below(bights.count)])
            }
            for cord in cords.shuffled(using: &random).prefix(random.below(4)) {
                bight.ends.append(cord)
            }
        }
    }

    private static func fill(_ bight: Bight, _ random: inout Seeded) {
        if random.chance(70) { bight.name = text(&random) }
        if random.chance(70) { bight.width = Double(bitPattern: random.next()).finite }
        if random.chance(70) { bight.height = Float(random.below(1_000)) / 7 }
        if random.chance(70) {
            let range = -63_113_904_000.0..<252_423_993_600
            bight.made = Date(
                timeIntervalSinceReferenceDate: Double.random(in: range, using: &random))
        }
        if random.chance(70) { bight.price = Decimal(random.below(1_000_000)) / 1_000 }
        if random.chance(70) { bight.data = Data((0..<random.below(9)).map { UInt8($0) }) }
        if random.chance(70) { bight.code = UUID() }
        bight.tags = (0..<random.below(3)).map { _ in text(&random) }
        bight.big = random.next()
        bight.isTight = random.chance(50)
        if random.chance(70) { bight.knot = Hitch.allCases[random.below(3)] }
        if random.chance(70) { bight.label = random.chance(50) ? nil : text(&random) }
        // The dates are whole days, which the pattern writes completely.
        if random.chance(70) {
            bight.day = Date(timeIntervalSince1970: Double(random.below(40_000)) * 86_400)
        }
        if random.chance(70) {
            bight.tied = Date(timeIntervalSince1970: Double(random.below(1_000_000)) / 1_000)
        }
    }

    private static func text(_ random: inout Seeded) -> String {
        let parts = [
            "a", "Ä", "\"", "\\", "\n", "\u{0}", "\u{7F}", "é", "e\u{301}", "🧶", "/", "null",
            "1.50",
        ]
        return (0..<random.below(5)).map { _ in parts[random.below(parts.count)] }.joined()
    }
}

extension Double {
    fileprivate var finite: Double { isFinite ? self : 0.1 }
}
