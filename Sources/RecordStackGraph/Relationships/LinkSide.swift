import RecordStackModel

/// A relationship that a join table keeps, seen from its owners.
struct LinkSide {
    let joinTable: JoinTable
    let end: LinkEnd
    /// The index of the relationship in the model, and among its owner's relationships.
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
                // The join table's entity may be a subentity of `entity` or a superentity of it.
                guard let side = side(joinTable, end),
                    areKin(joinTable.end(end.other).entity, entity)
                else { return nil }
                return side
            }
        }
    }

    /// Returns the relationship at an end of a join table.
    ///
    /// Nil if the end has none, or if it is the same relationship as at the first end.
    func side(_ joinTable: JoinTable, _ end: LinkEnd) -> LinkSide? {
        if joinTable.isSymmetric && end == .second { return nil }
        guard let relation = joinTable.end(end).relation else { return nil }
        let declared = relations[relation]
        return LinkSide(
            joinTable: joinTable, end: end, relation: relation, relationship: declared.relationship,
            hierarchy: modelEntities[declared.entity].hierarchy)
    }

    /// Whether an object can be of both entities.
    func areKin(_ a: Int, _ b: Int) -> Bool {
        modelEntities[a].kinds.contains(b) || modelEntities[b].kinds.contains(a)
    }
}
