extension EntityDescription {
    /// Returns an object's values as text: `(email: "ann@example.org", age: 7, team: Team/2)`.
    ///
    /// Long values are cut off.
    package func text(of values: [StoredValue]) -> String {
        let parts = zip(slots, values).map { slot, value in
            "\(slot.name): \(Self.shortened(text(of: value, in: slot)))"
        }
        return "(\(parts.joined(separator: ", ")))"
    }

    private func text(of value: StoredValue, in slot: SlotDescription) -> String {
        guard let relationship = slot.relationship, case .integer(let key) = value else {
            return ValueText.text(of: value, type: slot.type)
        }
        return "\(relationships[relationship].destination.name)/\(key)"
    }

    private static func shortened(_ text: String) -> String {
        let limit = 100
        return text.utf8.count <= limit || text.count <= limit ? text : "\(text.prefix(limit))…"
    }
}

// A protocol of output streams, because an entity may have an attribute named "description".
extension Snapshot: TextOutputStreamable {
    /// Writes the entity, the key and the values to a stream.
    ///
    /// For example: `Person/1 (email: "ann@example.org", age: 7, team: Team/2)`.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        target.write("\(entity.name)/\(objectID.key) \(entity.text(of: values))")
    }
}
