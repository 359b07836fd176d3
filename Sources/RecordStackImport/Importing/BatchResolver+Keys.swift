import RecordStackGraph
import RecordStackModel

// The identities by which rows find their objects.
extension BatchResolver {
    /// Looks up the objects of identities that include to-one relationships.
    ///
    /// Such an identity is known only after the destinations of its relationships are found, and
    /// these may have such identities, too.
    func prepareComposite(_ rows: [StagedRow]) throws {
        var areAnyNew = mapping.composite.areAnyComposite
        while areAnyNew {
            areAnyNew = false
            for row in rows where try noteComposite(row) { areAnyNew = true }
            if areAnyNew { try objects.prepare() }
        }
    }

    /// Looks for newly known identities in a row and its nested rows.
    ///
    /// - Returns: true if an identity became known.
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

    /// Returns the key of a row whose identity includes to-one relationships.
    ///
    /// - Parameters:
    ///   - resolve: finds the object to which a relationship refers.
    ///   - owner: finds the object in which the row is nested. A part of the identity may refer to
    ///     it even if the row does not say so.
    /// - Returns: nil if a part is missing, null, or not found.
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

    /// Returns the key of a row, as far as the objects in its identity exist by now.
    func knownKey(of row: StagedRow) throws -> LookupKey? {
        if row.key != nil || !row.mapping.hasCompositeIdentity { return row.key }
        return try compositeKey(
            of: row, { try stored($0, $1, inside: true) }, owner: { try stored($0.row) })
    }

    /// Returns the key of a row that is part of the identity of the row in which it is nested.
    ///
    /// For the outer row, only an existing object counts here. Two rows that are part of each
    /// other's identity would never have a known key.
    private func knownKey(ofPart row: StagedRow) throws -> LookupKey? {
        if row.key != nil || !row.mapping.hasCompositeIdentity { return row.key }
        return try compositeKey(
            of: row, { try stored($0, $1, inside: true) }, owner: { $0.row.object })
    }

    /// Returns the existing object to which a relationship refers, if there is one.
    ///
    /// - Parameter inside: true if the relationship is part of the identity of its row.
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

    /// Returns the existing object of a row, if there is one.
    func stored(_ row: StagedRow) throws -> ManagedObject? {
        if let object = row.object { return object }
        return try stored(row, knownKey(of: row))
    }

    private func stored(_ row: StagedRow, _ key: LookupKey?) throws -> ManagedObject? {
        try key.flatMap { try objects.objects(of: row.mapping)?.object(for: $0) }
    }
}

// MARK: References to the outer object

extension StagedRow {
    /// Whether a relationship implicitly refers to the object in which the row is nested.
    func refersToOwner(_ relation: ImportMapping.Relation, _ related: StagedRelated) -> Bool {
        guard let owner, owner.relation.inverse == relation.description.index else { return false }
        if case .members = related { return false }
        return true
    }

    /// Returns the outer row if the to-one relationship of a slot refers to its object.
    func inverseOwner(at slot: Int) -> StagedOwner? {
        guard let owner, let inverse = owner.relation.inverse,
            mapping.entity.slots[slot].relationship == inverse
        else { return nil }
        if let index = mapping.relation(at: slot), case .members = related(index) { return nil }
        return owner
    }
}

// MARK: Missing parts of an identity

extension StagedRow {
    /// Completes an identity of several parts with defaults, if the row has at least one part.
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

    /// Whether the row leaves the attribute of a new object at its default.
    private func isUnsaid(_ attribute: ImportMapping.Attribute) -> Bool {
        switch self[attribute.slot].kind {
        case .absent: true
        case .null: attribute.rules.null != .clear || !attribute.description.isOptional
        case .value, .unfit: false
        }
    }
}

extension StagedRow {
    /// Computes the row's key where the row is read, which is often another thread.
    func takeKey() {
        if let key = simpleKey { edit { $0.key = key } }
    }

    /// The key of the row's object, if it consists of attributes.
    ///
    /// A missing or null value never matches an object.
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
    /// Returns the index of the relation with a to-one relationship's slot.
    func relation(at slot: Int) -> Int? {
        relations.firstIndex { $0.description.slot == slot }
    }
}
