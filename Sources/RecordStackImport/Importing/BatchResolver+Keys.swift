import RecordStackGraph
import RecordStackModel

// By what rows know their objects.
extension BatchResolver {
    /// The key of a row that to-one relationships are a part of.
    /// - Parameter resolve: finds what a relationship leads to.
    /// - Returns: nil where a part is missing, null, or not found.
    func compositeKey(
        of row: StagedRow,
        _ resolve: (StagedMember, ImportMapping.Relation) throws -> ManagedObject?
    ) throws -> LookupKey? {
        let mapping = row.mapping
        var values: [StoredValue] = []
        for slot in mapping.entity.identitySlots {
            if mapping.attributes[slot] != nil {
                guard row[slot].kind == .value else { return nil }
                values.append(row.cells[slot].storedValue)
            } else {
                guard let place = mapping.relation(at: slot),
                    case .members(let members, let priority, _) = row.related(place)
                else { return nil }
                let relation = mapping.relations[place]
                path.push(.key(relation.keys[priority]))
                defer { path.pop() }
                guard let object = try resolve(members[0], relation) else { return nil }
                values.append(.integer(object.objectID.key))
            }
        }
        return LookupKey(values)
    }

    /// What a relationship leads to, if it is there already.
    func stored(
        _ member: StagedMember, _ relation: ImportMapping.Relation
    ) throws -> ManagedObject? {
        let key: LookupKey? =
            switch member {
            case .row(let row): row.key
            case .key(let value): LookupKey(value)
            case .unfit: nil
            }
        return try key.flatMap { try objects.objects(of: relation.destination)?.object(for: $0) }
    }
}

extension StagedRow {
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
    /// The place of a to-one relationship among the relations.
    func relation(at slot: Int) -> Int? {
        relations.firstIndex { $0.description.slot == slot }
    }
}
