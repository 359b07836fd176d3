import RecordStackModel

/// A relationship that a join table keeps, seen from its owners.
struct LinkSide {
    let joinTable: JoinTable
    let end: LinkEnd
    /// The relationship: its index in the model, and among its owner's.
    let relation: Int
    let relationship: Int
    /// The hierarchy of the owners.
    let hierarchy: Int
}

extension ManagedObjectModel {
    /// Returns the relationships that join tables keep and whose members are of an entity.
    func linkSides(referringTo entity: Int) -> [LinkSide] {
        if joinTables.isEmpty { return [] }
        return joinTables.filter(\.hasOwnTable).flatMap { joinTable in
            [LinkEnd.first, .second].compactMap { end -> LinkSide? in
                // Its members may be of the entity, or it of theirs.
                guard let side = side(joinTable, end),
                    areKin(joinTable.end(end.other).entity, entity)
                else { return nil }
                return side
            }
        }
    }

    /// Returns the relationship at an end of a join table. Nil if there is none, or if it is the same as at the first
    /// end.
    func side(_ joinTable: JoinTable, _ end: LinkEnd) -> LinkSide? {
        if joinTable.isSymmetric && end == .second { return nil }
        guard let relation = joinTable.end(end).relation else { return nil }
        let declared = relations[relation]
        return LinkSide(
            joinTable: joinTable, end: end, relation: relation, relationship: declared.relationship,
            hierarchy: modelEntities[declared.entity].hierarchy)
    }

    /// Whether an object may be of both entities.
    func areKin(_ a: Int, _ b: Int) -> Bool {
        modelEntities[a].kinds.contains(b) || modelEntities[b].kinds.contains(a)
    }
}
