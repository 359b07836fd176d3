/// A contender beside another: the first is what the ratio speaks of.
struct Comparison {
    let label: String
    let candidate: any Contender
    let peer: any Contender
    /// What the ratio must not exceed for the work to be called done.
    let gate: Double?
    /// What the ratio should not exceed.
    let moonshot: Double?
    /// The time that gate and moonshot add to a multiple of the peer's figure.
    let allowance: Allowance
    /// To what a ratio is rounded before it is held against gate and moonshot; nil for not at all.
    let step: Double?

    init(
        _ candidate: any Contender, against peer: any Contender, label: String? = nil,
        gate: Double? = nil, moonshot: Double? = nil, allowing allowance: Allowance = .nothing,
        roundedTo step: Double? = nil
    ) {
        self.candidate = candidate
        self.peer = peer
        self.label = label ?? peer.name
        self.gate = gate
        self.moonshot = moonshot
        self.allowance = allowance
        self.step = step
    }
}

/// The `b` of a gate and a moonshot of the form `a × peer + b`, in nanoseconds.
///
/// The ratio of a result stays candidate ÷ peer. Its limit is `a` plus the allowance ÷ the median of the peer's
/// figures.
struct Allowance {
    var gate = 0.0
    var moonshot = 0.0

    static let nothing = Allowance()
}
