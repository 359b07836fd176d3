/// A loop whose figure is the time of one round. Each run gets a new store.
///
/// The loop checks its result itself, because the loops of a workload differ in their
/// number of rounds.
final class LoopRun<Place>: Contender {
    let name: String
    private let rounds: Int
    /// The number of runs for one figure.
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
