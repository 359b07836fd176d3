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
    var isAbsent: Bool { bits & 3 == 0 }
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

/// The marks of a row, as sets of the first 64 slots.
struct StagedSum {
    private(set) var values: UInt64 = 0
    private(set) var nulls: UInt64 = 0
    /// Whether everything was read that converts.
    private(set) var isFit = true

    @inline(__always)
    mutating func add(_ kind: StagedMark.Kind, _ slot: Int) {
        let bit: UInt64 = slot < 64 ? 1 << UInt64(slot) : 0
        values &= ~bit
        nulls &= ~bit
        switch kind {
        case .value: values |= bit
        case .null: nulls |= bit
        case .absent: break
        case .unfit: isFit = false
        }
    }
}
