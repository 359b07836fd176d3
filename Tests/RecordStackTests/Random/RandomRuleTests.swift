import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// Random graphs with random delete rules. A deletion deletes what its plan says and leaves no
/// reference to a deleted object. A deletion that is denied changes nothing.
@Suite("Random delete rules") struct RandomRuleTests {
    @Test(arguments: Seeded.lanes)
    func `a deletion under random delete rules follows its deletion plan`(lane: Int) async throws {
        let start = Seeded.fromEnvironment(lane: lane)
        var seeds = start
        var coverage: [String: Int] = [:]
        let rounds = Seeded.laneRounds(1_000, full: 20_000)
        for _ in 0..<rounds {
            let seed = seeds.next()
            var random = Seeded(seed: seed)
            do {
                try await Self.run(Self.rules(&random), &random, &coverage)
            } catch {
                Issue.record("seed \(start.seed), graph \(seed): \(error)")
                return
            }
        }
        print("seed \(start.seed), outcomes: \(coverage.sorted { $0.key < $1.key })")
        guard rounds >= 100 else { return }
        for outcome in [
            "denied", "cascaded", "nullified", "dangling", "unloaded", "in a child", "taken back",
        ] { #expect(coverage[outcome, default: 0] > rounds / 20, "\(outcome)") }
    }

    /// Returns a rule for each relationship. Cascades and denials are rarer, because otherwise
    /// everything would be deleted, or nothing.
    private static func rules(_ random: inout Seeded) -> any RuleList.Type {
        let choices: [any RuleList.Type] = [
            Nullifies.self, Nullifies.self, Nullifies.self, Cascades.self, Denies.self,
            DoesNothing.self,
        ]
        func chain<A: RuleList, B: RuleList>(_: A.Type, _: B.Type) -> any RuleList.Type {
            Chain<A, B>.self
        }
        var list = choices[random.below(choices.count)]
        for _ in 1..<Strand.allCases.count {
            list = chain(list, choices[random.below(choices.count)])
        }
        return list
    }

    private static func run<List: RuleList>(
        _ rules: List.Type, _ random: inout Seeded, _ coverage: inout [String: Int]
    ) async throws {
        let stack = try ContextStack(for: Knot<List>.self, at: .inMemory)
        let outcomes = try RuleRun<List>(stack: stack).run(&random)
        for outcome in outcomes { coverage[outcome, default: 0] += 1 }
        #expect(try await stack.integrityCheck().isEmpty)
        try stack.close()
    }
}

/// A run in one store with one set of rules.
private final class RuleRun<List: RuleList> {
    typealias Reference = PlainKnots.Deletion.Reference

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let stack: ContextStack
    private let main: ManagedObjectContext
    private var plain = PlainKnots()

    init(stack: ContextStack) {
        self.stack = stack
        main = stack.newContext(name: "main")
    }

    /// - Returns: the outcomes.
    func run(_ random: inout Seeded) throws -> [String] {
        try relate(&random, count: 3 + random.below(8))
        return try delete(&random)
    }

    private func knots(in context: ManagedObjectContext) throws -> [Knot<List>] {
        try Knot<List>.find(sortedBy: .ascending(\.number), in: context)
    }

    // MARK: The graph

    private func relate(_ random: inout Seeded, count: Int) throws {
        var knots: [Knot<List>] = []
        for number in 0..<count {
            let knot = try Knot<List>.create(in: main)
            knot.number = number
            knots.append(knot)
            plain.numbers.insert(number)
        }
        // Some edits are saved, and some are not.
        for step in 0..<(count * 3) {
            relateOnce(knots, &random)
            if step == count * 2 { _ = try waitedSave(main) }
        }
        try compare(main, "after relating")
    }

    private func relateOnce(_ knots: [Knot<List>], _ random: inout Seeded) {
        let strand = Strand.allCases[random.below(Strand.allCases.count)]
        let (a, b) = (random.below(knots.count), random.below(knots.count))
        plain.relate(a, strand, b)
        if strand.isToOne {
            knots[a].lead(strand, to: knots[b])
        } else if strand == .steps {
            if !knots[a].steps.contains(knots[b]) { knots[a].steps.append(knots[b]) }
        } else {
            knots[a].many(strand).insert(knots[b])
        }
    }

    // MARK: Deleting

    private func delete(_ random: inout Seeded) throws -> [String] {
        var outcomes: [String] = []
        let context = try place(&random, &outcomes)
        let given = Set((0...random.below(3)).map { _ in random.below(plain.numbers.count) })
        let expected = plain.deletion(of: given.sorted(), by: List.rules)
        let objects = try given.sorted().map {
            try Knot<List>.findFirst(by: \.number, $0, in: context)!
        }
        let plan = try context.deletionPlan(for: objects)
        try compare(plan, expected, in: context)
        let before = Set(context.updatedObjects.map(\.objectID))
        do {
            try context.delete(objects)
        } catch let error as RecordStackError where error.code == .deletionDenied {
            guard plan.isDenied else { throw error }
            try compare(context, "after a denied deletion")
            let after = Set(context.updatedObjects.map(\.objectID))
            guard after == before, context.deletedObjects.isEmpty else {
                throw Failure(
                    description: "a denied deletion changed \(after.symmetricDifference(before)); "
                        + "rules \(List.rules); \(plain)")
            }
            return outcomes + ["denied"]
        }
        if plan.isDenied { throw Failure(description: "a denied deletion went through") }
        if !expected.dangling.isEmpty { outcomes.append("dangling") }
        if !expected.nullified.isEmpty { outcomes.append("nullified") }
        if expected.gone.count > given.count { outcomes.append("cascaded") }
        try settle(context, expected, &random, &outcomes)
        return outcomes
    }

    /// Returns the context of the deletion: one that has loaded everything, one that has loaded
    /// nothing, or a child.
    private func place(
        _ random: inout Seeded, _ outcomes: inout [String]
    ) throws -> ManagedObjectContext {
        switch random.below(3) {
        case 0: return main
        case 1:
            outcomes.append("in a child")
            return main.newChild(name: "child")
        default:
            outcomes.append("unloaded")
            _ = try waitedSave(main)
            return stack.newContext(name: "other")
        }
    }

    private func settle(
        _ context: ManagedObjectContext, _ deletion: PlainKnots.Deletion, _ random: inout Seeded,
        _ outcomes: inout [String]
    ) throws {
        let before = plain
        plain.remove(deletion.gone)
        try compare(context, "after the deletion of \(deletion.gone)")
        if context !== main, random.below(3) == 0 {
            context.rollback()
            plain = before
            try compare(context, "after a rollback")
            outcomes.append("taken back")
            return
        }
        if !deletion.dangling.isEmpty {
            do {
                _ = try waitedSave(context)
                throw Failure(description: "\(deletion.dangling) may dangle")
            } catch let error as RecordStackError where error.code == .constraint {
                try compare(context, "after a save that was refused")
            }
            for reference in deletion.dangling {
                try Knot<List>.findFirst(by: \.number, reference.number, in: context)?
                    .lead(reference.strand, to: nil)
            }
        }
        _ = try waitedSave(context)
        try compare(context, "after the save")
        try compare(main, "in the other context")
        try compare(stack.newContext(name: "fresh"), "in the store")
    }

    // MARK: Comparing

    private func compare(_ context: ManagedObjectContext, _ moment: String) throws {
        let shown = try PlainKnots(knots(in: context))
        if shown == plain { return }
        throw Failure(
            description: "\(moment) \(context.name) differs: \(shown.differences(from: plain)); "
                + "rules \(List.rules); expected \(plain)")
    }

    private func compare(
        _ plan: DeletionPlan, _ expected: PlainKnots.Deletion, in context: ManagedObjectContext
    ) throws {
        func number(_ id: ManagedObjectID) throws -> Int {
            (try context.object(id) as! Knot<List>).number
        }
        func reference(_ id: ManagedObjectID, _ property: String) throws -> Reference {
            let strand = Strand.allCases.first { "\($0)" == property }!
            return try Reference(number: number(id), strand: strand)
        }
        var found = PlainKnots.Deletion()
        found.gone = Set(try plan.deletedIDs.map(number))
        found.nullified = Set(
            try plan.nullifications.map { try reference($0.objectID, $0.property) })
        for denial in plan.denials {
            found.denied[try reference(denial.objectID, denial.property)] = Set(
                try denial.blockers.map(number))
        }
        found.dangling = expected.dangling
        if found == expected && plan.deletedIDs.count == expected.gone.count { return }
        throw Failure(
            description: "the plan is \(found), not \(expected); rules \(List.rules); \(plain)")
    }
}
