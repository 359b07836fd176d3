/// The figures of interleaved pairs.
///
/// A block is ABBA: each side is first once and second once, so that a slow drift of the machine
/// weighs on both alike. Several comparisons of a workload take turns within each round, and each
/// round begins with another one.
struct Pairing {
    let comparisons: [Comparison]
    private(set) var pairs: [[Pair]]

    struct Pair {
        let candidate: Double
        let peer: Double

        var ratio: Double { candidate / peer }
    }

    init(comparisons: [Comparison]) {
        self.comparisons = comparisons
        pairs = comparisons.map { _ in [] }
    }

    /// One run of each, not kept.
    func warmUp() async throws {
        for contender in comparisons.contenders { _ = try await contender.measure() }
    }

    mutating func measure(block: Int) async throws {
        for turn in comparisons.indices {
            let index = (turn + block) % comparisons.count
            let (candidate, peer) = (comparisons[index].candidate, comparisons[index].peer)
            let firstCandidate = try await candidate.measure()
            let firstPeer = try await peer.measure()
            let secondPeer = try await peer.measure()
            let secondCandidate = try await candidate.measure()
            pairs[index].append(Pair(candidate: firstCandidate, peer: firstPeer))
            pairs[index].append(Pair(candidate: secondCandidate, peer: secondPeer))
        }
    }
}

extension [Comparison] {
    /// Each contender once, in order of appearance.
    var contenders: [any Contender] {
        var seen: Set<ObjectIdentifier> = []
        return flatMap { [$0.candidate, $0.peer] }
            .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
