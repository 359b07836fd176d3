import FoundationEssentials

extension FilterArithmetic {
    /// Returns the result as SQLite computes it.
    ///
    /// An integer result that does not fit into 64 bits becomes a real number. A division by zero,
    /// a result that is NaN, and an operand that is not a number give null.
    package func apply(
        _ a: StoredValue, _ b: StoredValue, isDecimal: Bool = false
    ) -> StoredValue {
        if isDecimal { return decimal(a, b) }
        switch (a, b) {
        case (.integer(let a), .integer(let b)): return integer(a, b)
        case (.integer(let a), .real(let b)): return real(Double(a), b)
        case (.real(let a), .integer(let b)): return real(a, Double(b))
        case (.real(let a), .real(let b)): return real(a, b)
        default: return .null
        }
    }

    private func integer(_ a: Int64, _ b: Int64) -> StoredValue {
        let (result, overflow): (Int64, Bool)
        switch self {
        case .add: (result, overflow) = a.addingReportingOverflow(b)
        case .subtract: (result, overflow) = a.subtractingReportingOverflow(b)
        case .multiply: (result, overflow) = a.multipliedReportingOverflow(by: b)
        case .divide:
            if b == 0 { return .null }
            (result, overflow) = a.dividedReportingOverflow(by: b)
        case .modulo:
            if b == 0 { return .null }
            // `Int64.min % -1` overflows. Every remainder of a division by −1 is 0.
            return .integer(b == -1 ? 0 : a % b)
        }
        return overflow ? real(Double(a), Double(b)) : .integer(result)
    }

    private func real(_ a: Double, _ b: Double) -> StoredValue {
        switch self {
        case .add: .storedReal(a + b)
        case .subtract: .storedReal(a - b)
        case .multiply: .storedReal(a * b)
        case .divide: b == 0 ? .null : .storedReal(a / b)
        case .modulo: .null
        }
    }

    private func decimal(_ a: StoredValue, _ b: StoredValue) -> StoredValue {
        guard let a = Decimal(filterValue: a), let b = Decimal(filterValue: b) else { return .null }
        switch self {
        case .add: return (a + b).storedValue
        case .subtract: return (a - b).storedValue
        case .multiply: return (a * b).storedValue
        case .divide: return b == 0 ? .null : (a / b).storedValue
        case .modulo: return .null
        }
    }
}

extension FilterFunction {
    package func apply(_ value: StoredValue) -> StoredValue {
        switch (self, value) {
        case (.lowercase, .text(let text)): return .text(text.lowercased())
        case (.uppercase, .text(let text)): return .text(text.uppercased())
        case (.length, .text(let text)): return .integer(Int64(text.count))
        case (.length, .blob(let bytes)): return .integer(Int64(bytes.count))
        case (.real, .integer(let number)): return .real(Double(number))
        case (.real, .real): return value
        case (.abs, .integer(let number)):
            return number == .min ? .real(-Double(number)) : .integer(Swift.abs(number))
        case (.abs, .real(let number)): return .storedReal(Swift.abs(number))
        case (.floor, .integer), (.ceiling, .integer), (.trunc, .integer): return value
        case (.floor, .real(let number)): return .storedReal(number.rounded(.down))
        case (.ceiling, .real(let number)): return .storedReal(number.rounded(.up))
        case (.trunc, .real(let number)): return .storedReal(number.rounded(.towardZero))
        case (_, .text):
            guard let number = Decimal(filterValue: value) else { return .null }
            return decimal(number)
        default: return .null
        }
    }

    private func decimal(_ number: Decimal) -> StoredValue {
        switch self {
        case .abs: return (number < 0 ? -number : number).storedValue
        case .trunc: return number.whole.storedValue
        case .floor:
            let whole = number.whole
            return (whole > number ? whole - 1 : whole).storedValue
        case .ceiling:
            let whole = number.whole
            return (whole < number ? whole + 1 : whole).storedValue
        case .real: return Double(number.description).map(StoredValue.storedReal) ?? .null
        case .lowercase, .uppercase, .length: return .null
        }
    }
}

extension Decimal {
    /// Creates a decimal number from a decimal text or from an integer.
    init?(filterValue: StoredValue) {
        switch filterValue {
        case .integer(let number): self.init(number)
        case .text: self.init(storedValue: filterValue)
        default: return nil
        }
    }

    /// The number without its fraction.
    fileprivate var whole: Decimal {
        Decimal(string: String(description.prefix { $0 != "." })) ?? self
    }
}
