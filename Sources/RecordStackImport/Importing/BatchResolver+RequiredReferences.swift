import RecordStackGraph
import RecordStackModel

// The objects that a new object needs. They are checked before anything is created for the row,
// because the row may have to be skipped.
extension BatchResolver {
    /// Returns true if all objects exist that the row's object needs.
    ///
    /// These are the destinations of required to-one relationships, and the objects that the row
    /// names in its identity. If one is missing, the row is skipped and reported.
    func hasRequiredReferences(_ row: StagedRow) throws -> Bool {
        for (index, relation) in row.mapping.relations.enumerated()
        where row.needs(relation, row.related(index)) {
            let related = row.related(index)
            if row.refersToOwner(relation, related) { continue }
            switch related {
            case .null(let priority) where relation.rules.null != .ignore:
                leaveOut(row, relation, relation.keys[priority], "is null.")
                return false
            case .absent, .null:
                leaveOut(row, relation, relation.keys[0], "is required.")
                return false
            case .members(let members, let priority, _):
                path.push(.key(relation.keys[priority]))
                let isThere = try canBeFound(members[0], relation)
                // This call reports the reason, and creates nothing.
                if !isThere { _ = try destination(of: members[0], relation, row, for: nil) }
                path.pop()
                if isThere { continue }
                leaveOut(row, relation, relation.keys[0], relation.whyNeeded)
                return false
            }
        }
        return true
    }

    private func leaveOut(
        _ row: StagedRow, _ relation: ImportMapping.Relation, _ key: String, _ message: String
    ) {
        let name = relation.description.name
        note(row, key: key, name, "\(name) \(message)", isLeftOut: true)
    }

    /// Returns true if the object that a value refers to exists or can be created.
    private func canBeFound(
        _ member: StagedMember, _ relation: ImportMapping.Relation
    ) throws -> Bool {
        switch member {
        case .unfit: return false
        case .key:
            guard let object = try stored(member, relation) else {
                return relation.makesObjectsOfKeys
            }
            return relation.problem(referringTo: object) == nil
        case .row(let row):
            let before = report.problems.count
            // These problems are reported when the nested row is imported.
            defer { report.problems.removeSubrange(before...) }
            return try canBeImported(row)
        }
    }

    private func canBeImported(_ row: StagedRow) throws -> Bool {
        if row.isDeclined { return false }
        if let object = try objectOfAnyKind(row) {
            return type(of: object).entityDescription.isKind(of: row.mapping.entity)
        }
        if row.refusal != nil { return false }
        let found = try stored(row)
        if let found, !type(of: found).entityDescription.isKind(of: row.mapping.entity) {
            return false
        }
        guard accept(row, found) != nil, try hasAllKeys(row) else { return false }
        return try found != nil || hasRequiredReferences(row)
    }

    /// Resolves the to-one relationships that a new object requires or that are in its identity.
    ///
    /// They are resolved before the object is created, so that neither the row's nested objects nor
    /// later rows can find an object whose identity is incomplete.
    ///
    /// - Returns: nil for a row that is skipped and reported.
    func requiredReferences(of row: StagedRow) throws -> [ReferenceAssignment]? {
        var references: [ReferenceAssignment] = []
        for (index, relation) in row.mapping.relations.enumerated()
        where row.needs(relation, row.related(index)) {
            let related = row.related(index)
            if row.refersToOwner(relation, related) { continue }
            let reference = try referenceAssignment(of: related, relation, row, nil, for: nil)
            guard let reference, reference.object != nil else {
                leaveOut(row, relation, relation.keys[0], relation.whyNeeded)
                return nil
            }
            references.append(reference)
        }
        if let reference = ownerReference(of: row) { references.append(reference) }
        return references
    }

    /// Returns the reference to the outer object, if it is required or in the identity.
    private func ownerReference(of row: StagedRow) -> ReferenceAssignment? {
        guard let inverse = row.owner?.relation.inverse else { return nil }
        let entity = row.mapping.entity
        let relationship = entity.relationships[inverse]
        guard let slot = relationship.slot,
            relationship.isRequired || entity.identitySlots.contains(slot),
            let object = row.inverseOwner(at: slot)?.row.object
        else { return nil }
        row.edit { $0.isMadeForOwner = true }
        return ReferenceAssignment(slot: slot, object: object)
    }
}

extension StagedRow {
    /// Whether the row's object needs the destination of a to-one relationship before its creation.
    func needs(_ relation: ImportMapping.Relation, _ related: StagedRelated) -> Bool {
        if relation.description.isToMany { return false }
        if relation.description.isRequired { return true }
        // Without this part of its identity, the row would belong to another object.
        guard relation.isPartOfIdentity, case .members = related else { return false }
        return true
    }
}

extension ImportMapping.Relation {
    /// The reason to skip a row that lacks the relationship's destination.
    fileprivate var whyNeeded: String {
        description.isRequired ? "is required." : "is a part of what the object is known by."
    }
}
