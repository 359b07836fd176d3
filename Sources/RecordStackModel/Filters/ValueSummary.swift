import FoundationEssentials

/// A count, sum, average, minimum or maximum of many values, in which null does not count.
///
/// The result does not depend on the order of the
/// values, because a sum is rounded once, at its end.
package struct ValueSummary {
    private var count = 0
    private var integers: Int128 = 0
    private var reals: ExactSum?
    private var decimals: DecimalSum?
    private var least: StoredValue = .null
    private var greatest: StoredValue = .null
    /// True if a value was added that is not a number.
    private var hasWrongValue = false

    package init() {}

    /// Adds a value that also counts for the minimum and the maximum.
    mutating func add(_ value: StoredValue, _ collation: Collation) {
        if value.isNull { return }
        if least.isNull || value.compare(to: least, collation) == .before { least = value }
        if greatest.isNull || value.compare(to: greatest, collation) == .after { greatest = value }
        addNumber(value)
    }

    /// Adds a number that counts only for the count, the sum and the average.
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

    /// Returns the aggregate of the values that were added.
    ///
    /// The sum of no values is 0. The average, the minimum and the maximum of no values are null.
    ///
    /// - Throws: ``RecordStackError/Code/corrupt`` for a sum
    ///   or an average if a value is not a number.
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

    /// Returns the average of an attribute of integers.
    ///
    /// - Throws: ``RecordStackError/Code/corrupt`` if a value is not an integer.
    package func averageOfIntegers() throws -> StoredValue {
        if reals != nil { throw RecordStackError.wrongNumber }
        return try result(of: .average, .binary)
    }

    /// Returns a sum, or throws if it is a decimal sum with more digits than a `Decimal` holds.
    private func checked(_ sum: StoredValue, _ collation: Collation) throws -> StoredValue {
        guard collation == .decimal, Decimal(storedValue: sum) == nil else { return sum }
        throw RecordStackError(
            .misuse,
            "\(sum.excerpt) was reckoned, which has more digits than a Decimal holds. Write `.asDouble` behind "
                + "the expression, or add up fewer objects.")
    }

    /// Whether decimal numbers are mixed with reals, or summed as other numbers.
    ///
    /// Decimal numbers are stored as text.
    private func mixesKinds(_ collation: Collation) -> Bool {
        collation == .decimal ? reals != nil : decimals != nil
    }

    private func sum(_ collation: Collation) -> StoredValue {
        if collation == .decimal {
            return .text((decimals ?? DecimalSum()).adding("\(integers)").text)
        }
        if let reals { return .storedReal(reals.adding(Double(integers)).value) }
        // A sum that does not fit into 64 bits becomes a real number, as it does everywhere.
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
    /// The error for a value that does not fit its attribute, thrown where its object is unknown.
    package static var wrongNumber: RecordStackError {
        RecordStackError(
            .corrupt,
            "A calculation read a stored value that its attribute cannot have: another program wrote it. "
                + "integrityCheck() lists such values. Correct it in the store.")
    }
}
