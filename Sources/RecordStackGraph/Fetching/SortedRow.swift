import RecordStackModel

/// A key with its sort values and the values that the caller reads.
///
/// It compares like the object, but without loading it.
struct SortedRow {
    let key: Int64
    /// The sort values, then the values that the caller reads.
    private let all: [StoredValue]
    private let sortCount: Int

    init(
        _ object: ManagedObject, in context: ManagedObjectContext, by sort: [SortTerm],
        _ operands: [FilterOperand]
    ) throws {
        key = object.keyValue
        let subject = ObjectSubject(object: object, context: context)
        all = try (sort.map(\.operand) + operands).map { try $0.value(for: subject) }
        sortCount = sort.count
    }

    /// Creates a row from the values of a query.
    ///
    /// - Parameter row: the key, the sort values, and the other values.
    init(_ row: [StoredValue], sortedBy count: Int) {
        if case .integer(let key)? = row.first { self.key = key } else { key = 0 }
        all = Array(row.dropFirst())
        sortCount = count
    }

    var values: ArraySlice<StoredValue> { all[sortCount...] }

    func order(_ other: SortedRow, by sort: [SortTerm]) -> Order {
        for (index, term) in sort.enumerated() {
            let order = term.order(all[index], other.all[index])
            if order != .same { return order }
        }
        return Order(key, other.key)
    }
}

/// Collects the keys of rows, and reads no row.
final class KeySink: RowSink {
    private(set) var keys: [Int64] = []

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        keys.append(key)
        return false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {}
}
