import RecordStackGraph
import RecordStackModel

// By what rows know their objects.
extension BatchResolver {
    /// Looks for the objects of keys that to-one relationships are a part of. Such a key is known once the destinations
    /// of its relationships are found, which may have such keys, too.
    func prepareComposite(_ rows: [StagedRow]) throws {
        var areAnyNew = mapping.composite.areAnyComposite
        while areAnyNew {
            areAnyNew = false
            for row in rows where try noteComposite(row) { areAnyNew = true }
            if areAnyNew { try objects.prepare() }
        }
    }

    /// - Returns: whether a key was found that was not known before.
    private func noteComposite(_ row: StagedRow) throws -> Bool {
        if row.isDeclined { return false }
        let mapping = row.mapping
        var isNew = false
        if mapping.hasCompositeIdentity, row.key == nil, let key = try knownKey(of: row) {
            let index = try objects.objects(of: mapping)?.want(key)
            row.edit { ($0.key, $0.keyIndex) = (key, index) }
            isNew = true
        }
        if !mapping.composite.refersToComposite { return isNew }
        try forEachMember(of: row) { member, _ in
            if case .row(let nested) = member, try noteComposite(nested) { isNew = true }
        }
        return isNew
    }

    /// The key of a row that to-one relationships are a part of.
    /// - Parameters:
    ///   - resolve: finds the object that a relationship refers to.
    ///   - owner: finds the object that the row stands in, which a part may refer to without the row saying so.
    /// - Returns: nil where a part is missing, null, or not found.
    func compositeKey(
        of row: StagedRow,
        _ resolve: (StagedMember, ImportMapping.Relation) throws -> ManagedObject?,
        owner: (StagedOwner) throws -> ManagedObject?
    ) throws -> LookupKey? {
        let mapping = row.mapping
        var values: [StoredValue] = []
        for slot in mapping.entity.identitySlots {
            if mapping.attributes[slot] != nil {
                guard row[slot].kind == .value else { return nil }
                values.append(row.cells[slot].storedValue)
            } else if let outer = row.inverseOwner(at: slot) {
                guard let object = try owner(outer) else { return nil }
                values.append(.integer(object.objectID.key))
            } else {
                guard let index = mapping.relation(at: slot),
                    case .members(let members, let priority, _) = row.related(index)
                else { return nil }
                let relation = mapping.relations[index]
                path.push(.key(relation.keys[priority]))
                defer { path.pop() }
                guard let object = try resolve(members[0], relation) else { return nil }
                values.append(.integer(object.objectID.key))
            }
        }
        return LookupKey(values)
    }

    /// The key of a row's object, as far as what it consists of is there by now.
    func knownKey(of row: StagedRow) throws -> LookupKey? {
        if row.key != nil || !row.mapping.hasCompositeIdentity { return row.key }
        return try compositeKey(
            of: row, { try stored($0, $1, inside: true) }, owner: { try stored($0.row) })
    }

    /// The same of a row that is a part of the key of the one that it stands in, which therefore cannot be a part of
    /// this one's: neither would ever be known.
    private func knownKey(ofPart row: StagedRow) throws -> LookupKey? {
        if row.key != nil || !row.mapping.hasCompositeIdentity { return row.key }
        return try compositeKey(
            of: row, { try stored($0, $1, inside: true) }, owner: { $0.row.object })
    }

    /// The object that a relationship refers to, if it is there already.
    /// - Parameter inside: whether that is a part of the key of the row that it stands in.
    func stored(
        _ member: StagedMember, _ relation: ImportMapping.Relation, inside: Bool = false
    ) throws -> ManagedObject? {
        switch member {
        case .row(let row):
            if let object = row.object {
                object
            } else {
                try stored(row, inside ? knownKey(ofPart: row) : knownKey(of: row))
            }
        case .key(let value):
            try LookupKey(value).flatMap {
                try objects.objects(of: relation.destination)?.object(for: $0)
            }
        case .unfit: nil
        }
    }

    /// The object of a row, if it is there already.
    func stored(_ row: StagedRow) throws -> ManagedObject? {
        if let object = row.object { return object }
        return try stored(row, knownKey(of: row))
    }

    private func stored(_ row: StagedRow, _ key: LookupKey?) throws -> ManagedObject? {
        try key.flatMap { try objects.objects(of: row.mapping)?.object(for: $0) }
    }
}

// MARK: References to the object that a nested row stands in

extension StagedRow {
    /// Whether a relationship refers to the object that the row stands in, although the row does not say so.
    func refersToOwner(_ relation: ImportMapping.Relation, _ related: StagedRelated) -> Bool {
        guard let owner, owner.relation.inverse == relation.description.index else { return false }
        if case .members = related { return false }
        return true
    }

    /// The row that this one stands in, if the to-one relationship of a slot refers to its object.
    func inverseOwner(at slot: Int) -> StagedOwner? {
        guard let owner, let inverse = owner.relation.inverse,
            mapping.entity.slots[slot].relationship == inverse
        else { return nil }
        if let index = mapping.relation(at: slot), case .members = related(index) { return nil }
        return owner
    }
}

// MARK: Parts that a row does not say

extension StagedRow {
    /// Gives an identity of several parts the defaults of those that the row does not say, where it says any of them.
    func takeIdentityDefaults() {
        let defaults = mapping.identityDefaults
        if !mapping.entity.identitySlots.contains(where: isPartSaid) { return }
        for (attribute, value) in defaults where isUnsaid(attribute) {
            set(attribute.slot, rows.cell(value), priority: 0)
        }
    }

    private func isPartSaid(_ slot: Int) -> Bool {
        if mapping.attributes[slot] != nil { return self[slot].kind == .value }
        if inverseOwner(at: slot) != nil { return true }
        guard let index = mapping.relation(at: slot), case .members = related(index) else {
            return false
        }
        return true
    }

    /// Whether a new object has its default in an attribute.
    private func isUnsaid(_ attribute: ImportMapping.Attribute) -> Bool {
        switch self[attribute.slot].kind {
        case .absent: true
        case .null: attribute.rules.null != .clear || !attribute.description.isOptional
        case .value, .unfit: false
        }
    }
}

extension StagedRow {
    /// Makes the row's key where it was read: that is often another thread, which is the faster one.
    func takeKey() {
        if let key = simpleKey { edit { $0.key = key } }
    }

    /// The key by which the row's object is known, where it consists of attributes; a missing or null one never
    /// matches.
    var simpleKey: LookupKey? {
        let mapping = mapping
        if let slot = mapping.identitySlot {
            return self[slot].kind == .value ? LookupKey(cells[slot].storedValue) : nil
        }
        if mapping.hasCompositeIdentity { return nil }
        let slots = mapping.entity.identitySlots
        for slot in slots where self[slot].kind != .value { return nil }
        return LookupKey(slots.map { cells[$0].storedValue })
    }
}

extension ImportMapping {
    /// The index of a to-one relationship among the relations.
    func relation(at slot: Int) -> Int? {
        relations.firstIndex { $0.description.slot == slot }
    }
}
