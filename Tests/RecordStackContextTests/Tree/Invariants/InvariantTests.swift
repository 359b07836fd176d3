import Foundation
import Invariants
import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Invariants that must hold under concurrent work: a constant sum, counts beside their members,
/// unique labels, and orders without gaps. Every reader checks them at each read and between
/// operations.
@Suite("Invariants under load", .serialized)
struct InvariantTests {
    @Test(arguments: StackArchitecture.allCases)
    func `no context shows part of a save during concurrent saves of one stack`(
        _ architecture: StackArchitecture
    ) async throws {
        let ways = InvariantWay.allCases.filter { $0 != .secondStack }
        try await run(Self.named ?? ways, architecture)
    }

    @Test(arguments: StackArchitecture.allCases)
    func `no context shows part of a save while a second stack and process save`(
        _ architecture: StackArchitecture
    ) async throws {
        try await run(InvariantWay.allCases, architecture)
    }

    /// The ways in RECORDSTACK_WAYS, or nil.
    private static var named: [InvariantWay]? {
        ProcessInfo.processInfo.environment["RECORDSTACK_WAYS"].map { names in
            let wanted = names.split(separator: ",").map(String.init)
            return InvariantWay.allCases.filter { wanted.contains("\($0)") }
        }
    }

    private func run(_ ways: [InvariantWay], _ architecture: StackArchitecture) async throws {
        let test = try TestStack(
            entities: InvariantStore.entities, at: .temporaryFile, architecture: architecture)
        try test.seed(InvariantStore.fill)
        let path = try #require(test.path)
        let other = try InvariantStore.open(path)
        let seed = Seeded.fromEnvironment().seed
        let tally = InvariantTally()
        let steps = max(Seeded.rounds(1_000, full: 20_000) / InvariantWay.allCases.count, 3)
        let child = try ChildProgram(
            "InvariantLoop", [path, "\(ways.contains(.secondStack) ? steps : 0)"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, way) in ways.enumerated() {
                let writer = InvariantWriter(
                    way: way, stack: way == .secondStack ? other : test.stack, tally: tally,
                    isBesideOtherStack: ways.contains(.secondStack), seed: seed &+ UInt64(place))
                group.addTask { try await writer.run(steps) }
            }
            try await group.waitForAll()
        }
        let said = try #require(child.nextLine()).split(separator: " ", maxSplits: 2)
        #expect(child.wait().status == 0, "\(said)")
        #expect(said[1] == "0", "\(said)")
        #expect(tally.problems.isEmpty, "seed \(seed): \(tally.problems.prefix(5))")
        try checkStored(test.stack)
        #expect(ways.allSatisfy { tally.saved[$0] == steps })
        #expect(tally.conflicts > 0)
        try other.close()
    }

    /// Checks the invariants of the stored rows.
    private func checkStored(_ stack: ContextStack) throws {
        let context = stack.newContext()
        let problems = try InvariantView(in: context).problems()
        #expect(problems.isEmpty, "\(problems)")
    }
}
