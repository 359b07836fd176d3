import RecordStackModel

// An attribute may be named "description", so the text does not come from a property of that name.
extension ManagedObject: TextOutputStreamable {
    /// Writes the object's entity, key, state and values.
    ///
    /// For example, a new object prints as
    /// `Person/1 pending (email: "ann@example.org", age: 7, team: Team/2)`. The text omits the
    /// state of a persistent object. The call loads nothing, so a fault prints as
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
