/// The range of a sorted result that a page by key requests.
///
/// The result after a token is divided into consecutive parts, one for each statement.
package struct KeysetBound: Sendable, Hashable {
    /// The request's own filter.
    package let filter: Filter.Node?
    /// The conditions of the parts.
    ///
    /// The conditions exclude one another, and are false for objects before the token.
    let parts: [Filter.Node]
    let wanted: ClosedRange<Int>

    /// Returns whether a matching object is before, in or after the range.
    package func position<Subject: FilterSubject>(of subject: Subject) throws -> Order {
        guard let part = try parts.firstIndex(where: { try $0.isTrue(for: subject) }) else {
            return .before
        }
        if part < wanted.lowerBound { return .before }
        return part > wanted.upperBound ? .after : .same
    }
}
