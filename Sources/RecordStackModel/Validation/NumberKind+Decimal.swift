import FoundationEssentials

extension NumberKind {
    /// Returns an integer or a real as the Decimal with the same digits: 0.1 stays 0.1.
    static func decimal(_ stored: StoredValue) -> StoredValue? {
        switch stored {
        case .integer(let value): Decimal(value).storedValue
        case .real(let value) where value.isFinite:
            Decimal(string: "\(value)").map(\.storedValue)
        default: UInt64(storedValue: stored).map { Decimal($0).storedValue }
        }
    }
}
