/// The figures of interleaved pairs.
///
/// A block is ABBA: each side is first once and second once, so that a slow drift of the machine
/// affects both equally. The comparisons of a workload take turns within each round, and each round
/// begins with a different comparison.
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

    /// Runs each contender once and discards the result.
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
    /// Each contender once, in the order of their first appearance.
    var contenders: [any Contender] {
        var seen: Set<ObjectIdentifier> = []
        return flatMap { [$0.candidate, $0.peer] }
            .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
