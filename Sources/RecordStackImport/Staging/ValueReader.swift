import RecordStackModel

/// Reads rows that are values already, from dictionaries or encoded values.
struct ValueReader {
    /// Reads a row of an entity or of one of its subentities.
    func read(
        _ value: ImportValue, _ mapping: ImportMapping, number: Int
    ) throws -> StagedRow {
        guard case .object(let members) = value else {
            let row = mapping.rows.append(number: number)
            row.edit { $0.refusal = "The row is \(value.excerpt), not an object." }
            return row
        }
        guard let kinds = mapping.kinds else {
            let row = try readObject(value, of: mapping, number: number)
            if row.hasNothing { row.refuseNothing(among: members) }
            return row
        }
        let found = kinds.location.find(in: value).flatMap { $0.isNull ? nil : $0 }
        let kind = found.map { kinds.mapping(for: $0.plainText) } ?? mapping.concrete
        let row = try readObject(value, of: kind ?? mapping, number: number)
        row.edit { $0.isKindUnsaid = found == nil }
        if kind == nil {
            row.edit { $0.refusal = kinds.refusal(of: found) }
        } else if found == nil && row.hasNothing {
            row.refuseNothing(among: members)
        }
        return row
    }

    private func readObject(
        _ value: ImportValue, of mapping: ImportMapping, number: Int
    ) throws -> StagedRow {
        let row = mapping.rows.append(number: number)
        try readInside(value, mapping.root, row)
        if mapping.hooks.seeRows { try row.see(value) }
        return row
    }

    /// Sets the properties of a row from a value.
    func readInside(
        _ value: ImportValue, _ node: ImportNode, _ row: StagedRow
    ) throws {
        switch value {
        case .object(let members):
            for (key, child) in node.keys {
                guard let member = members[String(decoding: key, as: UTF8.self)] else { continue }
                try readValue(member, child, row)
            }
        case .array(let elements):
            for (index, child) in node.indexes where index < elements.count {
                try readValue(elements[index], child, row)
            }
        default: break
        }
    }

    private func readValue(
        _ value: ImportValue, _ node: ImportNode, _ row: StagedRow
    ) throws {
        for binding in node.bindings {
            switch binding.property {
            case .slot(let slot):
                if let attribute = row.mapping.attributes[slot] {
                    row.take(value, attribute, binding.priority)
                }
            case .relation(let index): try takeRelated(value, index, binding.priority, row)
            }
        }
        try readInside(value, node, row)
    }

    private func takeRelated(
        _ value: ImportValue, _ index: Int, _ priority: Int, _ row: StagedRow
    ) throws {
        let relation = row.mapping.relations[index]
        guard
            row.related(index).yields(
                to: priority, isNull: value.isNull, relation.rules.fallback)
        else { return }
        if value.isNull { return row.setRelated(index, .null(priority: priority)) }
        guard case .array(let elements) = value, relation.description.isToMany else {
            let member = try member(value, of: relation, in: row)
            return row.setRelated(index, .members([member], priority: priority, isArray: false))
        }
        let members = try elements.map { try member($0, of: relation, in: row) }
        row.setRelated(index, .members(members, priority: priority, isArray: true))
    }

    private func member(
        _ value: ImportValue, of relation: ImportMapping.Relation, in row: StagedRow
    ) throws -> StagedMember {
        if case .object = value {
            let nested = try read(value, relation.destination, number: row.number)
            nested.stand(in: row, relation)
            return .row(nested)
        }
        guard let identity = relation.destination.identity,
            let taken = try? identity.apply(identity.transforms, to: value),
            let key = identity.convert(taken)
        else { return .unfit(found: value.excerpt) }
        return .key(key)
    }
}
