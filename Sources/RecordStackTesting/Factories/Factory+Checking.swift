import RecordStackGraph
import RecordStackModel

extension Factory {
    /// A required property without a value would fail the save, far from where it was left out.
    ///
    /// Without relationships, the attributes alone are looked at: before other objects are made for
    /// one that is not going to stay.
    func requireValues(of object: Entity, withRelationships: Bool) throws {
        let entity = type(of: object).entityDescription
        let missing = entity.slotsToSet.slots.filter { slot in
            if !withRelationships && entity.slots[slot].relationship != nil { return false }
            return !object.isWritten(slot) || object.storedValue(at: slot).isNull
        }
        if missing.isEmpty { return }
        let names = missing.map { entity.slots[$0].name }
        throw RecordStackError(
            .validation,
            "The factory of \(entity.name) leaves \(names.joined(separator: " and ")) without a "
                + "value. Give one in the factory, or where it is used.",
            entity: entity.name, property: names[0],
            failures: names.map {
                ValidationFailure(
                    objectID: object.objectID, property: $0, rule: .required, value: .null,
                    entity: entity)
            })
    }
}
