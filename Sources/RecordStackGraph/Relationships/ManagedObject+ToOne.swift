import RecordStackModel

extension ManagedObject {
    /// Returns the object that a to-one relationship refers to.
    ///
    /// If the context does not hold the object, the result is a fault. Generated getters call this
    /// method.
    @inlinable
    public final func toOne<Destination: ManagedObject>(
        at slot: Int, key: Int64, as type: Destination.Type = Destination.self
    ) -> Destination? {
        if key == 0 { return nil }
        guard let object = destination(key, type, at: slot) else { return nil }
        // Most objects have exactly the declared class, which proves the downcast. A cast checks
        // more.
        if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
        return object as? Destination
    }

    /// Returns the object with a key, which it finds or creates.
    ///
    /// Not inlined: the object must be retained before the gate is left. An optimizer that sees
    /// both the retain and the release removes them.
    ///
    /// `releasenone`: like the slow paths of attributes, it releases nothing that the caller can
    /// see. It finds an object or creates one.
    @_effects(releasenone) @inline(never) @usableFromInline
    final func destination(
        _ key: Int64, _ type: ManagedObject.Type, at slot: Int
    ) -> ManagedObject? {
        if has(ObjectFlags.detached) { return nil }
        if let known = anchor.registered(key, of: type), !known.has(ObjectFlags.deleted) {
            return known
        }
        return destinationAnywhere(key, type, at: slot)
    }

    private final func destinationAnywhere(
        _ key: Int64, _ type: ManagedObject.Type, at slot: Int
    ) -> ManagedObject? {
        guard let context = managedObjectContext else { return nil }
        do {
            let entity = try context.coordinator.types.index(of: type)
            context.remember(context.table(of: entity), of: type)
            let origin = FaultOrigin(
                owner: keyValue, entity: context.entityIndex(of: self), slot: slot, key: key)
            return try context.loader.destination(of: origin, entity: entity)
        } catch {
            context.errors.report(error)
            return nil
        }
    }

    /// Prepares a change of a to-one relationship, and changes its inverse.
    ///
    /// Generated setters call this method and then store the key that it returns.
    ///
    /// - Precondition: Both objects belong to the same context.
    /// - Returns: The key to store.
    public final func changeToOne(at slot: Int, to object: ManagedObject?) -> Int64 {
        if has(ObjectFlags.unready) { wake() }
        let old = storedKey(at: slot)
        if let object { requireSameContext(as: object) }
        let key = keyOfLiving(object, at: slot)
        if has(ObjectFlags.detached) {
            noteSettingDetached(slot)
            return key
        }
        if old == key && isWritten(slot) { return key }
        if old != key && anchor.coordinator.types.someReference {
            updatingInverse(at: slot, from: old, to: key) { replace(old, by: key, at: slot) }
        } else {
            replace(old, by: key, at: slot)
        }
        // Last, because `updatingInverse` can run a request that indexes the object under its old
        // key.
        tellIfWatched()
        return key
    }

    private final func replace(_ old: Int64, by key: Int64, at slot: Int) {
        if !isWritten(slot) { keepOldValue(key: old, of: slot) }
        if anchor.loadedMembers.isEmpty || has(ObjectFlags.deleted) { return }
        guard let context = anchor.context else { return }
        let inverses = context.coordinator.types.inverseTable(of: type(of: self))
        for reference in inverses.backReferences where reference.slot == slot {
            context.members.moveMember(keyValue, from: old, to: key, reference)
        }
    }

    /// Changes a to-one relationship by key, as its setter does.
    final func setReference(_ key: Int64, at slot: Int) {
        willWrite(slot)
        updatingInverse(at: slot, from: storedKey(at: slot), to: key) { setKey(key, at: slot) }
    }

    /// Changes a to-one relationship in a closure, and updates its inverse.
    private final func updatingInverse(
        at slot: Int, from old: Int64, to new: Int64, _ body: () -> Void
    ) {
        let inverses = anchor.coordinator.types.inverseTable(of: type(of: self))
        guard old != new, let reference = inverses.references.first(where: { $0.slot == slot }),
            !has(ObjectFlags.detached), let context = anchor.context
        else { return body() }
        context.inverses.willRefer(self, reference, from: old, to: new)
        body()
        context.inverses.didRefer(self, reference, from: old, to: new)
    }

    /// Changes the key of a to-one relationship, but not its to-one inverse.
    final func setKey(_ key: Int64, at slot: Int) {
        willWrite(slot)
        if !isWritten(slot) { keepOldValue(storedValue(at: slot), of: slot) }
        changingReferences(in: SlotSet(single: slot)) {
            let batch = RowBatch(width: Self.slotCount)
            batch.append { writer in
                for each in 0..<Self.slotCount { writer.append(key: each == slot ? key : 0) }
            }
            batch.withRow(0) { loadValues($0, slots: SlotSet(single: slot)) }
        }
    }

    /// Stops the program if an object belongs to another context.
    ///
    /// A relationship stores keys, so this context would mistake the other context's changes for
    /// its own.
    final func requireSameContext(as object: ManagedObject) {
        if object.anchor === anchor { return }
        // `fatalError`: a setter cannot throw, and `precondition` prints no message in a release
        // build. The calls that end here document the check.
        fatalError(
            "\(object.objectID) of \(object.home) was related to \(objectID) of \(home). Find it in "
                + "the same context first: context.object(other.objectID).")
    }

    private final var home: String {
        managedObjectContext.map { "the context “\($0.name)”" } ?? "no context any more"
    }

    /// Returns an object's key, or 0 if the object is deleted.
    ///
    /// Reports an error for a deleted object, because a setter cannot throw.
    private final func keyOfLiving(_ object: ManagedObject?, at slot: Int) -> Int64 {
        guard let object else { return 0 }
        if !object.has(ObjectFlags.deleted | ObjectFlags.detached) { return object.keyValue }
        let absence = object.absence ?? "is deleted"
        let name = Self.entityDescription.slots[slot].name
        anchor.context?.errors.report(
            RecordStackError(
                .misuse,
                "\(name) of \(objectID) was set to \(object.objectID), which \(absence). It is nil now.",
                objectID: objectID, property: name))
        return 0
    }

    private final func keepOldValue(key: Int64, of slot: Int) {
        keepOldValue(key == 0 ? .null : .integer(key), of: slot)
    }
}
