import Synchronization

/// The properties of an entity by their key paths.
///
/// Opening a store needs no key path, and the first key path of each type costs a process many
/// microseconds. The table therefore creates key paths on demand. Each of the first lookups creates
/// only the key paths with the value type of the key path that it looks up. The next lookup creates
/// a hash table of all key paths.
final class PropertyTable: Sendable {
    typealias Property = EntityDescription.Property

    private let entries: [Entry]
    private let lookUps = Atomic(0)
    /// The hash table of all key paths, once it exists.
    ///
    /// This object owns one reference to it, which `deinit` releases.
    private let table = Atomic<Unmanaged<KeyPathTable>?>(nil)

    struct Entry: Sendable {
        let keyPath: PropertyKeyPath
        let property: Property

        fileprivate var attributeSlot: AttributeSlot? {
            guard case .attribute(let attribute) = property else { return nil }
            return AttributeSlot(slot: attribute.slot, collation: attribute.type.collation)
        }
    }

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    deinit {
        table.load(ordering: .acquiring)?.release()
    }

    subscript(keyPath: AnyKeyPath) -> Property? {
        index(of: keyPath).map { entries[$0].property }
    }

    func attributeSlot(at keyPath: AnyKeyPath) -> AttributeSlot? {
        if let table = table.load(ordering: .acquiring) {
            return table._withUnsafeGuaranteedRef { $0.attributeSlot(at: keyPath) }
        }
        return index(of: keyPath).flatMap { entries[$0].attributeSlot }
    }

    private func index(of keyPath: AnyKeyPath) -> Int? {
        if let table = table.load(ordering: .acquiring) {
            return table._withUnsafeGuaranteedRef { $0.index(of: keyPath) }
        }
        let known = lookUps.add(1, ordering: .relaxed).oldValue
        return known < Self.searches ? search(keyPath) : makeTable().index(of: keyPath)
    }

    /// The number of lookups that work without the hash table.
    private static var searches: Int { 4 }

    private func makeTable() -> KeyPathTable {
        let made = Unmanaged.passRetained(KeyPathTable(entries))
        let (isFirst, other) = table.compareExchange(
            expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard !isFirst, let other else { return made.takeUnretainedValue() }
        // Another thread has stored its table first.
        made.release()
        return other.takeUnretainedValue()
    }

    private func search(_ keyPath: AnyKeyPath) -> Int? {
        let type = Swift.type(of: keyPath).valueType
        return entries.firstIndex { entry in
            entry.keyPath.valueType() == type && entry.keyPath.make() == keyPath
        }
    }

    /// Returns the to-many relationship that a key path counts, such as `\Team.members.count`.
    func countedRelationship(at keyPath: AnyKeyPath) -> RelationshipDescription? {
        for entry in entries {
            guard case .relationship(let relationship) = entry.property,
                let many = entry.keyPath.valueType() as? any ToManyRelationship.Type
            else { continue }
            let members: AnyKeyPath = entry.keyPath.make()
            if members.appending(path: many.countKeyPath) != keyPath { continue }
            return relationship
        }
        return nil
    }

    func keyPath(named name: String) -> (any AnyKeyPath & Sendable)? {
        entries.first { $0.property.name == name }?.keyPath.make()
    }
}

/// A property's key path, which is created on demand.
struct PropertyKeyPath: Sendable {
    let make: @Sendable () -> any AnyKeyPath & Sendable
    /// Returns the type of the key path's value.
    ///
    /// It is a closure, because naming an optional type for the first time has a cost, too.
    let valueType: @Sendable () -> Any.Type

    init<Root, Value>(_ make: @escaping @Sendable () -> any KeyPath<Root, Value> & Sendable) {
        self.make = { make() }
        valueType = { Value.self }
    }
}

/// Finds the index of an entity's property by its key path.
///
/// If two properties have the same key path, it finds the first one. It replaces a dictionary, for
/// the reason given at ``IdentityTable``.
private final class KeyPathTable: Sendable {
    private let keyPaths: [any AnyKeyPath & Sendable]
    /// The slots of the attributes, one element for each property; nil for a relationship.
    private let attributeSlots: [AttributeSlot?]
    /// The indices of the key paths, in open addressing; −1 marks an empty bucket.
    ///
    /// The number of buckets is a power of two. At least half of them are empty.
    private let buckets: [Int]

    init(_ entries: [PropertyTable.Entry]) {
        var size = 16
        while size < entries.count * 2 { size *= 2 }
        let keyPaths = entries.map { $0.keyPath.make() }
        var buckets = [Int](repeating: -1, count: size)
        for (index, keyPath) in keyPaths.enumerated() {
            let bucket = Self.bucket(of: keyPath, buckets, keyPaths)
            if buckets[bucket] < 0 { buckets[bucket] = index }
        }
        (self.keyPaths, self.buckets) = (keyPaths, buckets)
        attributeSlots = entries.map(\.attributeSlot)
    }

    func attributeSlot(at keyPath: AnyKeyPath) -> AttributeSlot? {
        index(of: keyPath).flatMap { attributeSlots[$0] }
    }

    func index(of keyPath: AnyKeyPath) -> Int? {
        let index = buckets[Self.bucket(of: keyPath, buckets, keyPaths)]
        return index < 0 ? nil : index
    }

    /// Returns the bucket of a key path, or the empty bucket where it belongs.
    private static func bucket(
        of keyPath: AnyKeyPath, _ buckets: [Int], _ keyPaths: [any AnyKeyPath & Sendable]
    ) -> Int {
        let mask = buckets.count - 1
        var bucket = keyPath.hashValue & mask
        while buckets[bucket] >= 0 && keyPaths[buckets[bucket]] != keyPath {
            bucket = (bucket + 1) & mask
        }
        return bucket
    }
}
