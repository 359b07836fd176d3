import Synchronization

/// An entity's properties by their key paths.
///
/// Nothing is made of the key paths before somebody asks for one: the first of each type of value
/// makes the runtime set up three classes, and a program that starts seldom asks for more than one.
/// It is no dictionary for the reason that ``IdentityTable`` gives.
struct PropertyTable: Sendable {
    typealias Property = EntityDescription.Property

    struct Entry: Sendable {
        let keyPath: @Sendable () -> any AnyKeyPath & Sendable
        /// The type of the property's values.
        let valueType: ObjectIdentifier
        let property: Property
    }

    private let groups: [PropertyGroup]

    init(_ entries: [Entry]) {
        var types: [ObjectIdentifier] = []
        for entry in entries where !types.contains(entry.valueType) {
            types.append(entry.valueType)
        }
        groups = types.map { type in
            PropertyGroup(valueType: type, entries: entries.filter { $0.valueType == type })
        }
    }

    /// The last property that was listed under a key path.
    subscript(keyPath: AnyKeyPath) -> Property? {
        let valueType = ObjectIdentifier(type(of: keyPath).valueType)
        for group in groups where group.valueType == valueType { return group[keyPath] }
        return nil
    }
}

/// The properties whose values have one type.
private final class PropertyGroup: Sendable {
    let valueType: ObjectIdentifier
    private let entries: [PropertyTable.Entry]
    private let keyPaths = AtomicLazyReference<KeyPathList>()

    init(valueType: ObjectIdentifier, entries: [PropertyTable.Entry]) {
        self.valueType = valueType
        self.entries = entries
    }

    subscript(keyPath: AnyKeyPath) -> EntityDescription.Property? {
        // Two threads may make the list at the same time; one of the lists stays.
        let list =
            keyPaths.load() ?? keyPaths.storeIfNil(KeyPathList(entries.map { $0.keyPath() }))
        return list.place(of: keyPath).map { entries[$0].property }
    }
}

/// Key paths and their places.
private final class KeyPathList: Sendable {
    private let keyPaths: [any AnyKeyPath & Sendable]
    /// Open addressing: places, −1 for none. Empty where there are few.
    private let buckets: [Int]

    /// Hashing a key path takes as long as comparing it with so many.
    private static let few = 8

    init(_ keyPaths: [any AnyKeyPath & Sendable]) {
        self.keyPaths = keyPaths
        var buckets: [Int] = []
        if keyPaths.count > Self.few {
            buckets = [Int](repeating: -1, count: keyPaths.count * 2)
            for (place, keyPath) in keyPaths.enumerated() {
                buckets[Self.bucket(of: keyPath, buckets, keyPaths)] = place
            }
        }
        self.buckets = buckets
    }

    /// The last place of a key path.
    func place(of keyPath: AnyKeyPath) -> Int? {
        if buckets.isEmpty { return keyPaths.lastIndex { $0 == keyPath } }
        let place = buckets[Self.bucket(of: keyPath, buckets, keyPaths)]
        return place < 0 ? nil : place
    }

    /// Where a key path is, or would be put.
    private static func bucket(
        of keyPath: AnyKeyPath, _ buckets: [Int], _ keyPaths: [any AnyKeyPath & Sendable]
    ) -> Int {
        var bucket = Int(UInt(bitPattern: keyPath.hashValue) % UInt(buckets.count))
        while buckets[bucket] >= 0 && keyPaths[buckets[bucket]] != keyPath {
            bucket = (bucket + 1) % buckets.count
        }
        return bucket
    }
}
