/// One way of doing the work of a workload: ours, a floor or a peer.
///
/// Only ``run()`` is timed; what measures something else than time has a ``measure()`` of its own.
/// All contenders of a workload leave or return the same rows, which ``fingerprint()`` shows before
/// anything is measured.
protocol Contender: AnyObject {
    var name: String { get }

    /// Before every run.
    func prepare() async throws
    /// What is timed.
    func run() async throws
    /// After every run.
    func finish() async throws
    /// One figure of the comparison: the time of a run in nanoseconds, unless it is another one.
    func measure() async throws -> Double

    /// Does the work once and tells what came of it.
    func fingerprint() async throws -> Fingerprint
}

extension Contender {
    func prepare() async throws {}
    func finish() async throws {}
    func measure() async throws -> Double { try await time() }

    /// The time of one run in nanoseconds.
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
