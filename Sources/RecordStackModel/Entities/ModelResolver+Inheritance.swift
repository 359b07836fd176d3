extension ModelResolver {
    /// Checks that each abstract entity has a concrete subentity.
    ///
    /// Without one, the entity could have no objects.
    func checkAbstractEntities() throws {
        for (index, entity) in entities.enumerated() where entity.isAbstract {
            let hasObjects = modelEntities[index].kinds.contains { !entities[$0].isAbstract }
            if hasObjects { continue }
            throw Self.misuse(
                entity,
                "\(entity.name) is abstract, and no entity of the model that is not inherits from it. "
                    + "Add those that do where the stack is made.")
        }
    }

    /// Checks that the destination of each side is exactly the entity that declares the other side.
    ///
    /// Otherwise one side would accept an object that the other side cannot hold.
    func checkEnds(
        of relationship: RelationshipDescription, entity: Int, inverse: RelationshipDescription
    ) throws {
        let owner = Self.owner(of: relationship.index, from: entities[entity])
        let other = Self.owner(of: inverse.index, from: relationship.destination)
        if inverse.destination.isSame(as: owner) && relationship.destination.isSame(as: other) {
            return
        }
        let path = "\(owner.name).\(relationship.name)"
        let back = "\(other.name).\(inverse.name)"
        let message =
            inverse.destination.isSame(as: owner)
            ? "\(path) refers to \(relationship.destination.name), but its inverse \(back) is a "
                + "relationship of \(other.name). Let \(path) refer to \(other.name), or declare "
                + "\(inverse.name) in \(relationship.destination.name)."
            : "\(back) refers to \(inverse.destination.name), but its inverse \(path) is a relationship "
                + "of \(owner.name). Let \(back) refer to \(owner.name), or declare "
                + "\(relationship.name) in \(inverse.destination.name)."
        throw Self.misuse(owner, message, property: relationship.name)
    }

    /// Returns the entity that declares a relationship which another entity has or inherits.
    private static func owner(of relationship: Int, from entity: EntityDescription)
        -> EntityDescription
    {
        var owner = entity
        while let next = owner.superentity, relationship < next.relationships.count { owner = next }
        return owner
    }
}
