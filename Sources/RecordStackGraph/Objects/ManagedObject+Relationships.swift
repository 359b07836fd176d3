import RecordStackModel

extension ManagedObject {
    /// The object that a to-one relationship leads to. Generated getters call it.
    ///
    /// An object that the context does not hold yet comes as a fault.
    @inlinable
    public final func toOne<Destination: ManagedObject>(
        at slot: Int, key: Int64, as type: Destination.Type = Destination.self
    ) -> Destination? {
        if key == 0 { return nil }
        guard let object = destination(key, type) else { return nil }
        // Most objects are of the very class that was declared; a cast looks at more.
        if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
        return object as? Destination
    }

    /// The object of a key, found or made. Not inlined: the object has to be held before the gate is
    /// left, and an optimizer that sees both the holding and the letting go drops them.
    ///
    /// It releases nothing that the caller can see, as the slow paths of attributes do: it finds an
    /// object or makes one.
    @_effects(releasenone) @inline(never) @usableFromInline
    final func destination(_ key: Int64, _ type: ManagedObject.Type) -> ManagedObject? {
        if has(ObjectFlags.detached) { return nil }
        if let known = anchor.registered(key, of: type), !known.has(ObjectFlags.deleted) {
            return known
        }
        return destinationAnywhere(key, type)
    }

    private final func destinationAnywhere(
        _ key: Int64, _ type: ManagedObject.Type
    ) -> ManagedObject? {
        guard let context = managedObjectContext else { return nil }
        do {
            let entity = try context.coordinator.types.index(of: type)
            context.remember(context.table(of: entity), of: type)
            return try context.objectOrFault(key: key, entity: entity)
        } catch {
            context.report(error)
            return nil
        }
    }

    /// Changes a to-one relationship, and the other side with it. Generated setters call it.
    /// - Precondition: both objects are of the same context.
    /// - Returns: the key to keep.
    public final func changeToOne(at slot: Int, to object: ManagedObject?) -> Int64 {
        willAccessValue()
        let old = storedKey(at: slot)
        if let object { requireSameContext(as: object) }
        let key = keyOfLiving(object, at: slot)
        if !isWritten(slot) { keepOldValue(key: old, of: slot) }
        if !anchor.loadedMembers.isEmpty, !has(ObjectFlags.deleted), let context = anchor.context {
            for reference in context.backReferences(of: context.entityIndex(of: self))
            where reference.slot == slot {
                context.moveMember(keyValue, from: old, to: key, reference.relation)
            }
        }
        return key
    }

    /// Stops the program where an object of another context comes in: a relationship keeps keys, and
    /// this context would take the other's changes for its own.
    final func requireSameContext(as object: ManagedObject) {
        if object.anchor === anchor { return }
        // Documented at each call that leads here: a setter cannot throw, and precondition would say
        // nothing in a release build.
        fatalError(
            "\(object.objectID) of \(object.home) was related to \(objectID) of \(home). Find it in "
                + "the same context first: context.object(other.objectID).")
    }

    private final var home: String {
        managedObjectContext.map { "the context “\($0.name)”" } ?? "no context any more"
    }

    /// Nothing can refer to an object that is to be deleted. A setter cannot throw.
    private final func keyOfLiving(_ object: ManagedObject?, at slot: Int) -> Int64 {
        guard let object else { return 0 }
        if !object.has(ObjectFlags.deleted | ObjectFlags.detached) { return object.keyValue }
        let name = Self.entityDescription.slots[slot].name
        anchor.context?.report(
            RecordStackError(
                .misuse,
                "\(name) of \(objectID) was set to \(object.objectID), which is deleted. It is nil now.",
                objectID: objectID, property: name))
        return 0
    }

    private final func keepOldValue(key: Int64, of slot: Int) {
        keepOldValue(key == 0 ? .null : .integer(key), of: slot)
    }

    /// The slot of the members' to-one relationship that leads back to this object.
    final func inverseSlot(of relationship: Int) -> Int? {
        guard let context = managedObjectContext else { return nil }
        let model = context.coordinator.model
        let mine = model.modelEntities[context.entityIndex(of: self)].relationships[relationship]
        return mine.inverse.flatMap {
            model.modelEntities[mine.destination].relationships[$0].slot
        }
    }

    /// The keys of a to-many relationship's members; empty where they cannot be loaded.
    final func memberKeys(_ relationship: Int) -> ContiguousArray<Int64> {
        if let known = recordValue?.members[relationship] { return known.keys }
        guard let context = managedObjectContext else { return [] }
        do {
            return try context.loadMembers(of: self, relationship)
        } catch {
            context.report(error)
            return []
        }
    }

    /// The members of a to-many relationship; empty where they cannot be loaded.
    final func members(_ relationship: Int) -> [ManagedObject] {
        let keys = memberKeys(relationship)
        guard !keys.isEmpty, let context = managedObjectContext else { return [] }
        do {
            return try context.members(keys, of: self, relationship)
        } catch {
            context.report(error)
            return []
        }
    }
}

extension ManagedObjectContext {
    private func destination(of owner: ManagedObject, _ relationship: Int) -> Int {
        coordinator.model.modelEntities[entityIndex(of: owner)].relationships[relationship]
            .destination
    }

    /// Loads the keys of a to-many relationship's members, and keeps them up to date from then on.
    func loadMembers(
        of owner: ManagedObject, _ relationship: Int
    ) throws -> ContiguousArray<Int64> {
        guard let slot = owner.inverseSlot(of: relationship) else { return [] }
        let entity = destination(of: owner, relationship)
        let table = table(of: entity)
        let path = FilterPath(slot: slot)
        var request = StoreRequest(
            entity: entity, filter: .compare(path, .equal, .integer(owner.keyValue)))
        let sink = KeySink(hidden: Set(table.differingKeys))
        // Nothing is merged here: reading a property does not change others.
        request.excluding = []
        try withReader { try $0.rows(request, into: sink) }
        for object in differingObjects(of: entity)
        where !object.has(ObjectFlags.deleted) && object.storedKey(at: slot) == owner.keyValue {
            sink.keys.append(object.keyValue)
        }
        let hierarchy = coordinator.model.modelEntities[entityIndex(of: owner)].hierarchy
        loadedMembers.add(
            owner.keyValue,
            MemberRegistry.Relation(hierarchy: hierarchy, relationship: relationship))
        owner.record.members[relationship] = MemberKeys(sink.keys)
        return sink.keys
    }

    /// The objects of members' keys, those that are missing loaded with one statement.
    func members(
        _ keys: ContiguousArray<Int64>, of owner: ManagedObject, _ relationship: Int
    ) throws -> [ManagedObject] {
        let entity = destination(of: owner, relationship)
        let table = table(of: entity)
        let missing = keys.filter { table.object($0).map(\.isFault) ?? true }
        var held: [ManagedObject] = []
        if !missing.isEmpty {
            let sink = FetchSink(
                context: self, entity: entity, skipsDiffering: true, expected: missing.count)
            try withReader { reader in
                try reader.rows(
                    .keys(Array(missing), entity: coordinator.rootEntity(of: entity)), into: sink)
            }
            // Held until the caller has them, so that no sweep takes them.
            held = sink.takeResults(as: ManagedObject.self)
        }
        return withExtendedLifetime(held) { keys.compactMap { table.object($0) } }
    }
}

/// Collects keys without making objects.
private final class KeySink: RowSink {
    let hidden: Set<Int64>
    var keys: ContiguousArray<Int64> = []

    init(hidden: Set<Int64>) {
        self.hidden = hidden
    }

    func wants(key: Int64, version: Int64, entity: Int) -> Bool {
        if !hidden.contains(key) { keys.append(key) }
        return false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: Int64, entity: Int) throws {}
}
