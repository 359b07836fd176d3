/// One way of doing the work of a workload: ours, a floor or a peer.
///
/// Only ``run()`` is timed. All contenders of a workload leave or return the same rows, which
/// ``fingerprint()`` shows before anything is timed.
protocol Contender: AnyObject {
    var name: String { get }

    /// Before every run.
    func prepare() async throws
    /// What is timed.
    func run() async throws
    /// After every run.
    func finish() async throws

    /// Does the work once and tells what came of it.
    func fingerprint() async throws -> Fingerprint
}

extension Contender {
    func prepare() async throws {}
    func finish() async throws {}

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
