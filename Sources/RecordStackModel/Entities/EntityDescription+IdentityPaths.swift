extension EntityDescription {
    /// The paths to the attributes that form the identity; empty if the entity has no identity.
    ///
    /// If a to-one relationship is part of the identity, the paths end at the attributes that
    /// identify its destination.
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
