import RecordStackGraph
import RecordStackModel

// What the rows of a batch lead to.
extension BatchResolver {
    struct Lead {
        let slot: Int
        let object: ManagedObject?
    }

    /// Whether there is an object for each key that has to have one; if not, the row is left out and reported.
    func hasAllKeys(
        _ row: StagedRow, _ mapping: ImportMapping, _ own: LookupKey?, path: String,
        _ report: inout ImportReport
    ) throws -> Bool {
        for (related, relation) in zip(row.related, mapping.relations)
        where relation.rules.missing == .fail {
            guard case .members(let members, let priority, _) = related,
                let known = try objects.objects(of: relation.destination)
            else { continue }
            for case .key(let value) in members {
                guard let key = LookupKey(value), try known.object(for: key) == nil,
                    relation.destination !== mapping || key != own
                else { continue }
                report.note(
                    row.number, path: path, key: relation.keys[priority],
                    relation.description.name, missing(value, relation) + ".", isLeftOut: true)
                return false
            }
        }
        return true
    }

    /// What the to-one relationships lead to that a new object needs: before it is made.
    /// - Returns: nil for a row that is left out, which is reported.
    func neededLeads(
        of row: StagedRow, _ mapping: ImportMapping, _ found: ManagedObject?, path: String,
        _ report: inout ImportReport
    ) throws -> [Lead]? {
        if found != nil { return [] }
        var leads: [Lead] = []
        for (related, relation) in zip(row.related, mapping.relations)
        where relation.description.isRequired && !relation.description.isToMany {
            let lead = try lead(of: related, relation, row, nil, path: path, &report)
            guard let lead, lead.object != nil else {
                report.note(
                    row.number, path: path, key: relation.keys[0], relation.description.name,
                    "\(relation.description.name) is required.", isLeftOut: true)
                return nil
            }
            leads.append(lead)
        }
        return leads
    }

    /// Relates an object to all that its row leads to, but for what it needed to be made.
    /// - Returns: whether anything has changed.
    func relate(
        _ object: ManagedObject, _ row: StagedRow, _ mapping: ImportMapping, isNew: Bool,
        path: String, _ report: inout ImportReport
    ) throws -> Bool {
        var isChanged = false
        for (related, relation) in zip(row.related, mapping.relations) {
            if relation.description.isToMany {
                if try relateMembers(of: object, related, relation, row, isNew, path, &report) {
                    isChanged = true
                }
            } else if !(isNew && relation.description.isRequired) {
                let lead = try lead(
                    of: related, relation, row, isNew ? nil : object, path: path, &report)
                if let lead, object.relate(to: lead.object, at: lead.slot) { isChanged = true }
            }
        }
        return isChanged
    }

    /// Where a to-one relationship leads from now on; nil where it stays as it is.
    private func lead(
        of related: StagedRow.Related, _ relation: ImportMapping.Relation, _ row: StagedRow,
        _ found: ManagedObject?, path: String, _ report: inout ImportReport
    ) throws -> Lead? {
        guard let slot = relation.description.slot else { return nil }
        let isRequired = relation.description.isRequired
        switch related {
        case .absent:
            let leaves = found == nil || relation.rules.absent == .leave || isRequired
            return leaves ? nil : Lead(slot: slot, object: nil)
        case .null(let priority):
            if relation.rules.null == .ignore { return nil }
            if !isRequired { return Lead(slot: slot, object: nil) }
            report.note(
                row.number, path: path, key: relation.keys[priority], relation.description.name,
                "\(relation.description.name) is null.")
            return nil
        case .members(let members, let priority, _):
            guard relation.rules.takesValue(at: slot, of: found) else { return nil }
            let place = path.appending(key: relation.keys[priority])
            let object = try destination(of: members[0], relation, row.number, place, &report)
            return object.map { Lead(slot: slot, object: $0) }
        }
    }

    /// The object that a value stands for; nil where there is none, which is reported.
    private func destination(
        of member: StagedRow.Member, _ relation: ImportMapping.Relation, _ number: Int,
        _ path: String, _ report: inout ImportReport
    ) throws -> ManagedObject? {
        switch member {
        case .row(let row):
            return try object(of: row, relation.destination, path: path, &report)?.object
        case .key(let value):
            return try object(of: value, relation, number, path, &report)
        case .unfit(let found):
            let what = relation.destination.entity.name
            let key =
                relation.destination.identity.map {
                    " nor its \($0.description.name), which is \($0.expectation)"
                } ?? ", and has no identity by which a key could name it"
            report.note(
                number, path: path, key: "", relation.description.name,
                "\(relation.description.name) is \(found), neither an object of \(what)\(key).")
            return nil
        }
    }

    /// The object of a key alone. Nothing of it is written, unless it has to be made.
    private func object(
        of value: StoredValue, _ relation: ImportMapping.Relation, _ number: Int, _ path: String,
        _ report: inout ImportReport
    ) throws -> ManagedObject? {
        let mapping = relation.destination
        guard let key = LookupKey(value), let slot = mapping.entity.identity?.slot,
            let known = try objects.objects(of: mapping)
        else { return nil }
        if let object = try known.object(for: key) { return object }
        if relation.rules.missing == .skip || !mapping.isMadeOfKey {
            let more = relation.rules.missing == .skip ? "" : ", and one needs more than that"
            report.note(
                number, path: path, key: "", relation.description.name,
                missing(value, relation) + more + ".")
            return nil
        }
        let object = try context.create(mapping.type)
        _ = try context.assign([(slot, value)], to: object)
        known.keep(object)
        return object
    }

    private func missing(_ value: StoredValue, _ relation: ImportMapping.Relation) -> String {
        let entity = relation.destination.entity
        return "\(relation.description.name): there is no \(entity.name) with the "
            + "\(entity.identity?.name ?? "key") \(value)"
    }

    // MARK: Members

    /// Loads the members of all objects that are found, with one statement for each relationship.
    func loadMembers(of rows: [StagedRow]) throws {
        var owners: [Owners: [ObjectIdentifier: ManagedObject]] = [:]
        for row in rows { try noteOwners(row, mapping, &owners) }
        for (key, objects) in owners {
            try context.loadMemberKeys(of: Array(objects.values), key.relationship)
        }
    }

    private struct Owners: Hashable {
        let type: ObjectIdentifier
        let relationship: Int
    }

    private func noteOwners(
        _ row: StagedRow, _ mapping: ImportMapping,
        _ owners: inout [Owners: [ObjectIdentifier: ManagedObject]]
    ) throws {
        if mapping.relations.isEmpty { return }
        let found = try row.identity(mapping).flatMap {
            try objects.objects(of: mapping)?.object(for: $0)
        }
        for (related, relation) in zip(row.related, mapping.relations) {
            if let found, relation.needsMembers(of: found, for: related) {
                let place = Owners(
                    type: ObjectIdentifier(type(of: found)),
                    relationship: relation.description.index)
                owners[place, default: [:]][ObjectIdentifier(found)] = found
            }
            guard case .members(let members, _, _) = related else { continue }
            for case .row(let nested) in members {
                try noteOwners(nested, relation.destination, &owners)
            }
        }
    }

    /// - Returns: whether anything has changed.
    private func relateMembers(
        of object: ManagedObject, _ related: StagedRow.Related, _ relation: ImportMapping.Relation,
        _ row: StagedRow, _ isNew: Bool, _ path: String, _ report: inout ImportReport
    ) throws -> Bool {
        var policy = relation.rules.members
        var wanted: [ManagedObject] = []
        switch related {
        case .absent where isNew || relation.rules.absent == .leave: return false
        case .null where isNew || relation.rules.null == .ignore: return false
        case .absent, .null:
            if policy == .add { policy = .replace }
        case .members(let members, let priority, let isArray):
            let rule = relation.rules.value
            if !isNew && rule == .whenNew { return false }
            let place = relation.description.index
            if !isNew && rule == .whenNil && !object.relatedObjects(place).isEmpty { return false }
            let path = path.appending(key: relation.keys[priority])
            wanted = try destinations(
                of: members, isArray: isArray, relation, row.number, path, &report)
        }
        return try relate(object, to: wanted, relation, policy)
    }

    private func destinations(
        of members: [StagedRow.Member], isArray: Bool, _ relation: ImportMapping.Relation,
        _ number: Int, _ path: String, _ report: inout ImportReport
    ) throws -> [ManagedObject] {
        var (objects, seen) = ([ManagedObject](), Set<ObjectIdentifier>())
        for (index, member) in members.enumerated() {
            let place = isArray ? path.appending(key: "\(index)") : path
            let found = try destination(of: member, relation, number, place, &report)
            if let found, seen.insert(ObjectIdentifier(found)).inserted { objects.append(found) }
        }
        return objects
    }

    private func relate(
        _ object: ManagedObject, to wanted: [ManagedObject], _ relation: ImportMapping.Relation,
        _ policy: ImportMembersPolicy
    ) throws -> Bool {
        let place = relation.description.index
        var isChanged = false
        if policy != .add {
            let kept = Set(wanted.map(ObjectIdentifier.init))
            for member in object.relatedObjects(place)
            where !kept.contains(ObjectIdentifier(member)) {
                object.removeRelated(member, place)
                if policy == .replaceAndDelete { try member.delete() }
                isChanged = true
            }
        }
        for member in wanted where object.addRelated(member, place) { isChanged = true }
        if policy != .add && relation.description.isOrdered
            && object.orderRelated(wanted, place)
        {
            isChanged = true
        }
        return isChanged
    }
}

extension ImportMapping.Relation {
    /// Whether it has to be known who the members are. Where members are added that know their owner themselves, it
    /// need not.
    fileprivate func needsMembers(
        of object: ManagedObject, for related: StagedRow.Related
    ) -> Bool {
        if !description.isToMany { return false }
        return switch related {
        case .absent: rules.absent != .leave
        case .null: rules.null != .ignore
        case .members:
            rules.members != .add || rules.value == .whenNil
                || !object.membersKnowOwner(description.index)
        }
    }
}

extension ImportMapping {
    /// Whether an object that has its key has all that it needs.
    fileprivate var isMadeOfKey: Bool {
        needed.allSatisfy { $0.description.slot == entity.identity?.slot }
            && !entity.relationships.contains { $0.isRequired } && !entity.isAbstract
    }
}

extension String {
    /// A path with one more key.
    func appending(key: String) -> String { isEmpty ? key : "\(self).\(key)" }
}
