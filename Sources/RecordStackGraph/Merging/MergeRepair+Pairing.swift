import RecordStackModel

// One to one is kept on both sides. What others have saved meanwhile may lead to an object that was led
// elsewhere here: then this context's change is the one that holds.
extension MergeRepair {
    /// A to-one relationship whose inverse is a to-one.
    private struct Pairing {
        let entity: Int
        let slot: Int
        let destination: Int
        let back: Int
    }

    private var pairings: [Pairing] {
        let model = coordinator.model
        return model.modelEntities.flatMap { entity in
            entity.relationships.compactMap { relationship -> Pairing? in
                guard let slot = relationship.slot, let inverse = relationship.inverse,
                    let back = model.modelEntities[relationship.destination]
                        .relationships[inverse].slot
                else { return nil }
                return Pairing(
                    entity: entity.index, slot: slot, destination: relationship.destination,
                    back: back)
            }
        }
    }

    /// Parts what others have paired with objects that are paired with others here.
    func repairPairs() throws {
        guard mayBeUnpaired else { return }
        if !coordinator.model.hasPairs {
            mayBeUnpaired = false
            return
        }
        for pairing in pairings {
            for object in changed(pairing) { leadBack(object, pairing) }
        }
        for pairing in pairings {
            let changed = changed(pairing)
            if !changed.isEmpty { try repair(pairing, changed) }
        }
        mayBeUnpaired = false
    }

    private func changed(_ pairing: Pairing) -> [ManagedObject] {
        table(of: pairing.entity).listed.filter {
            $0.has(ObjectFlags.listed) && !$0.has(ObjectFlags.deleted | ObjectFlags.fault)
                && entityIndex(of: $0) == pairing.entity && $0.isWritten(pairing.slot)
        }
    }

    /// Has the other end lead back where it does not, unless it was led elsewhere here: then the object
    /// has no partner any more.
    private func leadBack(_ object: ManagedObject, _ pairing: Pairing) {
        let key = object.storedKey(at: pairing.slot)
        guard key != 0, let other = context.inverses.live(key, entity: pairing.destination),
            other.storedKey(at: pairing.back) != object.keyValue
        else { return }
        let isLed =
            other.has(ObjectFlags.inserted)
            ? other.storedKey(at: pairing.back) != 0 : other.changedSlots.contains(pairing.back)
        if isLed {
            object.setKey(0, at: pairing.slot)
        } else {
            other.setKey(object.keyValue, at: pairing.back)
        }
    }

    /// Runs a body that gives up what was changed of an object, and has the objects follow that it was
    /// paired with, and those that it is paired with again.
    func keepingPairs(of object: ManagedObject, _ body: () -> Void) {
        let leads = coordinator.types.followings[entityIndex(of: object)].leads.filter(\.isPair)
        if leads.isEmpty || object.isFault && !object.isToDelete { return body() }
        // What is to be deleted is paired with nothing.
        let before = leads.map { object.isToDelete ? 0 : object.storedKey(at: $0.slot) }
        body()
        if object.has(ObjectFlags.deleted | ObjectFlags.detached) { return }
        for (lead, old) in zip(leads, before) {
            let new = object.storedKey(at: lead.slot)
            if new == old { continue }
            context.inverses.willLead(object, lead, from: old, to: new)
            context.inverses.didLead(object, lead, from: old, to: new)
        }
    }

    private func repair(_ pairing: Pairing, _ changed: [ManagedObject]) throws {
        let owners = changed.map { StoredValue.integer($0.keyValue) }
        let request = StoreRequest(
            entity: pairing.destination, filter: .among(FilterPath(slot: pairing.back), owners))
        let leading = try context.settling {
            try context.queries.fetch(request, as: ManagedObject.self)
        }
        let wanted = Dictionary(
            changed.map { ($0.keyValue, $0.storedKey(at: pairing.slot)) },
            uniquingKeysWith: { a, _ in a })
        for object in leading where wanted[object.storedKey(at: pairing.back)] != object.keyValue {
            object.setKey(0, at: pairing.back)
        }
    }
}
