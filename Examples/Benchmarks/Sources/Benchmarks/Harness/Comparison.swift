/// A contender beside another: the first is what the ratio speaks of.
struct Comparison {
    let label: String
    let candidate: any Contender
    let peer: any Contender
    /// What the ratio must not exceed for the work to be called done.
    let gate: Double?
    /// What the ratio should not exceed.
    let moonshot: Double?
    /// To what a ratio is rounded before it is held against gate and moonshot; nil for not at all.
    let step: Double?

    init(
        _ candidate: any Contender, against peer: any Contender, label: String? = nil,
        gate: Double? = nil, moonshot: Double? = nil, roundedTo step: Double? = nil
    ) {
        self.candidate = candidate
        self.peer = peer
        self.label = label ?? peer.name
        self.gate = gate
        self.moonshot = moonshot
        self.step = step
    }
}
