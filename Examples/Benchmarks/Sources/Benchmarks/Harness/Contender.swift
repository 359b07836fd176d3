/// One implementation of a workload: RecordStack, a floor or a peer.
///
/// Only ``run()`` is timed. A contender that measures anything other than time implements
/// ``measure()``. All contenders of a workload write or return the same rows, which
/// ``fingerprint()`` proves before anything is measured.
protocol Contender: AnyObject {
    var name: String { get }

    /// Prepares a run. Called before every run.
    func prepare() async throws
    /// Runs the timed work.
    func run() async throws
    /// Cleans up. Called after every run.
    func finish() async throws
    /// Returns one figure of the comparison: by default the time of a run in nanoseconds.
    func measure() async throws -> Double

    /// Does the work once and returns the fingerprint of the result.
    func fingerprint() async throws -> Fingerprint
}

extension Contender {
    func prepare() async throws {}
    func finish() async throws {}
    func measure() async throws -> Double { try await time() }

    /// Returns the time of one run in nanoseconds.
    func time() async throws -> Double {
        try await prepare()
        let clock = ContinuousClock()
        let start = clock.now
        try await run()
        let duration = clock.now - start
        try await finish()
        return duration / .nanoseconds(1)
    }
}
