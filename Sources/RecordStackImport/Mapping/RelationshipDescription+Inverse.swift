import RecordStackModel

extension RelationshipDescription {
    /// Returns the inverse, a relationship of the destination; nil if there is none.
    ///
    /// - Parameter owner: the entity that has this relationship.
    func inverse(of owner: EntityDescription) -> RelationshipDescription? {
        let destination = destination
        return destination.relationships.first {
            isInverse(of: $0, owner: owner, other: destination)
        }
    }

    /// Returns true if this relationship is the inverse of another one.
    func isInverse(
        of other: RelationshipDescription, owner: EntityDescription, other entity: EntityDescription
    ) -> Bool {
        if isSymmetric { return other.name == name && owner.isKind(of: entity) }
        if let keyPath = inverseKeyPath,
            case .relationship(let named)? = entity.anyProperty(at: keyPath)
        {
            return named.name == other.name
        }
        if let keyPath = other.inverseKeyPath,
            case .relationship(let named)? = owner.anyProperty(at: keyPath)
        {
            return named.name == name
        }
        return false
    }
}
