import RecordStackModel

// What relationships lead to: an object, the key of one, or an array of these.
extension RowReader {
    /// Reads a value to its end, whether or not it is taken.
    func takeRelated(
        _ token: JSONToken, _ place: Int, _ priority: Int, _ scanner: inout JSONScanner,
        _ row: StagedRow
    ) throws {
        let relation = row.mapping.relations[place]
        guard row.related(place).yields(to: priority) else {
            if token.beginsContainer { _ = try scanner.skipContainer() }
            return
        }
        if token == .null { return row.setNull(place, priority) }
        guard token == .beginArray && relation.description.isToMany else {
            let member = try member(token, of: relation, &scanner, number: row.number)
            row.setRelated(place, .members([member], priority: priority, isArray: false))
            return
        }
        var members: [StagedMember] = []
        while true {
            let element = try scanner.next()
            if element == .endArray { break }
            members.append(try member(element, of: relation, &scanner, number: row.number))
        }
        row.setRelated(place, .members(members, priority: priority, isArray: true))
    }

    private func member(
        _ token: JSONToken, of relation: ImportMapping.Relation, _ scanner: inout JSONScanner,
        number: Int
    ) throws -> StagedMember {
        switch token {
        case .beginObject:
            return .row(try read(token, &scanner, relation.destination, number: number))
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

extension StagedRow {
    func setNull(_ place: Int, _ priority: Int) {
        if case .absent = related(place) { setRelated(place, .null(priority: priority)) }
    }
}
