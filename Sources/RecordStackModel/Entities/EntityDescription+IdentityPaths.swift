extension EntityDescription {
    /// The attributes by which objects are known, also those of what a to-one relationship leads to that is a part of it:
    /// what is there is the same in every store. Empty where they are known by nothing.
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
