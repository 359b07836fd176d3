/// A contender beside another: the first is what the ratio speaks of.
struct Comparison {
    let label: String
    let candidate: any Contender
    let peer: any Contender
    /// What the ratio must not exceed for the work to be called done.
    let gate: Double?
    /// What the ratio should not exceed.
    let moonshot: Double?

    init(
        _ candidate: any Contender, against peer: any Contender, label: String? = nil,
        gate: Double? = nil, moonshot: Double? = nil
    ) {
        self.candidate = candidate
        self.peer = peer
        self.label = label ?? peer.name
        self.gate = gate
        self.moonshot = moonshot
    }
}
