/// Which part of a request's order is wanted: what comes behind a place is divided into parts, each of which follows the
/// one before.
package struct KeysetBound: Sendable, Hashable {
    /// What is asked besides.
    package let filter: Filter.Node?
    /// The conditions of the parts, which exclude one another; none is true for what comes before the place.
    let parts: [Filter.Node]
    let wanted: ClosedRange<Int>

    /// Where an object stands that fits the filter.
    /// - Returns: before, in or behind what is wanted.
    package func position<Subject: FilterSubject>(of subject: Subject) throws -> Order {
        guard let part = try parts.firstIndex(where: { try $0.isTrue(for: subject) }) else {
            return .before
        }
        if part < wanted.lowerBound { return .before }
        return part > wanted.upperBound ? .after : .same
    }
}
