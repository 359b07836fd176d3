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

    /// A null gives way to everything, a value to one that is wanted more. The last of several
    /// values of one key wins.
    func yields(to priority: Int) -> Bool {
        bits & 3 < Kind.value.rawValue || priority <= self.priority
    }
}
