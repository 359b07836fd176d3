package import FoundationEssentials

/// A request for values of objects: values of each object, or a row of values for each group.
package struct ValueRequest: Sendable, Hashable {
    package var objects: StoreRequest
    /// The values that the objects are grouped by, if a column is an aggregate.
    ///
    /// Without keys, all objects are one group, even if there are no objects.
    package let keys: [FilterOperand]
    package let columns: [ValueColumn]

    package init(of objects: StoreRequest, by keys: [FilterOperand] = [], columns: [ValueColumn]) {
        self.objects = objects
        self.keys = keys
        self.columns = columns
    }

    package var isAggregate: Bool {
        !keys.isEmpty
            || columns.contains { if case .aggregate = $0 { true } else { false } }
    }
}

/// A column of a ``ValueRequest``'s rows.
package enum ValueColumn: Sendable, Hashable {
    /// A value of each object.
    case value(FilterOperand)
    /// The key of a group, by its index among the keys.
    case key(Int)
    /// An aggregate over all objects of a group; a nil operand counts the objects.
    case aggregate(FilterAggregate.Kind, FilterOperand?, isDistinct: Bool = false)

    package var operand: FilterOperand? {
        switch self {
        case .value(let operand): operand
        case .key: nil
        case .aggregate(_, let operand, _): operand
        }
    }
}

extension ValueColumn {
    package func resolved(in store: UUID) throws -> ValueColumn {
        switch self {
        case .value(let operand): .value(try operand.resolved(in: store))
        case .key: self
        case .aggregate(let kind, let operand, let isDistinct):
            .aggregate(kind, try operand?.resolved(in: store), isDistinct: isDistinct)
        }
    }
}

/// Groups values in memory in the same way as SQL.
package struct GroupSummary {
    private let keys: [FilterOperand]
    private let columns: [ValueColumn]
    private var groupIndexes: [[StoredValue]: Int] = [:]
    private var groups: [(key: [StoredValue], states: [State])] = []

    fileprivate struct State {
        var summary = ValueSummary()
        var met: Set<StoredValue> = []
    }

    package init(_ request: ValueRequest) {
        keys = request.keys
        columns = request.columns
        // Without keys, there is one group even if there are no objects.
        if keys.isEmpty { _ = groupIndex(of: []) }
    }

    /// Returns the operands whose values ``add(_:)`` takes.
    ///
    /// The operands are the keys, followed by those of the columns.
    package static func operands(of request: ValueRequest) -> [FilterOperand] {
        request.keys + request.columns.compactMap(\.operand)
    }

    /// Adds the values of one object.
    package mutating func add(_ values: [StoredValue]) {
        let groupIndex = groupIndex(of: Array(values.prefix(keys.count)))
        var next = keys.count
        for (index, column) in columns.enumerated() {
            guard case .aggregate(_, let operand, let isDistinct) = column else { continue }
            var value = StoredValue.integer(1)
            if operand != nil {
                value = values[next]
                next += 1
            }
            groups[groupIndex].states[index].add(
                value, operand?.collation ?? .binary, isDistinct: isDistinct)
        }
    }

    private mutating func groupIndex(of key: [StoredValue]) -> Int {
        if let known = groupIndexes[key] { return known }
        groups.append((key, Array(repeating: State(), count: columns.count)))
        groupIndexes[key] = groups.count - 1
        return groups.count - 1
    }

    /// Returns a row for each group, in the order of their keys.
    package func rows() throws -> [[StoredValue]] {
        try groups.sorted { isBefore($0.key, $1.key) }.map { group in
            try columns.enumerated().map { index, column in
                switch column {
                case .value: .null
                case .key(let keyIndex): group.key[keyIndex]
                case .aggregate(let kind, let operand, _):
                    try group.states[index].summary.result(of: kind, operand?.collation ?? .binary)
                }
            }
        }
    }

    private func isBefore(_ a: [StoredValue], _ b: [StoredValue]) -> Bool {
        for (index, operand) in keys.enumerated() {
            let order = SortTerm(operand, isAscending: true).order(a[index], b[index])
            if order != .same { return order == .before }
        }
        return false
    }
}

extension GroupSummary.State {
    fileprivate mutating func add(_ value: StoredValue, _ collation: Collation, isDistinct: Bool) {
        if isDistinct && !value.isNull && !met.insert(value).inserted { return }
        summary.add(value, collation)
    }
}
