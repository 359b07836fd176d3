import RecordStackGraph
import RecordStackModel

/// A row as it was read: for each property nothing, null, what it has, or what was wrong.
struct StagedRow {
    enum Value {
        case absent
        case null(priority: Int)
        case value(StoredValue, priority: Int)
        /// Something was there that does not convert; how it reads.
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

    /// What a relationship leads to.
    enum Related {
        case absent
        case null(priority: Int)
        /// An array, or what stands alone.
        case members([Member], priority: Int, isArray: Bool)

        func yields(to priority: Int) -> Bool {
            switch self {
            case .absent, .null: true
            case .members(_, let mine, _): priority <= mine
            }
        }
    }

    enum Member {
        case row(StagedRow)
        /// The key of an object.
        case key(StoredValue)
        /// Something that is neither; how it reads.
        case unfit(found: String)
    }

    /// The row's number in the import; a nested one has that of the row that it stands in.
    let number: Int
    var values: [Value]
    /// By the place among the mapping's relations.
    var related: [Related]
    /// Why the row cannot be imported at all.
    var refusal: String?

    init(number: Int, _ mapping: ImportMapping) {
        self.number = number
        values = Array(repeating: .absent, count: mapping.attributes.count)
        related = Array(repeating: .absent, count: mapping.relations.count)
    }

    /// The key by which the row's object is known; a missing or null one never matches.
    func identity(_ mapping: ImportMapping) -> LookupKey? {
        guard let slot = mapping.entity.identity?.slot, case .value(let value, _) = values[slot]
        else { return nil }
        return LookupKey(value)
    }
}
