/// The range of values that a rule allows, with its bounds in stored form.
///
/// ```swift
/// if case .range(let range) = failure.rule { print(range) }       // 0...120
/// ```
public struct ValueRange: Sendable, Hashable, CustomStringConvertible {
    /// The lowest allowed value, or nil if there is no lower bound.
    public let lowerBound: StoredValue?
    /// The upper bound, or nil if there is no upper bound.
    public let upperBound: StoredValue?
    /// Whether the upper bound itself is allowed.
    public let includesUpperBound: Bool

    package init(
        lowerBound: StoredValue?, upperBound: StoredValue?, includesUpperBound: Bool
    ) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
        self.includesUpperBound = includesUpperBound
    }

    /// The range in Swift's syntax: `0...120`, `18...`, `..<65`.
    public var description: String {
        let lower = lowerBound.map { "\($0)" } ?? ""
        let upper = upperBound.map { "\($0)" } ?? ""
        return lower + (includesUpperBound || upperBound == nil ? "..." : "..<") + upper
    }

    /// Whether a value lies between the bounds.
    func contains(_ value: StoredValue, _ collation: Collation) -> Bool {
        if let lowerBound, value.compare(to: lowerBound, collation) == .before { return false }
        guard let upperBound else { return true }
        switch value.compare(to: upperBound, collation) {
        case .before: return true
        case .same: return includesUpperBound
        case .after: return false
        }
    }
}
