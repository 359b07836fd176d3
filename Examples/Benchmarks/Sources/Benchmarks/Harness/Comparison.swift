/// A contender and its peer. The ratio is that of the contender to the peer.
struct Comparison {
    let label: String
    let candidate: any Contender
    let peer: any Contender
    /// The limit of the ratio below which the work counts as done.
    let gate: Double?
    /// The limit of the ratio that the work should reach.
    let moonshot: Double?
    /// The time that gate and moonshot allow in addition to a multiple of the peer's figure.
    let allowance: Allowance
    /// The step to which a ratio is rounded before it is compared; nil for no rounding.
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
/// The ratio of a result stays candidate ÷ peer. Its limit is `a` plus the allowance ÷ the median
/// of the peer's figures.
struct Allowance {
    var gate = 0.0
    var moonshot = 0.0

    static let nothing = Allowance()
}
