import RecordStackModel

/// What is known of a property of a row, and how much the key is wanted that it was found under: 0 is most.
struct StagedMark {
    enum Kind: UInt32 {
        case absent, null, value
        /// Something was there that does not convert.
        case unfit
    }

    private var bits: UInt32

    static let absent = StagedMark(.absent, priority: 0)

    init(_ kind: Kind, priority: Int) {
        bits = kind.rawValue | UInt32(priority) << 2
    }

    // Two bits have no other values.
    var kind: Kind { Kind(rawValue: bits & 3)! }
    var priority: Int { Int(bits >> 2) }

    /// Whether it gives way to something else that was found. A value does to one that is wanted more, and a null does as
    /// the property's rule says.
    func yields(to priority: Int, isNull: Bool, _ rule: ImportFallbackPolicy) -> Bool {
        if kind == .absent { return true }
        if rule == .whenNull {
            if isNull { return false }
            if kind == .null { return true }
        }
        return priority <= self.priority
    }
}
