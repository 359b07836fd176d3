import RecordStack

/// Beats a thousand times a second on the main actor, each beat with a fetch of ten objects.
struct Heartbeat: Sendable {
    static let rowsFetched = 10

    let stack: ContextStack
    let beats: Int
    /// Fetches up to `limit` objects, and returns their number.
    let fetch: @MainActor @Sendable (_ limit: Int, ManagedObjectContext) throws -> Int

    /// Returns the delay that only one beat in a thousand exceeds, in nanoseconds.
    ///
    /// A late beat also delays the following beats, as it would delay the frames of an app.
    @MainActor func stall() async throws -> Double {
        let clock = ContinuousClock()
        let begin = clock.now
        var lateness: [Double] = []
        for beat in 1...beats {
            let due = begin + .milliseconds(beat)
            if clock.now < due { try await Task.sleep(until: due, tolerance: .zero, clock: clock) }
            let found = try fetch(Self.rowsFetched, stack.defaultContext)
            if found != Self.rowsFetched { throw Failure("a beat found \(found)") }
            lateness.append((clock.now - due) / .nanoseconds(1))
        }
        return lateness.sorted()[beats - beats / 1_000 - 1]
    }
}
