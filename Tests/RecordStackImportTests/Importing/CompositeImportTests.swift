import Foundation
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Squad: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var motto: String?
    @Relationship var jerseys: ToMany<Jersey>
}

/// An entity with an identity of a squad, which may be new, and a number.
@Entity(.unique(\.squad, \.number), identity: \.squad, \.number)
final class Jersey: ManagedObject {
    @Attribute var number: Int
    @Attribute var label: String?
    @Relationship(inverse: \Squad.jerseys) var squad: Squad?
    @Relationship(inverse: \Jersey.before) var next: Jersey?
    @Relationship(.notImported) var before: ToMany<Jersey>
}

/// An entity whose identity contains an object with a composite identity, without an inverse.
@Entity(.unique(\.jersey, \.place), identity: \.jersey, \.place)
final class JerseyPatch: ManagedObject {
    @Attribute var place: Int
    @Attribute var text: String?
    @Relationship var jersey: Jersey?
}

/// An entity whose objects cannot be created from a key alone.
@Entity final class Sponsor: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute var title: String
    @Relationship var deals: ToMany<SponsorDeal>
}

@Entity(.unique(\.sponsor, \.number), identity: \.sponsor, \.number)
final class SponsorDeal: ManagedObject {
    @Attribute var number: Int
    @Attribute var terms: String?
    @Relationship(inverse: \Sponsor.deals) var sponsor: Sponsor?
    @Relationship(inverse: \SponsorDeal.before) var next: SponsorDeal?
    @Relationship(.notImported) var before: ToMany<SponsorDeal>
}

/// Objects whose identity contains a related object that is new as well.
@Suite("Composite identities with new parts")
struct CompositeImportTests {
    enum Way: CaseIterable, Sendable {
        case context, smallBatches, savedBatches, once
    }

    private static func makeStack() throws -> ContextStack {
        try TestStack(
            for: Squad.self, Jersey.self, JerseyPatch.self, Sponsor.self, SponsorDeal.self
        ).stack
    }

    private static func load<Entity: ManagedObject>(
        _ text: Data, into type: Entity.Type, _ way: Way, _ stack: ContextStack, batchSize: Int = 2
    ) throws -> ImportReport {
        var options = ImportOptions()
        options.batchSize = way == .context ? 1_000 : batchSize
        switch way {
        case .savedBatches:
            return try stack.importJSONAndWait(.data(text), into: type, options: options)
        case .once:
            return try stack.importJSONAndWait(
                .data(text), into: type, commit: .once, options: options)
        case .context, .smallBatches:
            return try stack.saveWithBlockAndWait {
                try $0.importJSON(text, into: type, options: options)
            }
        }
    }

    private static func jerseys(_ stack: ContextStack) throws -> [String] {
        func name(_ jersey: Jersey) -> String { "\(jersey.squad?.code ?? "-")\(jersey.number)" }
        // Relationships are empty without a context, so this keeps the context alive.
        let context = stack.newContext()
        return try withExtendedLifetime(context) {
            try Jersey.find(in: context).map { jersey in
                name(jersey) + (jersey.label.map { ":\($0)" } ?? "")
                    + (jersey.next.map { ">\(name($0))" } ?? "")
            }.sorted()
        }
    }

    private static let rows: [(text: String, jerseys: [String], inserted: Int)] = [
        (#"[{"number":1,"squad":"A"},{"number":1,"squad":"A","label":"x"}]"#, ["A1:x"], 1),
        (
            #"[{"number":1,"squad":{"code":"A"}},{"number":1,"squad":{"code":"A","motto":"m"},"label":"x"}]"#,
            ["A1:x"], 1
        ),
        (
            #"[{"number":1,"squad":"A"},{"number":1,"squad":"B"},{"number":1,"squad":{"code":"B"}}]"#,
            ["A1", "B1"], 2
        ),
        (
            #"[{"number":1,"squad":"A","next":{"number":2,"squad":"A"}},{"number":2,"squad":"A","label":"b"}]"#,
            ["A1>A2", "A2:b"], 1
        ),
        (
            #"[{"number":1,"squad":"A","next":{"number":2,"squad":"B","label":"q"}},{"number":2,"squad":"B"}]"#,
            ["A1>B2", "B2:q"], 1
        ),
        (
            #"[{"number":1,"squad":"A","next":{"number":3,"squad":"A"}},{"number":2,"squad":"A","next":{"number":3,"squad":"A"}}]"#,
            ["A1>A3", "A2>A3", "A3"], 2
        ),
        (#"[{"number":7,"squad":"A","next":{"number":7,"squad":"A"}}]"#, ["A7>A7"], 1),
        (
            #"[{"number":7,"squad":{"code":"A","jerseys":[{"number":7},{"number":8}]},"label":"x"}]"#,
            ["A7:x", "A8"], 1
        ),
    ]

    @Test(arguments: rows.indices, Way.allCases)
    func `import rows and keys of the same composite identity give one object`(
        index: Int, way: Way
    ) throws {
        let (text, jerseys, inserted) = Self.rows[index]
        let stack = try Self.makeStack()
        let report = try Self.load(Data(text.utf8), into: Jersey.self, way, stack)
        #expect(report.problems.isEmpty && report.inserted == inserted, "\(report)")
        #expect(try Self.jerseys(stack) == jerseys)
        let again = try Self.load(Data(text.utf8), into: Jersey.self, way, stack)
        #expect(again.unchanged == again.rows && again.problems.isEmpty, "\(again)")
        #expect(try Self.jerseys(stack) == jerseys)
    }

    @Test(arguments: Way.allCases)
    func `members and keys of the same composite identity import as one object`(way: Way) throws {
        let text = #"""
            [{"code":"A","jerseys":[{"number":1,"next":{"number":2,"squad":"A"}},{"number":2,"label":"b"}]},
             {"code":"B","jerseys":[{"number":2,"next":{"number":1,"squad":{"code":"C"}}}]},
             {"code":"C","jerseys":[{"number":1,"label":"c"},{"number":1}]}]
            """#
        let stack = try Self.makeStack()
        for round in 0..<2 {
            let report = try Self.load(Data(text.utf8), into: Squad.self, way, stack)
            #expect(report.problems.isEmpty, "\(report)")
            #expect(round == 0 || report.unchanged == 3)
            #expect(try Self.jerseys(stack) == ["A1>A2", "A2:b", "B2>C1", "C1:c"])
        }
    }

    @Test(arguments: Way.allCases)
    func `rows are matched by an identity that contains a composite identity`(way: Way) throws {
        let text = #"""
            [{"place":1,"jersey":{"number":1,"squad":"A"}},
             {"place":1,"jersey":{"number":1,"squad":{"code":"A"}},"text":"x"},
             {"place":2,"jersey":{"number":1,"squad":"A"}}, {"place":1,"jersey":{"number":2,"squad":"A"}}]
            """#
        let stack = try Self.makeStack()
        let report = try Self.load(Data(text.utf8), into: JerseyPatch.self, way, stack)
        #expect(report.inserted == 3 && report.updated == 1, "\(report)")
        let again = try Self.load(Data(text.utf8), into: JerseyPatch.self, way, stack)
        #expect(again.unchanged == 4, "\(again)")
        let context = stack.newContext()
        #expect(try JerseyPatch.count(in: context) == 3 && Jersey.count(in: context) == 2)
    }

    @Test(arguments: Way.allCases)
    func `an import skips a row whose identity refers to an unknown object`(way: Way) throws {
        let text = #"""
            [{"number":1,"sponsor":"S","terms":"a"}, {"number":1,"sponsor":{"code":"S"}}, {"number":1,"sponsor":[]},
             {"number":1,"sponsor":{"code":"S","title":"t"},"terms":"b"}, {"number":1,"sponsor":"S"}]
            """#
        let stack = try Self.makeStack()
        let report = try Self.load(Data(text.utf8), into: SponsorDeal.self, way, stack)
        #expect(report.inserted == 1 && report.skipped == 3 && report.unchanged == 1, "\(report)")
        for row in 0..<3 {
            #expect(report.problems.contains { $0.row == row && $0.isRowSkipped })
        }
        let context = stack.newContext()
        #expect(try SponsorDeal.find(in: context).map(\.terms) == ["b"])
        #expect(try Sponsor.count(in: context) == 1)
    }

    @Test(arguments: Way.allCases)
    func `an import links a composite key whose object part a later row brings`(way: Way) throws {
        let text = #"""
            [{"code":"A","title":"a","deals":[{"number":1,"next":{"number":2,"sponsor":"B"}},
               {"number":2,"next":{"number":3,"sponsor":"B"}}, {"number":3,"next":{"number":1,"sponsor":"C"}}]},
             {"code":"B","title":"b","deals":[{"number":3,"terms":"x"}]}]
            """#
        let stack = try Self.makeStack()
        for round in 0..<2 {
            let report = try Self.load(Data(text.utf8), into: Sponsor.self, way, stack)
            // No row brings the sponsor C.
            #expect(!report.problems.isEmpty && report.problems.allSatisfy { $0.row == 0 })
            #expect(round == 0 ? report.inserted == 2 : report.unchanged == 2, "\(report)")
            let context = stack.newContext()
            let deals = try withExtendedLifetime(context) {
                try SponsorDeal.find(in: context).map { deal in
                    "\(deal.sponsor?.code ?? "-")\(deal.number)\(deal.terms ?? "")"
                        + (deal.next.map { ">\($0.sponsor?.code ?? "-")\($0.number)" } ?? "")
                }
            }
            #expect(deals.sorted() == ["A1>B2", "A2>B3", "A3", "B2", "B3x"], "\(way)")
        }
    }

    @Test func `an import of many rows with composite identities creates each once`() throws {
        let rows = (0..<2_500).map {
            #"{"number":\#($0 % 50),"squad":"T\#($0 % 7)","label":"\#($0 % 350)"}"#
        }
        let stack = try Self.makeStack()
        let report = try stack.importJSONAndWait(
            .data(Data("[\(rows.joined(separator: ","))]".utf8)), into: Jersey.self)
        #expect(report.inserted == 350 && report.unchanged == 2_150)
        #expect(try Jersey.count(in: stack.newContext()) == 350)
    }
}

// MARK: Random graphs

extension CompositeImportTests {
    @Test(arguments: Seeded.lanes)
    func `random imports with composite identities create the objects they name`(lane: Int) throws {
        let start = Seeded.fromEnvironment(lane: lane)
        var seeds = start
        let rounds = Seeded.laneRounds(120, full: 2_000)
        var objects = 0
        for _ in 0..<rounds {
            let seed = seeds.next()
            var random = Seeded(seed: seed)
            do {
                objects += try Self.run(&random)
            } catch {
                Issue.record("seed \(start.seed), graph \(seed): \(error)")
                return
            }
        }
        print("seed \(start.seed), \(objects) objects of composite identities in \(rounds) graphs")
        // A small number of graphs can consist of small ones only.
        #expect(objects > (rounds < 20 ? rounds : rounds * 2))
    }

    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private static func check(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
        if !isRight { throw Difference(description: what()) }
    }

    /// - Returns: the number of objects.
    private static func run(_ random: inout Seeded) throws -> Int {
        var graph = JerseyGraph(&random)
        let isOfSquads = random.chance(40)
        let text = isOfSquads ? graph.squadText(&random) : graph.jerseyText(&random)
        let type: ManagedObject.Type = isOfSquads ? Squad.self : Jersey.self
        // The enum has cases, so a random element exists.
        let way = Way.allCases.randomElement(using: &random)!
        let batchSize = 1 + random.below(4)
        let stack = try makeStack()
        let told = "\(way), batches of \(batchSize): \(text)"
        let report = try load(Data(text.utf8), into: type, way, stack, batchSize: batchSize)
        try check(report.problems.isEmpty, "\(told)\n\(report.problems)")
        let found = try jerseys(stack)
        try check(found == graph.said, "\(told)\n\(found)\nis not\n\(graph.said)")
        let again = try load(Data(text.utf8), into: type, way, stack, batchSize: batchSize)
        try check(again.unchanged == again.rows, "\(told)\nagain: \(again)")
        try check(try jerseys(stack) == graph.said, "\(told)\nagain")
        try checkExport(Jersey.self, of: stack, way, batchSize, random.below(4))
        try checkExport(Squad.self, of: stack, way, batchSize, random.below(4))
        return found.count
    }

    private static func checkExport<Entity: ManagedObject & ManagedEntity>(
        _ type: Entity.Type, of stack: ContextStack, _ way: Way, _ batchSize: Int, _ depth: Int
    ) throws {
        var options = ExportOptions()
        options.depth = depth
        let text = try Entity.exportJSON(in: stack.newContext(), options: options)
        let other = try makeStack()
        let report = try load(text, into: type, way, other, batchSize: batchSize)
        let told = "\(way), batches of \(batchSize): \(String(decoding: text, as: UTF8.self))"
        try check(report.problems.isEmpty, "\(told)\n\(report.problems)")
        let again = try Entity.exportJSON(in: other.newContext(), options: options)
        try check(again == text, "\(told)\nbecame\n\(String(decoding: again, as: UTF8.self))")
    }
}

/// A graph of jerseys. Each text describes a part of it, and the graph records what the last text
/// said.
private struct JerseyGraph {
    private struct Key: Hashable {
        let squad: String
        let number: Int
        var name: String { "\(squad)\(number)" }
    }

    private var next: [Key: Key] = [:]
    private var keys: [Key] = []
    private var toldLabels: Set<Key> = []
    private var toldNext: Set<Key> = []
    private var told: Set<Key> = []

    init(_ random: inout Seeded) {
        for squad in ["A", "B", "C"].prefix(1 + random.below(3)) {
            for number in 1...1 + random.below(4) { keys.append(Key(squad: squad, number: number)) }
        }
        for key in keys where random.chance(70) { next[key] = keys.randomElement(using: &random) }
    }

    /// The jerseys that the text has described.
    var said: [String] {
        told.map { key in
            let label = toldLabels.contains(key) ? ":\(key.name)" : ""
            // A text mentions the next jersey only if there is one.
            return key.name + label + (toldNext.contains(key) ? ">\(next[key]!.name)" : "")
        }.sorted()
    }

    mutating func jerseyText(_ random: inout Seeded) -> String {
        let rows = (0..<1 + random.below(8)).map { _ in
            object(keys[random.below(keys.count)], &random, depth: 0)
        }
        return "[\(rows.joined(separator: ","))]"
    }

    mutating func squadText(_ random: inout Seeded) -> String {
        let rows = (0..<1 + random.below(4)).map { _ in
            let squad = keys[random.below(keys.count)].squad
            let own = keys.filter { $0.squad == squad }
            let members = (0..<random.below(4)).map { _ in
                object(own[random.below(own.count)], &random, depth: 0, isMember: true)
            }
            return #"{"code":"\#(squad)","jerseys":[\#(members.joined(separator: ","))]}"#
        }
        return "[\(rows.joined(separator: ","))]"
    }

    private mutating func object(
        _ key: Key, _ random: inout Seeded, depth: Int, isMember: Bool = false
    ) -> String {
        told.insert(key)
        var parts = [#""number":\#(key.number)"#]
        if !isMember || random.chance(30) {
            parts.append(#""squad":\#(Self.squad(key.squad, &random))"#)
        }
        if random.chance(40) {
            toldLabels.insert(key)
            parts.append(#""label":"\#(key.name)""#)
        }
        if depth < 3, random.chance(50), let other = next[key] {
            toldNext.insert(key)
            parts.append(#""next":\#(object(other, &random, depth: depth + 1))"#)
        }
        return "{\(parts.shuffled(using: &random).joined(separator: ","))}"
    }

    private static func squad(_ code: String, _ random: inout Seeded) -> String {
        switch random.below(3) {
        case 0: #""\#(code)""#
        case 1: #"{"code":"\#(code)"}"#
        default: #"{"code":"\#(code)","motto":"m\#(code)"}"#
        }
    }
}
