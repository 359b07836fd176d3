/// A loop whose figure is the time of one round, in a place that is made anew for each run.
///
/// It checks itself what came of it: the loops of a workload do not all go round as often.
final class LoopRun<Place>: Contender {
    let name: String
    private let rounds: Int
    /// How often it is run for one figure.
    private let times: Int
    private let open: () async throws -> Place
    private let loop: (Place) async throws -> Void
    private let isRight: (Place) async throws -> Bool
    private let close: (Place) async throws -> Void
    private var place: Place?

    init(
        _ name: String, rounds: Int, times: Int = 1, open: @escaping () async throws -> Place,
        loop: @escaping (Place) async throws -> Void,
        isRight: @escaping (Place) async throws -> Bool,
        close: @escaping (Place) async throws -> Void
    ) {
        self.name = name
        self.rounds = rounds
        self.times = times
        self.open = open
        self.loop = loop
        self.isRight = isRight
        self.close = close
    }

    func prepare() async throws { place = try await open() }

    func run() async throws {
        guard let place else { return }
        try await loop(place)
    }

    func finish() async throws {
        guard let last = place else { return }
        place = nil
        try await close(last)
    }

    func measure() async throws -> Double {
        var sum = 0.0
        for _ in 0..<times { sum += try await time() }
        return sum / Double(times * rounds)
    }

    func fingerprint() async throws -> Fingerprint {
        try await prepare()
        try await run()
        if let place, try await !isRight(place) { throw Failure("\(name): a wrong answer") }
        try await finish()
        return Fingerprint()
    }
}

/// What another contender needs, with an allowance: a limit that grows with the work, and is no ratio.
final class Allowance: Contender {
    let name: String
    private let base: any Contender
    private let factor: Double
    private let nanoseconds: Double

    init(_ base: any Contender, times factor: Double, plus nanoseconds: Double) {
        self.base = base
        self.factor = factor
        self.nanoseconds = nanoseconds
        name = "\(base.name) × \(factor) + \(Int(nanoseconds)) ns"
    }

    func run() async throws { _ = try await base.measure() }
    func measure() async throws -> Double { try await base.measure() * factor + nanoseconds }
    func fingerprint() async throws -> Fingerprint { try await base.fingerprint() }
}
