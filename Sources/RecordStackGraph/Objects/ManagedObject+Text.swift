import RecordStackModel

// An attribute may be called "description", so the text does not come from a property of that name.
extension ManagedObject: TextOutputStreamable {
    /// Writes the entity, the key, the state unless it is persistent, and the values:
    /// `Person/1 pending (email: "ann@example.org", age: 7, team: Team/2)`. Loads nothing: a fault is
    /// `Person/1 (fault)`.
    ///
    /// ```swift
    /// print(person)
    /// ```
    public final func write<Target: TextOutputStream>(to target: inout Target) {
        let description = Self.entityDescription
        let values =
            isFault
            ? "(fault)" : description.text(of: description.slots.indices.map(storedValue(at:)))
        let state = objectState == .persistent ? "" : " \(objectState)"
        target.write("\(description.name)/\(keyValue)\(state) \(values)")
    }
}
