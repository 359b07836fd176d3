import RecordStackGraph
import RecordStackModel

// What the rows of a batch lead to.
extension BatchResolver {
    struct Lead {
        let slot: Int
        let object: ManagedObject?
    }

    /// Whether there is an object for each key that has to have one; if not, the row is left out and reported.
    func hasAllKeys(_ row: StagedRow) throws -> Bool {
        let mapping = row.mapping
        for (place, relation) in mapping.relations.enumerated()
        where relation.rules.missing == .fail {
            guard case .members(let members, let priority, _) = row.related(place),
                let known = try objects.objects(of: relation.destination)
            else { continue }
            for case .key(let value) in members {
                guard let key = LookupKey(value), try known.object(for: key) == nil,
                    relation.destination !== mapping || key != row.key
                else { continue }
                note(
                    row, key: relation.keys[priority], relation.description.name,
                    missing(value, relation) + ".", isLeftOut: true)
                return false
            }
        }
        return true
    }

    /// What the to-one relationships lead to that a new object needs: before it is made.
    /// - Returns: nil for a row that is left out, which is reported.
    func neededLeads(of row: StagedRow) throws -> [Lead]? {
        var leads: [Lead] = []
        for (place, relation) in row.mapping.relations.enumerated()
        where relation.description.isRequired && !relation.description.isToMany {
            let lead = try lead(of: row.related(place), relation, row, nil)
            guard let lead, lead.object != nil else {
                note(
                    row, key: relation.keys[0], relation.description.name,
                    "\(relation.description.name) is required.", isLeftOut: true)
                return nil
            }
            leads.append(lead)
        }
        return leads
    }

    /// Relates an object to all that its row leads to, but for what it needed to be made.
    /// - Returns: whether anything has changed.
    func relate(_ object: ManagedObject, _ row: StagedRow, isNew: Bool) throws -> Bool {
        var isChanged = false
        for (place, relation) in row.mapping.relations.enumerated() {
            let related = row.related(place)
            if relation.description.isToMany {
                if try relateMembers(of: object, related, relation, row, isNew) {
                    isChanged = true
                }
            } else if !(isNew && relation.description.isRequired) {
                let lead = try lead(of: related, relation, row, isNew ? nil : object)
                guard let lead else { continue }
                if lead.object != nil { abandoned[ObjectIdentifier(object)] = nil }
                if object.relate(to: lead.object, at: lead.slot) { isChanged = true }
            }
        }
        return isChanged
    }

    /// Where a to-one relationship leads from now on; nil where it stays as it is.
    private func lead(
        of related: StagedRelated, _ relation: ImportMapping.Relation, _ row: StagedRow,
        _ found: ManagedObject?
    ) throws -> Lead? {
        guard let slot = relation.description.slot else { return nil }
        let isRequired = relation.description.isRequired
        switch related {
        case .absent:
            let leaves = found == nil || relation.rules.absent == .leave || isRequired
            return leaves ? nil : Lead(slot: slot, object: nil)
        case .null(let priority):
            if relation.rules.null == .ignore { return try lead(of: .absent, relation, row, found) }
            if !isRequired { return Lead(slot: slot, object: nil) }
            note(
                row, key: relation.keys[priority], relation.description.name,
                "\(relation.description.name) is null.")
            return nil
        case .members(let members, let priority, _):
            guard relation.rules.takesValue(at: slot, of: found) else { return nil }
            path.push(.key(relation.keys[priority]))
            defer { path.pop() }
            let object = try destination(of: members[0], relation, row)
            return object.map { Lead(slot: slot, object: $0) }
        }
    }

    /// The object that a value stands for; nil where there is none, which is reported.
    func destination(
        of member: StagedMember, _ relation: ImportMapping.Relation, _ row: StagedRow
    ) throws -> ManagedObject? {
        switch member {
        case .row(let nested): return try nestedObject(of: nested)
        case .key(let value): return try object(of: value, relation, row)
        case .unfit(let found):
            let what = relation.destination.entity.name
            let key =
                relation.destination.identity.map {
                    " nor its \($0.description.name), which is \($0.expectation)"
                } ?? ", and has no identity by which a key could name it"
            note(
                row, key: "", relation.description.name,
                "\(relation.description.name) is \(found), neither an object of \(what)\(key).")
            return nil
        }
    }

    /// A nested row may be asked for twice, where the object that leads to it is known by it.
    private func nestedObject(of row: StagedRow) throws -> ManagedObject? {
        if !row.mapping.isPartOfComposite { return try object(of: row)?.object }
        if row.isResolved { return row.object }
        let object = try object(of: row)?.object
        row.edit { ($0.isResolved, $0.object) = (true, object) }
        return object
    }

    /// The object of a key alone. Nothing of it is written, unless it has to be made.
    private func object(
        of value: StoredValue, _ relation: ImportMapping.Relation, _ row: StagedRow
    ) throws -> ManagedObject? {
        let mapping = relation.destination
        guard let key = LookupKey(value), let slot = mapping.entity.identity?.slot,
            let known = try objects.objects(of: mapping)
        else { return nil }
        if let object = try known.object(for: key) {
            see(object)
            return object
        }
        if relation.rules.missing == .skip || !mapping.isMadeOfKey {
            let more = relation.rules.missing == .skip ? "" : ", and one needs more than that"
            note(
                row, key: "", relation.description.name, missing(value, relation) + more + ".")
            return nil
        }
        let object = try context.create(mapping.type)
        _ = try context.assign([(slot, value)], to: object)
        known.keep(object, as: key)
        see(object)
        return object
    }

    private func missing(_ value: StoredValue, _ relation: ImportMapping.Relation) -> String {
        let entity = relation.destination.entity
        return "\(relation.description.name): there is no \(entity.name) with the "
            + "\(entity.identity?.name ?? "key") \(value)"
    }
}

extension ImportMapping {
    /// Whether an object that has its key has all that it needs.
    fileprivate var isMadeOfKey: Bool {
        needed.allSatisfy { $0.slot == entity.identity?.slot }
            && !entity.relationships.contains { $0.isRequired } && !entity.isAbstract
    }
}
