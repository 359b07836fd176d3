/// A list of names that finds the index of a name.
///
/// It replaces a dictionary, for the reason given at ``IdentityTable``.
package struct NameTable: Sendable {
    private var names: [String] = []
    /// The indices of the names, in open addressing; −1 marks an empty bucket.
    ///
    /// At least half of the buckets are empty.
    private var buckets = [Int](repeating: -1, count: 16)

    package init() {}

    /// - Returns: the index of the name; nil if the table does not have it.
    package func index(of name: String) -> Int? {
        let index = buckets[bucket(of: name)]
        return index < 0 ? nil : index
    }

    /// Appends a name, unless the table already has it.
    ///
    /// - Returns: the index of the existing name; nil if the name was appended.
    package mutating func insert(_ name: String) -> Int? {
        let bucket = bucket(of: name)
        if buckets[bucket] >= 0 { return buckets[bucket] }
        buckets[bucket] = names.count
        names.append(name)
        if names.count * 2 > buckets.count { grow() }
        return nil
    }

    /// Returns the bucket of a name, or the empty bucket where it belongs.
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
