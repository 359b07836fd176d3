import FoundationEssentials
import RecordStack
import TestSupport
import Testing

@Suite("Random predicates") struct RandomPredicateTests {
    /// The kinds of expressions that a predicate can have and a filter supports.
    private static let kinds = [
        "Variable", "KeyPath", "Value", "NilLiteral", "Equal", "NotEqual", "Comparison",
        "Conjunction",
        "Disjunction", "Negation", "Conditional", "NilCoalesce", "OptionalFlatMap", "ForcedUnwrap",
        "Arithmetic", "IntDivision", "FloatDivision", "IntRemainder", "UnaryMinus", "Range",
        "ClosedRange", "RangeExpressionContains", "SequenceContains", "SequenceContainsWhere",
        "SequenceAllSatisfy", "Filter", "SequenceMinimum", "SequenceMaximum",
        "CollectionContainsCollection", "SequenceStartsWith", "StringContainsRegex", "TypeCheck",
        "ConditionalCast", "ForceCast",
    ]

    /// SQL, memory, and a mix of both must find the same. Foundation must find the same, too,
    /// unless the predicate has a part that means something else there.
    @Test(arguments: Seeded.lanes)
    func `random predicates find the same in SQL and in memory`(lane: Int) async throws {
        let random = Seeded.fromEnvironment(lane: lane)
        var made = RandomPredicates(values: RandomValues(random: random))
        var met: [String: Int] = [:]
        let rounds = Seeded.laneRounds(1_000, full: 20_000)
        // Some kinds are rare and may be missing by chance, so the test continues until all kinds
        // have occurred.
        let (worlds, most) = (5, rounds < 500 ? 5 : 100)
        var looked = 0
        for world in 0..<most where world < worlds || met.count < Self.kinds.count {
            looked += rounds / worlds
            try await check(rounds / worlds, of: &made, seed: random.seed, met: &met)
        }
        let counts = Self.kinds.map { "\($0) \(met[$0, default: 0])" }.joined(separator: ", ")
        print("\(looked) predicates, seed \(random.seed): \(counts)")
        if rounds < 500 { return }
        for kind in Self.kinds {
            #expect(met[kind, default: 0] > 0, "\(kind), seed \(random.seed)")
        }
    }

    /// Checks `count` predicates over the rows of one world.
    private func check(
        _ count: Int, of made: inout RandomPredicates, seed: UInt64, met: inout [String: Int]
    ) async throws {
        let world = try await SampleWorld(&made.values)
        let samples = try Sample.find(in: world.stored)
        for _ in 0..<count {
            let (predicate, agrees) = made.predicate()
            let request = try Sample.where(Filter(predicate))
            try world.check(request, seed: seed)
            Self.count(predicate, in: &met)
            guard agrees else { continue }
            let found = try world.stored.find(request).map(\.objectID)
            let evaluated = try samples.filter { try predicate.evaluate($0) }.map(\.objectID)
            #expect(found == evaluated, "Foundation, seed \(seed): \(request)")
        }
    }

    /// Counts the kinds in a predicate. The type of an expression names all its parts.
    private static func count(_ predicate: Predicate<Sample>, in met: inout [String: Int]) {
        let names = Set("\(type(of: predicate.expression))".split { !$0.isLetter }.map(String.init))
        for kind in kinds where names.contains(kind) { met[kind, default: 0] += 1 }
    }
}
