import FoundationEssentials

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
    /// Whether a value came that is no number.
    private var hasWrongValue = false

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
            if decimals?.add(text) == false { hasWrongValue = true }
        case .blob: hasWrongValue = true
        }
        count += 1
    }

    /// The sum of nothing is 0; the average, the least and the greatest of nothing are null.
    /// - Throws: ``RecordStackError/Code/corrupt`` for a sum or average of values of which one is no number.
    package func result(
        of kind: FilterAggregate.Kind, _ collation: Collation
    ) throws -> StoredValue {
        switch kind {
        case .count: return .integer(Int64(count))
        case .minimum: return least
        case .maximum: return greatest
        case .sum, .average:
            if hasWrongValue || mixesKinds(collation) { throw RecordStackError.wrongNumber }
            if kind == .sum { return try checked(sum(collation), collation) }
            return count == 0 ? .null : average(collation)
        }
    }

    /// The average of an attribute of integers.
    package func averageOfIntegers() throws -> StoredValue {
        if reals != nil { throw RecordStackError.wrongNumber }
        return try result(of: .average, .binary)
    }

    /// A decimal sum, all of whose digits a `Decimal` must hold.
    private func checked(_ sum: StoredValue, _ collation: Collation) throws -> StoredValue {
        guard collation == .decimal, Decimal(storedValue: sum) == nil else { return sum }
        throw RecordStackError(
            .misuse,
            "\(sum.excerpt) was reckoned, which has more digits than a Decimal holds. Write `.asDouble` behind "
                + "the expression, or add up fewer objects.")
    }

    /// Whether decimal numbers, which are text, stand beside reals, or are summed as other numbers.
    private func mixesKinds(_ collation: Collation) -> Bool {
        collation == .decimal ? reals != nil : decimals != nil
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

extension RecordStackError {
    /// What is thrown where nobody knows of which object a value is; whoever asked looks for it.
    package static var wrongNumber: RecordStackError {
        RecordStackError(
            .corrupt,
            "A value in the store that was to be calculated with is none of its attribute: another program wrote it. "
                + "The store's check lists such values; mend it in the store.")
    }
}
