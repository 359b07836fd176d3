import RecordStackModel

/// The state of a property in a row, with the preference of its key; 0 is the most preferred.
struct StagedMark {
    enum Kind: UInt32 {
        case absent, null, value
        /// A value that does not convert.
        case unfit
    }

    private var bits: UInt32

    static let absent = StagedMark(.absent, priority: 0)

    init(_ kind: Kind, priority: Int) {
        bits = kind.rawValue | UInt32(priority) << 2
    }

    // Two bits have only these four values.
    var kind: Kind { Kind(rawValue: bits & 3)! }
    var isAbsent: Bool { bits & 3 == 0 }
    var priority: Int { Int(bits >> 2) }

    /// Returns true if a newly found value replaces this one.
    ///
    /// A value is replaced by a value under an equally or more preferred key. The fallback policy
    /// decides about nulls.
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
    /// True if every value converts.
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
