/// A list of names that finds the index of a name.
///
/// Instead of a dictionary, for the reason that ``IdentityTable`` gives.
package struct NameTable: Sendable {
    private var names: [String] = []
    /// Open addressing: indexes, −1 for none. There is always room for twice as many.
    private var buckets = [Int](repeating: -1, count: 16)

    package init() {}

    /// - Returns: nil if the table does not have the name.
    package func index(of name: String) -> Int? {
        let index = buckets[bucket(of: name)]
        return index < 0 ? nil : index
    }

    /// Appends a name, unless the table has it already.
    /// - Returns: the index of the name if it was there already, else nil.
    package mutating func insert(_ name: String) -> Int? {
        let bucket = bucket(of: name)
        if buckets[bucket] >= 0 { return buckets[bucket] }
        buckets[bucket] = names.count
        names.append(name)
        if names.count * 2 > buckets.count { grow() }
        return nil
    }

    /// Where a name is, or would be put.
    private func bucket(of name: String) -> Int {
        let mask = buckets.count - 1
        var bucket = name.hashValue & mask
        while buckets[bucket] >= 0 && names[buckets[bucket]] != name {
            bucket = (bucket + 1) & mask
        }
        return bucket
    }

    private mutating func grow() {
        buckets = [Int](repeating: -1, count: buckets.count * 2)
        for (index, name) in names.enumerated() { buckets[bucket(of: name)] = index }
    }
}
