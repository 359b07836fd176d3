/// The largest number of members that each to-many relationship of an object has shown.
///
/// An index below that number was valid once. A save of another context may have removed members
/// since, which must not stop a program that reads at such an index.
struct ShownCounts {
    private var entries: [(relationship: Int, count: Int)] = []

    var isEmpty: Bool { entries.isEmpty }

    subscript(relationship: Int) -> Int {
        entries.first { $0.relationship == relationship }?.count ?? 0
    }

    /// Records the number of members that a relationship shows.
    mutating func note(_ count: Int, of relationship: Int) {
        guard let index = entries.firstIndex(where: { $0.relationship == relationship }) else {
            return entries.append((relationship, count))
        }
        if entries[index].count < count { entries[index].count = count }
    }
}
