/// An entity's properties by their key paths.
///
/// Instead of a dictionary, for the reason that ``IdentityTable`` gives; and because hashing a key
/// path takes longer than comparing it with the few that an entity has: most differ by their type.
struct PropertyTable: Sendable {
    typealias Property = EntityDescription.Property

    private var keyPaths: [any AnyKeyPath & Sendable] = []
    private var properties: [Property] = []
    /// Open addressing: places, −1 for none. Empty while there are few.
    private var buckets: [Int] = []

    /// How many properties are looked through one after the other.
    private static let few = 16

    mutating func add(_ keyPath: any AnyKeyPath & Sendable, _ property: Property) {
        keyPaths.append(keyPath)
        properties.append(property)
        if keyPaths.count <= Self.few { return }
        if keyPaths.count * 2 > buckets.count {
            buckets = [Int](repeating: -1, count: Self.few * 2 + keyPaths.count * 4)
            for place in keyPaths.indices { enter(place) }
        } else {
            enter(keyPaths.count - 1)
        }
    }

    /// The last property that was added under a key path.
    subscript(keyPath: AnyKeyPath) -> Property? {
        if buckets.isEmpty {
            return keyPaths.lastIndex { $0 == keyPath }.map { properties[$0] }
        }
        let place = buckets[bucket(of: keyPath)]
        return place < 0 ? nil : properties[place]
    }

    private mutating func enter(_ place: Int) {
        buckets[bucket(of: keyPaths[place])] = place
    }

    /// Where a key path is, or would be put.
    private func bucket(of keyPath: AnyKeyPath) -> Int {
        var bucket = Int(UInt(bitPattern: keyPath.hashValue) % UInt(buckets.count))
        while buckets[bucket] >= 0 && keyPaths[buckets[bucket]] != keyPath {
            bucket = (bucket + 1) % buckets.count
        }
        return bucket
    }
}
