package import FoundationEssentials

/// What to make of a request's objects instead of objects: values of each, or one row of values for each group
/// of them.
package struct ValueRequest: Sendable, Hashable {
    package var objects: StoreRequest
    /// What the objects are grouped by, if there is a column that is one value of many. Without any, all of
    /// them are one group, also where there are none.
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
    /// A value of each object; of a group, the key of that number.
    case value(FilterOperand)
    case key(Int)
    /// A value of all objects of a group; nil counts them.
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

/// Rows of values by group, gathered in memory as SQL would.
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
        // All objects together are a group without any, too.
        if keys.isEmpty { _ = groupIndex(of: []) }
    }

    /// The operands of which ``add(_:)`` takes the values: the keys, and those of the columns.
    package static func operands(of request: ValueRequest) -> [FilterOperand] {
        request.keys + request.columns.compactMap(\.operand)
    }

    /// Takes in an object.
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

    /// A row for each group, in the order of their keys.
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
