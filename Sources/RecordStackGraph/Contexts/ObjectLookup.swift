package import RecordStackModel

/// A key for looking up objects: the values of one or several slots, none of them null.
package struct LookupKey: Hashable {
    private enum Values: Equatable {
        case one(StoredValue)
        // Indirect, because several values are rare and tables of keys are large.
        indirect case several([StoredValue])
    }

    private let values: Values
    /// The hash of the values, computed once because a key is looked up in several tables.
    private let hash: Int

    private init(_ values: Values) {
        self.values = values
        var hasher = Hasher()
        switch values {
        case .one(let value): value.hash(into: &hasher)
        case .several(let values): values.hash(into: &hasher)
        }
        hash = hasher.finalize()
    }

    /// Creates a key, or returns nil if a value is null: such a key matches no object.
    package init?(_ values: StoredValue...) { self.init(values) }

    /// Creates a key, or returns nil if a value is null or the array is empty.
    package init?(_ values: [StoredValue]) {
        if values.isEmpty || values.contains(where: \.isNull) { return nil }
        self.init(values.count == 1 ? .one(values[0]) : .several(values))
    }

    /// Creates a key, or returns nil for null.
    package init?(_ value: StoredValue) {
        if value.isNull { return nil }
        self.init(.one(value))
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package static func == (left: LookupKey, right: LookupKey) -> Bool {
        left.hash == right.hash && left.values == right.values
    }

    subscript(index: Int) -> StoredValue {
        switch values {
        case .one(let value): value
        case .several(let values): values[index]
        }
    }
}

/// Finds unsaved and stored objects by their values in some slots, with one query for each batch.
///
/// It collects the unsaved objects once. Report later changes with ``keep(_:as:)``.
package struct ObjectLookup<Entity: ManagedObject> {
    // Not generic, because an import searches the table for every row.
    private let table: LookupTable

    /// - Parameter slots: One slot or more.
    package init(of type: Entity.Type, in context: ManagedObjectContext, slots: [Int]) throws {
        table = try LookupTable(of: type, in: context, slots: slots)
    }

    /// Finds the objects with the keys of a batch, with one query at most.
    package func prepare(_ keys: some Sequence<LookupKey>) throws {
        table.beginBatch()
        for key in keys { table.want(key) }
        try table.prepare()
    }

    /// Returns the object with a key of the batch, or nil if it does not exist or was deleted.
    ///
    /// If several objects have the key, returns the one with the smallest ID.
    package func object(for key: LookupKey) throws -> Entity? {
        // The table's objects are of the class or of one that inherits from it.
        try table.object(for: key).map { unsafeDowncast($0, to: Entity.self) }
    }

    /// Records an object that was created or changed.
    ///
    /// - Parameter known: The object's key, if the caller knows it.
    package func keep(_ object: Entity, as known: LookupKey? = nil) {
        table.keep(object, as: known)
    }

    /// Reserves space for a number of objects to keep.
    package func reserve(_ count: Int) { table.reserve(count) }
}

/// The code that can change objects between the calls of a ``LookupTable``.
package enum LookupNeighbors {
    /// Only the caller's code, which keeps every object that it changes.
    case none
    /// The caller's code and life-cycle hooks, which can change any object.
    case hooks
    /// The caller's code, and code of the program that changes only the object that is kept next.
    case callers
}

/// The objects of an entity by their keys: ``ObjectLookup`` for callers without the class.
package final class LookupTable {
    private let context: ManagedObjectContext
    private let entity: Int
    private let slots: [Int]
    /// Whether each key belongs to one object at most.
    private let isUnique: Bool
    // @exclusivity(unchecked): one caller uses a lookup in one isolation, and no closure runs
    // during an access.

    /// The objects that the caller has created or changed.
    @exclusivity(unchecked) private var pending: [LookupKey: ManagedObject] = [:]
    /// True if objects that the caller has not kept can be dirty.
    ///
    /// The context's indexes must then be searched as well.
    private let hasEarlier: Bool
    /// True if no code of the program runs between the caller's calls.
    private let isAlone: Bool
    /// The changes after which the indexes must be searched again for a key of the batch.
    @exclusivity(unchecked) private var unkept = UnkeptChanges()
    private let table: EntityTable
    /// The indexes of the last batch's keys.
    @exclusivity(unchecked) private var batchIndexes: [LookupKey: Int] = [:]
    /// The stored objects with these keys; other code may have changed them since.
    @exclusivity(unchecked) private var stored: ContiguousArray<ManagedObject?> = []
    /// The number of keys in the batch that were already looked up.
    @exclusivity(unchecked) private var preparedCount = 0
    /// True if the last query found no object.
    @exclusivity(unchecked) private var foundNothing = false

    /// - Parameter others: The code that may change objects without keeping them.
    package init(
        of type: ManagedObject.Type, in context: ManagedObjectContext, slots: [Int],
        beside others: LookupNeighbors = .callers
    ) throws {
        self.context = context
        self.slots = slots
        entity = try context.coordinator.types.index(of: type)
        isUnique = type.entityDescription.uniqueGroups.contains { Set($0.slots) == Set(slots) }
        let table = context.table(of: entity)
        self.table = table
        let awakening: LifeCycleHooks = [.awakeFromInsert, .awakeFromFetch]
        isAlone = others == .none && context.coordinator.types.allHooks.isDisjoint(with: awakening)
        let isDirty = try context.reading { _ in table.hasDiffering }
        hasEarlier = isDirty || others != .callers && !isAlone
    }

    /// Returns the dirty object with a key; of several, the one with the smallest ID.
    ///
    /// - Parameter isKnown: True if the indexes were searched for the key and the result still
    ///   holds.
    private func pendingObject(of key: LookupKey, isKnown: Bool = false) throws -> ManagedObject? {
        let kept = try match(key, in: pending)
        guard hasEarlier, !isKnown, let earlier = try earlierObject(of: key) else { return kept }
        guard let kept else { return earlier }
        return kept.keyValue < earlier.keyValue ? kept : earlier
    }

    private func earlierObject(of key: LookupKey) throws -> ManagedObject? {
        if !unkept.areSome, slots.count == 1,
            let index = table.pending?.indexAsItIs(
                of: PendingIndex.Subject(entity: entity, slot: slots[0]))
        {
            return try index.first(of: key[0], in: table) { try isMatch($0, key) }
        }
        if slots.count == 1 {
            return try context.queries.pendingObject(entity, slots[0], key[0]) {
                try isMatch($0, key)
            }
        }
        let path = { (slot: Int) in FilterPath(slot: slot) }
        let terms = slots.enumerated().map { Filter.Node.compare(path($1), .equal, key[$0]) }
        let request = StoreRequest(entity: entity, filter: .allOf(terms))
        return try context.queries.pendingObject(of: request) { try isMatch($0, key) }
    }

    /// Forgets the keys of the last batch and their objects.
    package func beginBatch() {
        preparedCount = 0
        batchIndexes.removeAll(keepingCapacity: true)
        stored.removeAll(keepingCapacity: true)
    }

    /// Adds a key to the batch.
    ///
    /// - Returns: The key's index in the batch, for ``object(for:at:)``.
    @discardableResult
    package func want(_ key: LookupKey) -> Int {
        let next = batchIndexes.count
        return Self.setIfNew(&batchIndexes[key, default: -1], to: next)
    }

    /// Sets an index if it is new, with one search of the dictionary.
    private static func setIfNew(_ index: inout Int, to next: Int) -> Int {
        if index < 0 { index = next }
        return index
    }

    /// Finds the objects with the keys that were added since the last call, with one query at most.
    package func prepare() throws {
        let first = preparedCount
        preparedCount = batchIndexes.count
        if first == batchIndexes.count { return }
        // After a query that found nothing, the store is often empty, which a shorter query finds
        // out.
        let hasNoRows = try foundNothing && isStoreEmpty()
        if hasNoRows && !hasEarlier { return }
        var wanted =
            first == 0
            ? Array(batchIndexes.keys) : batchIndexes.filter { $1 >= first }.map(\.key)
        if hasEarlier { unkept.note(in: table) }
        if hasEarlier || isUnique && !pending.isEmpty {
            wanted = try wanted.filter { key in
                guard let object = try pendingObject(of: key) else { return true }
                // The query can merge a save, after which the object is clean and no longer
                // indexed.
                pending[key] = object
                return !isUnique
            }
        }
        // Earlier keys of the batch are not searched for again.
        if isAlone && hasEarlier && first == 0 { unkept.begin(table) }
        if hasNoRows || wanted.isEmpty { return }
        stored.append(contentsOf: repeatElement(nil, count: batchIndexes.count - stored.count))
        foundNothing = true
        var request = StoreRequest(entity: entity, filter: filter(wanted))
        request.isOrdered = false
        for object in try context.storedObjects(request) {
            if object.isFault { try context.ensureLoaded(object) }
            guard let index = key(of: object).flatMap({ batchIndexes[$0] }) else { continue }
            foundNothing = false
            // Of several objects, keep the one with the smallest ID.
            if let known = stored[index], known.keyValue < object.keyValue { continue }
            stored[index] = object
        }
    }

    private func isStoreEmpty() throws -> Bool {
        try context.reading { reader in
            let sink = FirstKey()
            try reader.keys(StoreRequest(entity: entity, limit: 1), into: sink)
            return !sink.isFound
        }
    }

    /// Returns the object with a key, or nil if it does not exist.
    ///
    /// - Parameter index: The key's index in the batch. If it is nil, the key is looked up.
    package func object(for key: LookupKey, at index: Int? = nil) throws -> ManagedObject? {
        if hasEarlier { unkept.note(in: table) }
        let first = try pendingObject(
            of: key, isKnown: !unkept.areSome && index.map { $0 < preparedCount } ?? false)
        guard let index = index ?? (stored.isEmpty ? nil : batchIndexes[key]), index < stored.count,
            let second = stored[index], try isMatch(second, key)
        else { return first }
        guard let first else { return second }
        return first.keyValue < second.keyValue ? first : second
    }

    package func keep(_ object: ManagedObject, as known: LookupKey?) {
        if hasEarlier { unkept.note(in: table, kept: object.keyValue) }
        // A clean object is found in the store again.
        guard object.has(ObjectFlags.differs), let key = known ?? key(of: object) else { return }
        Self.add(object, for: key, to: &pending)
    }

    package func reserve(_ count: Int) { pending.reserveCapacity(count) }

    private static func add(
        _ object: ManagedObject, for key: LookupKey, to objects: inout [LookupKey: ManagedObject]
    ) {
        guard let known = objects.updateValue(object, forKey: key) else { return }
        if known.keyValue < object.keyValue { objects[key] = known }
    }

    private func match(
        _ key: LookupKey, in objects: [LookupKey: ManagedObject]
    ) throws -> ManagedObject? {
        guard !objects.isEmpty, let object = objects[key] else { return nil }
        return try isMatch(object, key) ? object : nil
    }

    private func isMatch(_ object: ManagedObject, _ key: LookupKey) throws -> Bool {
        // The code that fills objects may have changed or deleted this one.
        if object.has(ObjectFlags.deleted | ObjectFlags.detached) { return false }
        try context.ensureLoaded(object)
        if object.isFault { return false }
        // Compares the values without building a key, which would be hashed for nothing.
        return slots.indices.allSatisfy { index in
            object.isSet(at: slots[index]) && object.storedValue(at: slots[index]) == key[index]
        }
    }

    private func key(of object: ManagedObject) -> LookupKey? {
        if object.isFault { return nil }
        for slot in slots where !object.isSet(at: slot) { return nil }
        if slots.count == 1 { return LookupKey(object.storedValue(at: slots[0])) }
        return LookupKey(slots.map { object.storedValue(at: $0) })
    }
}

extension LookupTable {
    /// Returns the condition that an object has one of some keys.
    private func filter(_ keys: [LookupKey]) -> Filter.Node {
        if slots.count == 1 { return .among(FilterPath(slot: slots[0]), keys.map { $0[0] }) }
        return filter(keys, at: slots.indices)
    }

    /// Groups the keys by the slot with the fewest values, so that the filter has few conditions.
    ///
    /// An index over all slots serves each condition.
    private func filter(_ keys: [LookupKey], at indexes: some Collection<Int>) -> Filter.Node {
        let groups = indexes.map { index in (index, Dictionary(grouping: keys) { $0[index] }) }
        // The caller passes at least one slot.
        let (index, byValue) = groups.min { $0.1.count < $1.1.count }!
        let path = FilterPath(slot: slots[index])
        let others = indexes.filter { $0 != index }
        if others.isEmpty { return .among(path, Array(byValue.keys)) }
        let conditions = byValue.map { value, keys in
            Filter.Node.and(.compare(path, .equal, value), filter(keys, at: others))
        }
        return Self.any(conditions[...])
    }

    /// Combines conditions into a tree of minimal depth, because filters are walked recursively.
    private static func any(_ nodes: ArraySlice<Filter.Node>) -> Filter.Node {
        if nodes.count == 1 { return nodes[nodes.startIndex] }
        let middle = nodes.startIndex + nodes.count / 2
        return .or(any(nodes[..<middle]), any(nodes[middle...]))
    }
}

/// Records whether there is any key.
private final class FirstKey: RowSink {
    private(set) var isFound = false

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        isFound = true
        return false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {}
}

extension ManagedObjectContext {
    /// Returns the existing objects that have the given IDs, with their values loaded.
    ///
    /// Runs one statement per entity for the objects that the context does not hold.
    package func objects(
        of ids: some Sequence<ManagedObjectID>
    ) throws -> [ManagedObjectID: ManagedObject] {
        var found: [ManagedObjectID: ManagedObject] = [:]
        var others: [Int: [Int64]] = [:]
        for id in ids {
            if let object = registeredObject(id) {
                try ensureLoaded(object)
                found[id] = object
            } else if let entity = coordinator.entity(of: id) {
                others[entity, default: []].append(id.key)
            }
        }
        for (entity, keys) in others {
            for object in try storedObjects(.keys(keys, entity: entity)) {
                found[object.objectID] = object
            }
        }
        return found
    }

    /// Returns the objects of a request's rows.
    ///
    /// Dirty objects are returned as they are, even if they no longer match the request.
    fileprivate func storedObjects(_ request: StoreRequest) throws -> [ManagedObject] {
        try reading { reader in
            let sink = FetchSink(
                context: self, entity: request.entity, skipsDiffering: true, expected: 1_000,
                collectsDiffering: true)
            try reader.rows(request, into: sink)
            return sink.takeResults(as: ManagedObject.self)
        }
    }
}
