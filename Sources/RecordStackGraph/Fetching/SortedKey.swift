import RecordStackModel

/// An object's key, and the values that it is sorted by: enough to find its place in an order.
struct SortedKey {
    let key: Int64
    private let values: [StoredValue]

    init(_ object: ManagedObject, in context: ManagedObjectContext, by sort: [SortTerm]) throws {
        key = object.keyValue
        let subject = ObjectSubject(object: object, context: context)
        values = try sort.map { try $0.operand.value(for: subject) }
    }

    /// - Parameter row: the values, and the key at the end.
    init(_ row: [StoredValue]) {
        if case .integer(let key)? = row.last { self.key = key } else { key = 0 }
        values = Array(row.dropLast())
    }

    func order(_ other: SortedKey, by sort: [SortTerm]) -> Order {
        for (index, term) in sort.enumerated() {
            let order = term.order(values[index], other.values[index])
            if order != .same { return order }
        }
        return Order(key, other.key)
    }
}

/// Takes the keys of rows, and reads none.
final class KeySink: RowSink {
    private(set) var keys: [Int64] = []

    func wants(key: Int64, version: Int64, entity: Int) -> Bool {
        keys.append(key)
        return false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: Int64, entity: Int) throws {}
}
