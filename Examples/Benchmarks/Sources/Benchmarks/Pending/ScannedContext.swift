import RecordStack

/// A context of the main actor with new items, and a filter by an attribute without an index.
///
/// The store has few rows, because the scan of many rows would hide the cost of the unsaved items.
@MainActor final class ScannedContext {
    enum Turn: String, CaseIterable {
        /// The first time that the context is asked the question.
        case first
        /// The same question again, after one item was edited.
        case again
    }

    nonisolated static let rows = 1_000
    /// The bounds of the questions. A context remembers the results of fewer questions.
    private static let bounds = 100..<150
    /// The number of items with a small weight.
    private static let lightItems = 10

    private let context: ManagedObjectContext
    private let items: [Item]
    private var turns = 0

    init(_ stack: ContextStack, unsaved count: Int) throws {
        let context = stack.newContext()
        self.context = context
        items = try (0..<count).map { number in
            let item = try Item.create(in: context, code: ItemPlace.code(Self.rows + number))
            item.weight = number < Self.lightItems ? number : Self.rows + number
            return item
        }
    }

    /// Returns the time of one question in nanoseconds.
    func time(_ turn: Turn, times: Int) throws -> Double {
        try ask(Self.bounds.lowerBound)
        let clock = ContinuousClock()
        var duration = Duration.zero
        for _ in 0..<times {
            turns += 1
            let place = turn == .first ? turns % Self.bounds.count : 0
            if turn == .again { edit() }
            let start = clock.now
            try ask(Self.bounds.lowerBound + place)
            duration += clock.now - start
        }
        return duration / .nanoseconds(times)
    }

    /// Makes the first item heavy, or light again.
    private func edit() {
        items.first?.weight = turns.isMultiple(of: 2) ? 0 : Self.rows
    }

    private func ask(_ bound: Int) throws {
        let found = try Item.find(in: context) { $0.weight < bound }
        let light = items.prefix(Self.lightItems).count { $0.weight < bound }
        if found.count != bound + light { throw Failure("\(found.count) weigh less than \(bound)") }
    }
}

/// Asks a context by an attribute without an index. The figure is the time of one answer.
final class ScanRun: Contender {
    let name: String
    private let scanned: ScannedContext
    private let turn: ScannedContext.Turn
    private let times: Int

    init(_ name: String, _ turn: ScannedContext.Turn, of scanned: ScannedContext, times: Int) {
        self.name = name
        self.turn = turn
        self.scanned = scanned
        self.times = times
    }

    func run() async throws { _ = try await measure() }
    func measure() async throws -> Double { try await scanned.time(turn, times: times) }

    // Each run checks its results.
    func fingerprint() async throws -> Fingerprint {
        try await run()
        return Fingerprint()
    }
}
