import RecordStackModel

/// A relationship that is kept in a link table, seen from its owners.
struct LinkSide {
    let linkage: Linkage
    let end: LinkEnd
    /// The relationship: its place in the model, and among its owner's.
    let relation: Int
    let relationship: Int
    /// The hierarchy of the owners.
    let hierarchy: Int
}

extension ManagedObjectModel {
    /// The relationships by link tables whose members are of an entity.
    func linkSides(leadingTo entity: Int) -> [LinkSide] {
        if linkages.isEmpty { return [] }
        return linkages.filter(\.isTable).flatMap { linkage in
            [LinkEnd.first, .second].compactMap { end -> LinkSide? in
                // Its members may be of the entity, or it of theirs.
                guard let side = side(linkage, end),
                    areKin(linkage.end(end.other).entity, entity)
                else { return nil }
                return side
            }
        }
    }

    /// A relationship of a linkage; nil where its end has none, or has the same as the other end.
    func side(_ linkage: Linkage, _ end: LinkEnd) -> LinkSide? {
        if linkage.isSymmetric && end == .second { return nil }
        guard let relation = linkage.end(end).relation else { return nil }
        let declared = relations[relation]
        return LinkSide(
            linkage: linkage, end: end, relation: relation, relationship: declared.relationship,
            hierarchy: modelEntities[declared.entity].hierarchy)
    }

    /// Whether an object may be of both entities.
    func areKin(_ a: Int, _ b: Int) -> Bool {
        modelEntities[a].kinds.contains(b) || modelEntities[b].kinds.contains(a)
    }
}
