/// The result of measuring a workload.
struct WorkloadResult {
    let id: String
    let what: String
    let unit: Unit
    /// RecordStack, or the first of the peers if only peers were measured.
    let subject: Subject
    let outcomes: [Outcome]

    /// The contender whose figure is reported, in the unit of the workload.
    struct Subject {
        /// The name of a peer; nil for RecordStack.
        let peer: String?
        let figure: Double
    }

    /// Whether every gate was reached.
    var isPassed: Bool { outcomes.allSatisfy { $0.gate?.isReached ?? true } }
}

extension WorkloadResult {
    init(workload: any Workload, scale: Scale, amongPeers: Bool, pairing: Pairing) {
        id = workload.id
        what = workload.what(scale)
        let unit = workload.unit(scale)
        self.unit = unit
        let comparisons = pairing.comparisons
        outcomes = zip(comparisons, pairing.pairs).map {
            Outcome(comparison: $0, pairs: $1, amongPeers: amongPeers, unit: unit)
        }
        // A contender with several comparisons was measured in each of them.
        let first = amongPeers ? comparisons[0].peer : comparisons[0].candidate
        let figures = zip(comparisons, pairing.pairs).flatMap { comparison, pairs in
            if comparison.candidate === first { return pairs.map(\.candidate) }
            return comparison.peer === first ? pairs.map(\.peer) : []
        }
        subject = Subject(
            peer: amongPeers ? first.name : nil,
            figure: Statistics.median(figures) / unit.size)
    }
}

/// The result of a comparison.
struct Outcome {
    let label: String
    /// The figure of the contender that the label names, in the unit of the workload.
    let figure: Double
    let ratio: Double
    let interval: ClosedRange<Double>
    let gate: Mark?
    let moonshot: Mark?

    /// A limit of a ratio.
    struct Mark {
        let limit: Double
        let isReached: Bool
    }
}

extension Outcome {
    init(comparison: Comparison, pairs: [Pairing.Pair], amongPeers: Bool, unit: Unit) {
        label = comparison.label
        let figures = pairs.map { amongPeers ? $0.candidate : $0.peer }
        let peerFigure = Statistics.median(pairs.map(\.peer))
        figure = Statistics.median(figures) / unit.size
        let ratios = pairs.map(\.ratio)
        let ratio = Statistics.median(ratios)
        self.ratio = ratio
        interval = Statistics.interval(ofMedian: ratios)
        let judged = comparison.step.map { (ratio / $0).rounded() * $0 } ?? ratio
        func mark(_ multiple: Double?, _ allowance: Double) -> Mark? {
            guard let multiple else { return nil }
            let limit = multiple + allowance / peerFigure
            return Mark(limit: limit, isReached: judged <= limit)
        }
        gate = mark(comparison.gate, comparison.allowance.gate)
        moonshot = mark(comparison.moonshot, comparison.allowance.moonshot)
    }
}
