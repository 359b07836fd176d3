import RecordStackGraph
import RecordStackModel

// What a new object needs. Before anything is made for a row, it is found out whether the row is to be left out.
extension BatchResolver {
    /// Whether there are the objects that required to-one relationships refer to, and those that the row names in its
    /// identity; if not, the row is left out and reported.
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
                // Says why there is none; and nothing is made.
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

    /// Whether there is an object that a value stands for, or one can be made.
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
            // They are reported when it is its turn.
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

    /// Resolves the to-one relationships that a new object requires, and those of its identity, before the object is made:
    /// neither the row's nested objects nor later rows then meet an object whose identity is not complete.
    /// - Returns: nil for a row that is left out, which is reported.
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

    /// The reference to the object that a row stands in, if the row's object requires it or is known by it.
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
    /// Whether a to-one relationship needs its destination before the row's object is made.
    func needs(_ relation: ImportMapping.Relation, _ related: StagedRelated) -> Bool {
        if relation.description.isToMany { return false }
        if relation.description.isRequired { return true }
        // Without what the row says of its identity, its object would be another one.
        guard relation.isPartOfIdentity, case .members = related else { return false }
        return true
    }
}

extension ImportMapping.Relation {
    /// Why a row is left out without the relationship's destination.
    fileprivate var whyNeeded: String {
        description.isRequired ? "is required." : "is a part of what the object is known by."
    }
}
