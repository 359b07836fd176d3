import RecordStackModel

// The two sides of a one-to-one relationship must agree. A commit of another context may refer to
// an object that this context has related to a different object. Then this context's change holds.
extension MergeRepair {
    /// A to-one relationship whose inverse is a to-one.
    private struct OneToOne {
        let entity: Int
        let slot: Int
        let destination: Int
        let back: Int
    }

    private var oneToOnes: [OneToOne] {
        let model = coordinator.model
        return model.modelEntities.flatMap { entity in
            entity.relationships.compactMap { relationship -> OneToOne? in
                guard let slot = relationship.slot, let inverse = relationship.inverse,
                    let back = model.modelEntities[relationship.destination]
                        .relationships[inverse].slot
                else { return nil }
                return OneToOne(
                    entity: entity.index, slot: slot, destination: relationship.destination,
                    back: back)
            }
        }
    }

    /// Clears other contexts' references to objects whose partners this context has changed.
    func repairOneToOnes() throws {
        guard pending.contains(.oneToOnes) else { return }
        if !coordinator.model.hasOneToOneRelationships {
            pending.remove(.oneToOnes)
            return
        }
        for oneToOne in oneToOnes {
            for object in changed(oneToOne) { restoreInverse(object, oneToOne) }
        }
        for oneToOne in oneToOnes {
            let changed = changed(oneToOne)
            if !changed.isEmpty { try repair(oneToOne, changed) }
        }
        pending.remove(.oneToOnes)
    }

    private func changed(_ oneToOne: OneToOne) -> [ManagedObject] {
        table(of: oneToOne.entity).dirtyObjects.filter {
            $0.has(ObjectFlags.dirty) && !$0.has(ObjectFlags.deleted | ObjectFlags.fault)
                && entityIndex(of: $0) == oneToOne.entity && $0.isWritten(oneToOne.slot)
        }
    }

    /// Makes the other end refer back if it does not.
    ///
    /// If this context has given the other end another partner, it clears the object's own
    /// reference instead.
    private func restoreInverse(_ object: ManagedObject, _ oneToOne: OneToOne) {
        let key = object.storedKey(at: oneToOne.slot)
        guard key != 0, let other = context.inverses.live(key, entity: oneToOne.destination),
            other.storedKey(at: oneToOne.back) != object.keyValue
        else { return }
        let isReferring =
            other.has(ObjectFlags.inserted)
            ? other.storedKey(at: oneToOne.back) != 0 : other.changedSlots.contains(oneToOne.back)
        if isReferring {
            object.setKey(0, at: oneToOne.slot)
        } else {
            other.setKey(object.keyValue, at: oneToOne.back)
        }
    }

    /// Runs a body that discards an object's changes, and updates the object's one-to-one partners.
    ///
    /// The former partners and the new ones are updated.
    func keepingOneToOnes(of object: ManagedObject, _ body: () -> Void) {
        let references = coordinator.types.inverseTables[entityIndex(of: object)].references.filter(
            \.isOneToOne)
        if references.isEmpty || object.isFault && !object.isToDelete { return body() }
        // An object that was deleted here has no partners.
        let before = references.map { object.isToDelete ? 0 : object.storedKey(at: $0.slot) }
        body()
        if object.has(ObjectFlags.deleted | ObjectFlags.detached) { return }
        for (reference, old) in zip(references, before) {
            let new = object.storedKey(at: reference.slot)
            if new == old { continue }
            context.inverses.willRefer(object, reference, from: old, to: new)
            context.inverses.didRefer(object, reference, from: old, to: new)
        }
    }

    private func repair(_ oneToOne: OneToOne, _ changed: [ManagedObject]) throws {
        let owners = changed.map { StoredValue.integer($0.keyValue) }
        let request = StoreRequest(
            entity: oneToOne.destination, filter: .among(FilterPath(slot: oneToOne.back), owners))
        let referrers = try context.repairing {
            try context.queries.fetch(request, as: ManagedObject.self)
        }
        let wanted = Dictionary(
            changed.map { ($0.keyValue, $0.storedKey(at: oneToOne.slot)) },
            uniquingKeysWith: { a, _ in a })
        for object in referrers
        where wanted[object.storedKey(at: oneToOne.back)] != object.keyValue {
            object.setKey(0, at: oneToOne.back)
        }
    }
}
