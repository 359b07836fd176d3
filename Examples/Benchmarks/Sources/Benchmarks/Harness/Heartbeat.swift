import RecordStack

/// Beats a thousand times a second on the main actor, each with a fetch of ten objects.
enum Heartbeat {
    static let rowsFetched = 10

    /// How late a beat was over that only a thousandth of them were later than, in nanoseconds. A beat that is late
    /// takes the ones after it along, as it does with the frames of an app.
    @MainActor static func stall(_ stack: ContextStack, beats: Int) async throws -> Double {
        let clock = ContinuousClock()
        let begin = clock.now
        var lateness: [Double] = []
        for beat in 1...beats {
            let due = begin + .milliseconds(beat)
            if clock.now < due { try await Task.sleep(until: due, tolerance: .zero, clock: clock) }
            let found = try Person.find(limit: rowsFetched, in: stack.defaultContext)
            if found.count != rowsFetched { throw Failure("a beat found \(found.count)") }
            lateness.append((clock.now - due) / .nanoseconds(1))
        }
        return lateness.sorted()[beats - beats / 1_000 - 1]
    }
}
