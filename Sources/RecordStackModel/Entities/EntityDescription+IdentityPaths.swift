extension EntityDescription {
    /// The attributes that identify objects, which are the same in every store. Where a to-one relationship is a part
    /// of the identity, these are the attributes that identify its destination. Empty if an entity has no identity.
    package var identityPaths: [FilterPath] { identityPaths(through: [], among: [typeIdentity]) }

    private func identityPaths(
        through steps: [FilterPath.Step], among outer: Set<ObjectIdentifier>
    ) -> [FilterPath] {
        identitySlots.flatMap { slot in
            let description = slots[slot]
            if let next = description.relationship.map({ relationships[$0].destination }),
                !next.identitySlots.isEmpty, !outer.contains(next.typeIdentity),
                steps.count < FilterPath.mostSteps
            {
                return next.identityPaths(
                    through: steps + [FilterPath.Step(slot: slot, destination: next)],
                    among: outer.union([next.typeIdentity]))
            }
            return [FilterPath(steps: steps, slot: slot, collation: description.type.collation)]
        }
    }
}
