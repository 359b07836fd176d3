import Dispatch
import Foundation
import RecordStack
import TestSupport
import Testing

/// Keeps a context and uses it for as long as the threads are at work.
private actor StressActor {
    private let stack: ContextStack
    private lazy var context = stack.newContext(ownedBy: self, name: "actor")
    private(set) var rounds = 0

    init(_ stack: ContextStack) {
        self.stack = stack
    }

    func run(_ random: Seeded, counts: StressCounts, while isWanted: @Sendable () -> Bool) async {
        var random = random
        while isWanted() {
            let place = random.below(StressPlace.places)
            do {
                let item = try StressItem.findFirst(in: context) { $0.place == place }
                item?.value += 1
                try await context.save(mergePolicy: .objectTrump)
                rounds += 1
            } catch {
                context.rollback()
                counts.noteRefusal("an actor's save")
            }
            await Task.yield()
        }
    }
}

/// Eight threads and sixteen contexts do everything at once.
@Suite struct StressTests {
    private static let threads = 8

    @MainActor @Test
    func `threads, actors and the main actor at work on one stack lose nothing and hang nowhere`()
        async throws
    {
        let start = Seeded.fromEnvironment()
        print("seed \(start.seed)")
        let steps = Seeded.rounds(100_000, full: 10_000_000) / Self.threads
        let folder = try TemporaryFolder("stress")
        let stack = try ContextStack(
            for: StressItem.self, StressBox.self, StressTally.self,
            at: .file(folder.file("stress.sqlite")))
        try await stack.saveWithBlock { context in
            for number in 0..<10 { try StressBox.create(in: context, number: number) }
            for place in 0..<StressPlace.places { try StressItem.create(in: context, place: place) }
        }
        let counts = StressCounts()
        // Five rooms, eight threads' own, two actors', and the default one.
        let rooms = (0..<5).map { stack.newPrivateQueueContext(name: "room \($0)") }
        let place = StressPlace(stack: stack, rooms: rooms, counts: counts)
        let shown = try StressItem.find(in: stack.defaultContext)
        let rounds = try await Self.run(steps, in: place, start)
        try await check(place, steps: steps, rounds: rounds)
        // The default context has followed all the while.
        _ = try StressItem.count(in: stack.defaultContext)
        let stored = try await stack.read { try StressItem.sum(of: \.value, in: $0) }
        #expect(try StressItem.sum(of: \.value, in: stack.defaultContext) == stored)
        #expect(shown.contains { $0.value > 0 })
        // What the default context has held all the while is what its rows are.
        let fresh = stack.newContext()
        for item in shown where item.objectState != .detached {
            let row = try StressItem.existing(item.objectID, in: fresh)
            #expect(item.place == row.place && item.value == row.value)
            #expect(item.box?.number == row.box?.number)
        }
        try stack.close()
    }

    /// - Returns: how often each actor has saved.
    @concurrent private static func run(
        _ steps: Int, in place: StressPlace, _ start: Seeded
    ) async throws -> [Int] {
        let group = DispatchGroup()
        var seeds = start
        for number in 0..<threads {
            let seed = seeds.next()
            group.enter()
            Thread {
                var worker = StressWorker(number: number, place: place, random: Seeded(seed: seed))
                worker.run(steps)
                group.leave()
            }.start()
        }
        let actors = [StressActor(place.stack), StressActor(place.stack)]
        let isDone: @Sendable () -> Bool = { group.wait(timeout: .now()) == .success }
        await withTaskGroup(of: Void.self) { tasks in
            for actor in actors {
                let seed = seeds.next()
                tasks.addTask {
                    await actor.run(Seeded(seed: seed), counts: place.counts) { !isDone() }
                }
            }
        }
        var rounds: [Int] = []
        for actor in actors { rounds.append(await actor.rounds) }
        return rounds
    }

    private func check(_ place: StressPlace, steps: Int, rounds: [Int]) async throws {
        let stack = place.stack
        for room in place.rooms { try await room.perform { $0.rollback() } }
        // Blocks run in order: when this one is done, all are.
        try await stack.saveWithBlock { _ in }
        let counts = place.counts
        while counts.completions.called < counts.completions.promised { await Task.yield() }
        print("\(counts.description); actors saved \(rounds)")
        #expect(counts.unexpected.isEmpty)
        #expect(counts.completions.promised == counts.completions.called)
        let tallies = try await stack.read { context in
            try StressTally.find(in: context).map { [$0.worker: $0.count] }
        }
        #expect(tallies.reduce(into: [:]) { $0.merge($1) { one, _ in one } } == counts.tallies)
        if steps >= 1_000 {
            for kind in StressStep.Kind.allCases {
                #expect(counts.done[kind, default: 0] > steps / 20, "\(kind)")
            }
            #expect(rounds.allSatisfy { $0 > 0 })
        }
        #expect(try await stack.integrityCheck().isEmpty)
    }
}
