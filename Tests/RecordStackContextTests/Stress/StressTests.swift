import Dispatch
import Foundation
import RecordStack
import Synchronization
import TestSupport
import Testing

/// Edits the same objects as the threads while they run.
private struct StressEditor {
    private(set) var rounds = 0
    var random: Seeded

    mutating func run(
        in context: ManagedObjectContext, counts: StressCounts,
        isolation: isolated any Actor = #isolation
    ) async {
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
        // Leaves the processors to the threads.
        try? await Task.sleep(for: .milliseconds(2))
    }
}

/// Keeps a context and uses it while the threads run.
private actor StressActor {
    private let stack: ContextStack
    private lazy var context = stack.newContext(ownedBy: self, name: "actor")
    private var editor: StressEditor
    var rounds: Int { editor.rounds }

    init(_ stack: ContextStack, _ random: Seeded) {
        self.stack = stack
        editor = StressEditor(random: random)
    }

    func run(counts: StressCounts, while isWanted: @Sendable () -> Bool) async {
        while isWanted() {
            var editor = editor
            await editor.run(in: context, counts: counts)
            self.editor = editor
        }
    }
}

/// Eight threads and sixteen contexts that do everything at once.
@Suite("Stress", .serialized) struct StressTests {
    private static let threads = 8

    @MainActor @Test(arguments: StackArchitecture.allCases)
    func `concurrent threads and actors on one stack lose no save and never hang`(
        architecture: StackArchitecture
    ) async throws {
        let start = Seeded.fromEnvironment()
        print("seed \(start.seed)")
        // The default architecture gets most of the steps.
        let share = architecture == .savingRoot ? 1 : 10
        let steps = Seeded.rounds(100_000, full: 10_000_000) / Self.threads / share
        let folder = try TemporaryFolder("stress")
        let stack = try ContextStack(
            for: StressItem.self, StressBox.self, StressTally.self,
            at: .file(folder.file("stress.sqlite")), architecture: architecture)
        try await stack.saveWithBlock { context in
            for number in 0..<10 { try StressBox.create(in: context, number: number) }
            for place in 0..<StressPlace.places { try StressItem.create(in: context, place: place) }
        }
        let counts = StressCounts()
        // With the contexts of eight threads, two actors and the main actor, these make sixteen.
        let rooms = (0..<5).map { stack.newPrivateQueueContext(name: "room \($0)") }
        let place = StressPlace(
            stack: stack, rooms: rooms, counts: counts,
            nestsSaveBlocks: architecture == .nested || architecture == .parentChild)
        let shown = try StressItem.find(in: stack.defaultContext)
        let rounds = try await run(steps, in: place, start)
        try await check(place, steps: steps, rounds: rounds)
        try await checkRows(stack, shown: shown)
        try stack.close()
    }

    @MainActor private func checkRows(_ stack: ContextStack, shown: [StressItem]) async throws {
        // The default context has followed all saves.
        _ = try StressItem.count(in: stack.defaultContext)
        let stored = try await stack.read { try StressItem.sum(of: \.value, in: $0) }
        #expect(try StressItem.sum(of: \.value, in: stack.defaultContext) == stored)
        #expect(shown.contains { $0.value > 0 })
        // The objects that the default context has held all the time must equal their rows.
        let fresh = stack.newContext()
        for item in shown where item.objectState != .detached {
            let row = try StressItem.existing(item.objectID, in: fresh)
            #expect(item.place == row.place && item.value == row.value)
            #expect(item.box?.number == row.box?.number)
        }
        #expect(try StressItem.find(in: fresh).allSatisfy { $0.mark == $0.place })
        // The exchange resets the counters, which all runs in this process share.
        #expect(StressItem.saved.exchange(0, ordering: .relaxed) > StressPlace.places)
        #expect(StressItem.deleted.exchange(0, ordering: .relaxed) > 0)
    }

    /// - Returns: the number of saves by the main actor and by each actor.
    @MainActor private func run(
        _ steps: Int, in place: StressPlace, _ start: Seeded
    ) async throws -> [Int] {
        let group = DispatchGroup()
        var seeds = start
        for number in 0..<Self.threads {
            let seed = seeds.next()
            group.enter()
            Thread {
                var worker = StressWorker(number: number, place: place, random: Seeded(seed: seed))
                worker.run(steps)
                group.leave()
            }.start()
        }
        let actors = (0..<2).map { _ in
            StressActor(place.stack, Seeded(seed: seeds.next()))
        }
        var editor = StressEditor(random: Seeded(seed: seeds.next()))
        let isDone: @Sendable () -> Bool = { group.wait(timeout: .now()) == .success }
        await withTaskGroup(of: Void.self) { tasks in
            for actor in actors {
                tasks.addTask { await actor.run(counts: place.counts) { !isDone() } }
            }
            while !isDone() {
                await editor.run(in: place.stack.defaultContext, counts: place.counts)
            }
        }
        var rounds = [editor.rounds]
        for actor in actors { rounds.append(await actor.rounds) }
        return rounds
    }

    private func check(_ place: StressPlace, steps: Int, rounds: [Int]) async throws {
        let stack = place.stack
        for room in place.rooms { try await room.perform { $0.rollback() } }
        // Blocks run in order, so all earlier blocks have ended when this one returns.
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
