import RecordStackModel

/// The rows of a batch as they were read: for each slot nothing, null, a value, or what was wrong.
struct StagedRow {
    enum Value {
        case absent
        case null(path: Int)
        case value(StoredValue, priority: Int)
        /// Something was there that does not convert; its priority and how it reads.
        case unfit(priority: Int, found: String)

        /// A null gives way to everything, a value to one that is wanted more. The last of several
        /// values of one key wins.
        func yields(to priority: Int) -> Bool {
            switch self {
            case .absent, .null: true
            case .value(_, let mine), .unfit(let mine, _): priority <= mine
            }
        }
    }

    /// The row's number in the import.
    let number: Int
    var values: [Value]
    /// Why the row cannot be imported at all.
    var refusal: String?

    init(number: Int, slots: Int) {
        self.number = number
        values = Array(repeating: .absent, count: slots)
    }
}
