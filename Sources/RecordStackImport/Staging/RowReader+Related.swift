import RecordStackModel

// The values of relationships: an object, its key, or an array of these.
extension RowReader {
    /// Reads a value to its end, even if it is not used.
    func takeRelated(
        _ token: JSONToken, _ index: Int, _ priority: Int, _ scanner: inout JSONScanner,
        _ row: StagedRow
    ) throws {
        let relation = row.mapping.relations[index]
        let isNull = token == .null
        guard row.related(index).yields(to: priority, isNull: isNull, relation.rules.fallback)
        else {
            if token.beginsContainer { _ = try scanner.skipContainer() }
            return
        }
        if isNull { return row.setRelated(index, .null(priority: priority)) }
        guard token == .beginArray && relation.description.isToMany else {
            let member = try member(token, of: relation, &scanner, in: row)
            row.setRelated(index, .members([member], priority: priority, isArray: false))
            return
        }
        var members: [StagedMember] = []
        while true {
            let element = try scanner.next()
            if element == .endArray { break }
            members.append(try member(element, of: relation, &scanner, in: row))
        }
        row.setRelated(index, .members(members, priority: priority, isArray: true))
    }

    private func member(
        _ token: JSONToken, of relation: ImportMapping.Relation, _ scanner: inout JSONScanner,
        in row: StagedRow
    ) throws -> StagedMember {
        switch token {
        case .beginObject:
            let nested = try read(token, &scanner, relation.destination, number: row.number)
            nested.stand(in: row, relation)
            return .row(nested)
        case .beginArray:
            _ = try scanner.skipContainer()
            return .unfit(found: token.noun)
        default:
            guard let identity = relation.destination.identity,
                let cell = identity.cell(token, &scanner, relation.destination.rows, source)
            else { return .unfit(found: scanner.excerpt(token)) }
            return .key(cell.storedValue)
        }
    }
}
