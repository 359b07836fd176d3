/// One value of many: a count, sum, average, least or greatest. Null does not count.
///
/// The result does not depend on the order of the values: a sum is rounded once, at its end.
package struct ValueSummary {
    private var count = 0
    private var integers: Int128 = 0
    private var reals: ExactSum?
    private var decimals: DecimalSum?
    private var least: StoredValue = .null
    private var greatest: StoredValue = .null

    package init() {}

    /// Takes in a value of which there may be a least one.
    mutating func add(_ value: StoredValue, _ collation: Collation) {
        if value.isNull { return }
        if least.isNull || value.compare(to: least, collation) == .before { least = value }
        if greatest.isNull || value.compare(to: greatest, collation) == .after { greatest = value }
        addNumber(value)
    }

    /// Takes in a number to be added up.
    package mutating func addNumber(_ value: StoredValue) {
        switch value {
        case .null: return
        case .integer(let number): integers += Int128(number)
        case .real(let number):
            if reals == nil { reals = ExactSum() }
            reals?.add(number)
        case .text(let text):
            if decimals == nil { decimals = DecimalSum() }
            decimals?.add(text)
        case .blob: break
        }
        count += 1
    }

    /// The sum of nothing is 0; the average, the least and the greatest of nothing are null.
    package func result(
        of kind: FilterAggregate.Kind, _ collation: Collation
    ) -> StoredValue {
        switch kind {
        case .count: .integer(Int64(count))
        case .minimum: least
        case .maximum: greatest
        case .sum: sum(collation)
        case .average: count == 0 ? .null : average(collation)
        }
    }

    private func sum(_ collation: Collation) -> StoredValue {
        if collation == .decimal {
            return .text((decimals ?? DecimalSum()).adding("\(integers)").text)
        }
        if let reals { return .storedReal(reals.adding(Double(integers)).value) }
        // What does not fit goes on as a real, as everywhere.
        return Int64(exactly: integers).map(StoredValue.integer) ?? .storedReal(Double(integers))
    }

    private func average(_ collation: Collation) -> StoredValue {
        switch sum(collation) {
        case .integer(let sum): .storedReal(Double(sum) / Double(count))
        case .real(let sum): .storedReal(sum / Double(count))
        case .text(let sum): .storedReal((Double(sum) ?? .nan) / Double(count))
        case .null, .blob: .null
        }
    }
}
