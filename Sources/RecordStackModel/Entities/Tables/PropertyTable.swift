/// An entity's properties by their key paths.
///
/// Instead of a dictionary, for the reason that ``IdentityTable`` gives.
struct PropertyTable: Sendable {
    typealias Property = EntityDescription.Property

    private var keyPaths: [any AnyKeyPath & Sendable] = []
    private var properties: [Property] = []
    /// Open addressing: places, −1 for none. There is always room for twice as many, and a power of two.
    private var buckets = [Int](repeating: -1, count: 32)

    /// Adds a property. Under a key path that is there already, it takes the other's place.
    mutating func add(_ keyPath: any AnyKeyPath & Sendable, _ property: Property) {
        let bucket = bucket(of: keyPath)
        if buckets[bucket] >= 0 {
            properties[buckets[bucket]] = property
            return
        }
        buckets[bucket] = keyPaths.count
        keyPaths.append(keyPath)
        properties.append(property)
        if keyPaths.count * 2 > buckets.count { grow() }
    }

    subscript(keyPath: AnyKeyPath) -> Property? {
        let place = buckets[bucket(of: keyPath)]
        return place < 0 ? nil : properties[place]
    }

    func keyPath(named name: String) -> (any AnyKeyPath & Sendable)? {
        properties.firstIndex { $0.name == name }.map { keyPaths[$0] }
    }

    /// Where a key path is, or would be put.
    private func bucket(of keyPath: AnyKeyPath) -> Int {
        let mask = buckets.count - 1
        var bucket = keyPath.hashValue & mask
        while buckets[bucket] >= 0 && keyPaths[buckets[bucket]] != keyPath {
            bucket = (bucket + 1) & mask
        }
        return bucket
    }

    private mutating func grow() {
        buckets = [Int](repeating: -1, count: buckets.count * 2)
        for (place, keyPath) in keyPaths.enumerated() { buckets[bucket(of: keyPath)] = place }
    }
}
