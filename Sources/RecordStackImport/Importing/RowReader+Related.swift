import RecordStackModel

// What relationships lead to: an object, the key of one, or an array of these.
extension RowReader {
    /// Reads a value to its end, whether or not it is taken.
    func takeRelated(
        _ token: JSONToken, _ place: Int, _ priority: Int, _ scanner: inout JSONScanner,
        _ row: inout StagedRow
    ) throws(JSONError) {
        guard row.related[place].yields(to: priority) else {
            if token == .beginObject || token == .beginArray { _ = try scanner.skipContainer() }
            return
        }
        let relation = mapping.relations[place]
        if token == .null {
            if case .absent = row.related[place] { row.related[place] = .null(priority: priority) }
            return
        }
        guard token == .beginArray && relation.description.isToMany else {
            let member = try member(token, of: relation, &scanner, number: row.number)
            row.related[place] = .members([member], priority: priority, isArray: false)
            return
        }
        var members: [StagedRow.Member] = []
        while true {
            let element = try scanner.next()
            if element == .endArray { break }
            members.append(try member(element, of: relation, &scanner, number: row.number))
        }
        row.related[place] = .members(members, priority: priority, isArray: true)
    }

    private func member(
        _ token: JSONToken, of relation: ImportMapping.Relation, _ scanner: inout JSONScanner,
        number: Int
    ) throws(JSONError) -> StagedRow.Member {
        switch token {
        case .beginObject:
            let reader = RowReader(mapping: relation.destination)
            return .row(try reader.read(token, &scanner, number: number))
        case .beginArray:
            _ = try scanner.skipContainer()
            return .unfit(found: "an array")
        default:
            guard let identity = relation.destination.identity,
                let key = Self.convert(token, as: identity, &scanner)
            else { return .unfit(found: Self.excerpt(token, &scanner)) }
            return .key(key)
        }
    }
}
