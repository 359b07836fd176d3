import RecordStackGraph
import RecordStackModel

extension Factory {
    /// Throws an error for a required property without a value.
    ///
    /// The save would fail too, but far from the cause. Without relationships, the check covers
    /// only attributes: it runs before the factory creates related objects for an object that it
    /// may have to delete again.
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
