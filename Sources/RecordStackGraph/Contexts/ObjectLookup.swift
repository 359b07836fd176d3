package import RecordStackModel

/// What an object is looked up by: its values in one or several slots, none of them null.
package enum LookupKey: Hashable {
    case one(StoredValue)
    // Rare, and kept out of the way of the other: tables of keys are large.
    indirect case several([StoredValue])

    /// Nil where there is a null among the values: such a key belongs to no object.
    package init?(_ values: StoredValue...) { self.init(values) }

    /// Nil where there is a null among the values, or no value.
    package init?(_ values: [StoredValue]) {
        if values.isEmpty || values.contains(where: \.isNull) { return nil }
        self = values.count == 1 ? .one(values[0]) : .several(values)
    }

    /// Nil for null.
    package init?(_ value: StoredValue) {
        if value.isNull { return nil }
        self = .one(value)
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .one(let value): value.hash(into: &hasher)
        case .several(let values): values.hash(into: &hasher)
        }
    }

    subscript(place: Int) -> StoredValue {
        switch self {
        case .one(let value): value
        case .several(let values): values[place]
        }
    }
}

/// Finds objects by their values in one or several slots, among what is pending and what is stored, with one query
/// for a batch of keys.
///
/// What was pending is gathered once. What is changed afterwards is told with ``keep(_:)``.
package struct ObjectLookup<Entity: ManagedObject> {
    private let context: ManagedObjectContext
    private let entity: Int
    private let slots: [Int]
    /// Whether no two objects have the same key.
    private let isUnique: Bool
    /// Objects that differ from the store.
    private var pending: [LookupKey: Entity] = [:]
    /// Objects of the last batch's keys, which are as the store has them.
    private var stored: [LookupKey: Entity] = [:]

    /// - Parameter slots: one or more.
    package init(of type: Entity.Type, in context: ManagedObjectContext, slots: [Int]) throws {
        self.context = context
        self.slots = slots
        entity = try context.coordinator.types.index(of: type)
        isUnique = type.entityDescription.uniqueGroups.contains { Set($0.slots) == Set(slots) }
        for object in try context.pendingObjects(of: type, entity: entity) {
            if let key = key(of: object) { Self.add(object, for: key, to: &pending) }
        }
    }

    /// Looks for the objects of a batch's keys, with one query at most.
    package mutating func prepare(_ keys: some Sequence<LookupKey>) throws {
        stored = [:]
        var wanted: Set<LookupKey> = []
        for key in keys {
            if isUnique, let known = pending[key], try isMatch(known, key) { continue }
            wanted.insert(key)
        }
        if wanted.isEmpty { return }
        let request = StoreRequest(entity: entity, filter: filter(wanted))
        for object in try context.storedObjects(request, as: Entity.self) {
            if let key = key(of: object) { Self.add(object, for: key, to: &stored) }
        }
    }

    /// The object of a key of the batch; of several, the one with the smallest ID. Nil where there is none, or no
    /// more.
    package func object(for key: LookupKey) throws -> Entity? {
        let first = try match(key, in: pending)
        guard let second = try match(key, in: stored) else { return first }
        guard let first else { return second }
        return first.keyValue < second.keyValue ? first : second
    }

    /// Takes note of an object that was made or changed.
    /// - Parameter known: the key that the object has, for a caller that knows it.
    package mutating func keep(_ object: Entity, as known: LookupKey? = nil) {
        // One that is as stored is found in the store again.
        guard object.has(ObjectFlags.differs), let key = known ?? key(of: object) else { return }
        Self.add(object, for: key, to: &pending)
    }

    private static func add(
        _ object: Entity, for key: LookupKey, to objects: inout [LookupKey: Entity]
    ) {
        guard let known = objects.updateValue(object, forKey: key) else { return }
        if known.keyValue < object.keyValue { objects[key] = known }
    }

    private func match(_ key: LookupKey, in objects: [LookupKey: Entity]) throws -> Entity? {
        guard !objects.isEmpty, let object = objects[key] else { return nil }
        return try isMatch(object, key) ? object : nil
    }

    private func isMatch(_ object: Entity, _ key: LookupKey) throws -> Bool {
        // Whoever fills objects in may have changed or deleted others.
        if object.has(ObjectFlags.deleted | ObjectFlags.detached) { return false }
        try context.ensureLoaded(object)
        return self.key(of: object) == key
    }

    private func key(of object: Entity) -> LookupKey? {
        if object.isFault { return nil }
        for slot in slots where !object.isSet(at: slot) { return nil }
        if slots.count == 1 { return LookupKey(object.storedValue(at: slots[0])) }
        return LookupKey(slots.map { object.storedValue(at: $0) })
    }
}

extension ObjectLookup {
    /// The condition that an object has one of some keys.
    private func filter(_ keys: Set<LookupKey>) -> Filter.Node {
        filter(Array(keys), at: slots.indices)
    }

    /// The fewer conditions, the better: the place with the fewest values comes first. Each condition is one that an
    /// index of all serves.
    private func filter(_ keys: [LookupKey], at places: some Collection<Int>) -> Filter.Node {
        let groups = places.map { place in (place, Dictionary(grouping: keys) { $0[place] }) }
        // There are slots, or it would not be called.
        let (place, byValue) = groups.min { $0.1.count < $1.1.count }!
        let path = FilterPath(slot: slots[place])
        let others = places.filter { $0 != place }
        if others.isEmpty { return .among(path, Array(byValue.keys)) }
        let conditions = byValue.map { value, keys in
            Filter.Node.and(.compare(path, .equal, value), filter(keys, at: others))
        }
        return Self.any(conditions[...])
    }

    /// As shallow as can be: filters are walked by functions that call themselves.
    private static func any(_ nodes: ArraySlice<Filter.Node>) -> Filter.Node {
        if nodes.count == 1 { return nodes[nodes.startIndex] }
        let middle = nodes.startIndex + nodes.count / 2
        return .or(any(nodes[..<middle]), any(nodes[middle...]))
    }
}

extension ManagedObjectContext {
    /// The objects of an entity that differ from the store, loaded, without those that are deleted.
    fileprivate func pendingObjects<Entity: ManagedObject>(
        of type: Entity.Type, entity: Int
    ) throws -> [Entity] {
        try reading { _ in
            try differingObjects(of: entity).compactMap { object in
                if object.has(ObjectFlags.deleted) { return nil }
                try ensureLoaded(object)
                // The entity's objects are of its class or of one that inherits from it.
                return unsafeDowncast(object, to: type)
            }
        }
    }

    /// The objects of a request that are as the store has them.
    fileprivate func storedObjects<Entity: ManagedObject>(
        _ request: StoreRequest, as type: Entity.Type
    ) throws -> [Entity] {
        try reading { reader in
            let sink = FetchSink(
                context: self, entity: request.entity, skipsDiffering: true, expected: 1_000)
            try reader.rows(request, into: sink)
            return sink.takeResults(as: type)
        }
    }
}
