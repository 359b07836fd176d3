/// Names in the order in which they came, and their places by name.
///
/// Instead of a dictionary, for the reason that ``IdentityTable`` gives.
package struct NameTable: Sendable {
    private var names: [String] = []
    /// Open addressing: places, −1 for none. There is always room for twice as many.
    private var buckets = [Int](repeating: -1, count: 16)

    package init() {}

    /// - Returns: nil where nothing is called so.
    package func place(of name: String) -> Int? {
        let place = buckets[bucket(of: name)]
        return place < 0 ? nil : place
    }

    /// Puts a name behind the others.
    /// - Returns: the place of an equal name that is there already; then nothing changes.
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
        for (place, name) in names.enumerated() { buckets[bucket(of: name)] = place }
    }
}
