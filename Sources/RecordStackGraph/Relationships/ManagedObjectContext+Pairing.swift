import RecordStackModel

// One to one is kept on both sides. What others have saved meanwhile may lead to an object that was led
// elsewhere here: then this context's change is the one that holds.
extension ManagedObjectContext {
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
        mayBeUnpaired = false
        if !coordinator.model.hasPairs { return }
        for pairing in pairings {
            let changed = table(of: pairing.entity).listed.filter {
                $0.has(ObjectFlags.listed) && !$0.has(ObjectFlags.deleted | ObjectFlags.fault)
                    && entityIndex(of: $0) == pairing.entity && $0.isWritten(pairing.slot)
            }
            if !changed.isEmpty { try repair(pairing, Array(changed)) }
        }
    }

    private func repair(_ pairing: Pairing, _ changed: [ManagedObject]) throws {
        let owners = changed.map { StoredValue.integer($0.keyValue) }
        let leading = try fetch(
            StoreRequest(
                entity: pairing.destination, filter: .among(FilterPath(slot: pairing.back), owners)),
            as: ManagedObject.self)
        let wanted = Dictionary(
            changed.map { ($0.keyValue, $0.storedKey(at: pairing.slot)) },
            uniquingKeysWith: { a, _ in a })
        for object in leading where wanted[object.storedKey(at: pairing.back)] != object.keyValue {
            object.setKey(0, at: pairing.back)
        }
    }
}
