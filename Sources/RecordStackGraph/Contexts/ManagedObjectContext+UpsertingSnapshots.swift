package import RecordStackModel

extension ManagedObjectContext {
    /// The number of snapshots that are looked up together.
    private static var batch: Int { 1_000 }

    /// Updates the objects of snapshots, and creates the missing ones.
    package func upsert<Entity: ManagedObject>(
        _ type: Entity.Type, _ snapshots: some Sequence<Snapshot<Entity>>
    ) throws -> UpsertSummary {
        try enter()
        var summary = UpsertSummary()
        var batch: [Snapshot<Entity>] = []
        func resolve() throws {
            var upsert = try SnapshotUpsert(batch, in: self)
            for snapshot in batch { try upsert.apply(snapshot, &summary) }
            batch.removeAll(keepingCapacity: true)
        }
        for snapshot in snapshots {
            batch.append(snapshot)
            if batch.count == Self.batch { try resolve() }
        }
        if !batch.isEmpty { try resolve() }
        return summary
    }
}

/// A batch of snapshots and the objects that were found for them.
///
/// It runs one statement for the objects with the snapshots' IDs, one for each hierarchy that the
/// snapshots refer to, and one for each entity that it looks up by identity.
private struct SnapshotUpsert<Entity: ManagedObject> {
    private let context: ManagedObjectContext
    private let model: ManagedObjectModel
    /// The objects with the snapshots' IDs.
    private var known: [ManagedObjectID: ManagedObject] = [:]
    /// The lookups by identity, for snapshots whose IDs match no object here.
    private var lookups: [Int: ObjectLookup<ManagedObject>] = [:]
    /// The keys of the existing objects that the snapshots refer to, by hierarchy.
    private var targets: [Int: Set<Int64>] = [:]
    /// The target objects, kept alive together with their loaded values.
    private var targetObjects: [ManagedObject] = []

    init(_ snapshots: [Snapshot<Entity>], in context: ManagedObjectContext) throws {
        self.context = context
        model = context.coordinator.model
        let own = try snapshots.filter { try isOwn($0) }
        for object in try objects(of: own) { known[object.objectID] = object }
        try findTargets(of: own)
        var keys: [Int: [LookupKey]] = [:]
        for snapshot in snapshots where known[snapshot.objectID] == nil {
            let entity = try model.requireIndex(of: snapshot.entity)
            if let key = identity(of: snapshot) { keys[entity, default: []].append(key) }
        }
        for (entity, keys) in keys {
            // There is a key, so the entity has an identity.
            let slot = model.modelEntities[entity].description.identity!.slot
            let lookup = try ObjectLookup<ManagedObject>(
                of: context.types[entity], in: context, slots: [slot])
            try lookup.prepare(keys)
            lookups[entity] = lookup
        }
    }

    /// Whether a snapshot is of an object in this store.
    private func isOwn(_ snapshot: Snapshot<Entity>) throws -> Bool {
        let entity = try model.requireIndex(of: snapshot.entity)
        return snapshot.objectID.storeUUID == context.coordinator.storeUUID(of: entity)
    }

    private func objects(of snapshots: [Snapshot<Entity>]) throws -> [ManagedObject] {
        guard let first = snapshots.first else { return [] }
        // All snapshots are of one entity or its subentities, so they share a hierarchy.
        let entity = try model.requireIndex(of: first.entity)
        let keys = Set(snapshots.map(\.objectID.key)).sorted()
        let root = context.coordinator.rootEntity(of: entity)
        return try context.queries.fetch(.keys(keys, entity: root), as: ManagedObject.self)
    }

    private func references(
        of snapshot: Snapshot<Entity>
    ) -> [(relationship: RelationshipDescription, slot: Int, key: Int64)] {
        snapshot.entity.relationships.compactMap { relationship in
            guard let slot = relationship.slot else { return nil }
            guard case .integer(let key) = snapshot.values[slot] else {
                return (relationship, slot, 0)
            }
            return (relationship, slot, key)
        }
    }

    private mutating func findTargets(of snapshots: [Snapshot<Entity>]) throws {
        var wanted: [Int: Set<Int64>] = [:]
        for snapshot in snapshots {
            for (relationship, _, key) in references(of: snapshot) where key != 0 {
                let entity = try model.requireIndex(of: relationship.destination)
                wanted[model.modelEntities[entity].hierarchy, default: []].insert(key)
            }
        }
        for (hierarchy, keys) in wanted {
            let request = StoreRequest.keys(
                keys.sorted(), entity: model.hierarchies[hierarchy].root)
            let found = try context.queries.fetch(request, as: ManagedObject.self)
            targets[hierarchy] = Set(found.map(\.keyValue))
            targetObjects += found
        }
    }

    private func identity(of snapshot: Snapshot<Entity>) -> LookupKey? {
        snapshot.entity.identity.flatMap { LookupKey(snapshot.values[$0.slot]) }
    }

    mutating func apply(
        _ snapshot: Snapshot<Entity>, _ summary: inout UpsertSummary
    ) throws {
        let entity = try model.requireIndex(of: snapshot.entity)
        let references = try isOwn(snapshot) ? references(of: snapshot) : []
        for reference in references { try check(reference, of: snapshot) }
        let found = try object(of: snapshot, entity: entity)
        let object = try found ?? context.create(context.types[entity])
        if found == nil { summary.inserted += 1 } else { summary.matched += 1 }
        let values = snapshot.entity.attributes.map {
            (slot: $0.slot, value: snapshot.values[$0.slot])
        }
        _ = try context.assign(values, to: object)
        for (_, slot, key) in references where object.storedKey(at: slot) != key {
            object.setReference(key, at: slot)
        }
        if found == nil { known[snapshot.objectID] = object }
        lookups[entity]?.keep(object)
    }

    private func object(
        of snapshot: Snapshot<Entity>, entity: Int
    ) throws -> ManagedObject? {
        if let object = known[snapshot.objectID],
            !object.has(ObjectFlags.deleted | ObjectFlags.detached)
        {
            return object
        }
        guard let key = identity(of: snapshot) else { return nil }
        return try lookups[entity]?.object(for: key)
    }

    private func check(
        _ reference: (relationship: RelationshipDescription, slot: Int, key: Int64),
        of snapshot: Snapshot<Entity>
    ) throws {
        if reference.key == 0 { return }
        let destination = try model.requireIndex(of: reference.relationship.destination)
        let hierarchy = model.modelEntities[destination].hierarchy
        if targets[hierarchy]?.contains(reference.key) == true { return }
        let id = context.coordinator.objectID(entity: destination, key: reference.key)
        throw RecordStackError(
            .notFound,
            "\(snapshot.entity.name).\(reference.relationship.name) of the snapshot of \(snapshot.objectID) refers to "
                + "\(id), which the context “\(context.name)” does not see. Save it first.",
            objectID: id, property: reference.relationship.name)
    }
}
