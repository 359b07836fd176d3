import RecordStackModel

/// The statements that make and use link tables.
///
/// A link table has a column of keys for each end, and the places of those that have an order. The pair
/// is its key; a second index leads back. Rows go with the objects that they refer to.
struct LinkSchema {
    let tables: TableMap

    func statements(for linkage: Linkage) -> [String] {
        guard case .table(let name) = linkage.storage else { return [] }
        let (first, second) = (quoted(linkage.first.column), quoted(linkage.second.column))
        var columns = [
            "\(first) INTEGER NOT NULL \(reference(to: linkage.first))",
            "\(second) INTEGER NOT NULL \(reference(to: linkage.second))",
        ]
        if linkage.first.isOrdered { columns.append("\(SystemColumn.position) INTEGER") }
        if linkage.second.isOrdered { columns.append("\(SystemColumn.inversePosition) INTEGER") }
        columns.append("PRIMARY KEY (\(first), \(second))")
        return [
            "CREATE TABLE \(quoted(name)) (\(SQLText.list(columns, by: ", "))) WITHOUT ROWID",
            index(of: linkage, name),
        ]
    }

    /// What gives a table the columns of orders that it does not have yet.
    func statements(
        for linkage: Linkage, addingOrders known: (first: Bool, second: Bool)
    ) -> [String] {
        guard case .table(let name) = linkage.storage else { return [] }
        func column(_ column: String) -> String {
            "ALTER TABLE \(quoted(name)) ADD COLUMN \(column) INTEGER"
        }
        var statements: [String] = []
        if linkage.first.isOrdered && !known.first {
            statements.append(column(SystemColumn.position))
        }
        if linkage.second.isOrdered && !known.second {
            statements += [
                column(SystemColumn.inversePosition),
                "DROP INDEX \(quoted(indexName(name)))", index(of: linkage, name),
            ]
        }
        return statements
    }

    private func indexName(_ table: String) -> String { "_\(table).links" }

    private func index(of linkage: Linkage, _ name: String) -> String {
        var back = [quoted(linkage.second.column), quoted(linkage.first.column)]
        if linkage.second.isOrdered { back.append(SystemColumn.inversePosition) }
        return "CREATE INDEX \(quoted(indexName(name))) ON \(quoted(name))"
            + "(\(SQLText.list(back, by: ", ")))"
    }

    private func reference(to end: Linkage.End) -> String {
        "REFERENCES \(quoted(tables.table(of: end.entity).name))(\(quoted(SystemColumn.key))) "
            + "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
    }

    private func quoted(_ name: String) -> String { SQLText.quoted(name) }

    func name(of linkage: Linkage) -> String {
        switch linkage.storage {
        case .table(let name): name
        case .column: tables.table(of: linkage.second.entity).name
        }
    }

    /// Adds a pair; one that is there takes the places that are given.
    func insert(_ linkage: Linkage) -> String {
        let (first, second) = (quoted(linkage.first.column), quoted(linkage.second.column))
        let places = places(linkage)
        let columns = SQLText.list([first, second] + places, by: ",")
        let values = SQLText.placeholders(2 + places.count)
        let conflict =
            places.isEmpty
            ? "NOTHING"
            : "UPDATE SET "
                + SQLText.list(places.map { "\($0)=coalesce(excluded.\($0),\($0))" }, by: ",")
        return "INSERT INTO \(quoted(name(of: linkage))) (\(columns)) VALUES \(values) "
            + "ON CONFLICT (\(first),\(second)) DO \(conflict)"
    }

    func delete(_ linkage: Linkage) -> String {
        "DELETE FROM \(quoted(name(of: linkage))) WHERE \(quoted(linkage.first.column))=? "
            + "AND \(quoted(linkage.second.column))=?"
    }

    /// Gives a pair other places, the keys bound last.
    func move(_ linkage: Linkage) -> String {
        let isTable = linkage.isTable
        let sets = places(linkage).map { isTable ? "\($0)=coalesce(?,\($0))" : "\($0)=?" }
        return "UPDATE \(quoted(name(of: linkage))) SET \(SQLText.list(sets, by: ",")) WHERE "
            + pair(linkage)
    }

    func exists(_ linkage: Linkage) -> String {
        "SELECT EXISTS(SELECT 1 FROM \(quoted(name(of: linkage))) WHERE \(pair(linkage)))"
    }

    /// The places of a pair that is there.
    func places(of linkage: Linkage) -> String {
        "SELECT \(SQLText.list(["1"] + places(linkage), by: ",")) FROM "
            + "\(quoted(name(of: linkage))) WHERE " + pair(linkage)
    }

    /// The pairs of a list, those that are there, with their places: the list comes first, then the paths of the keys in a pair.
    /// Where a column keeps the places, the list has only the members' keys.
    func oldPlaces(of linkage: Linkage) -> String {
        let owner: String
        let condition: String
        switch linkage.storage {
        case .table:
            let (first, second) = (quoted(linkage.first.column), quoted(linkage.second.column))
            owner = first + "," + second
            condition =
                "(\(owner)) IN (SELECT json_extract(value,?2),json_extract(value,?3) FROM json_each(?1))"
        case .column(let slot):
            let column = quoted(tables.columnName(entity: linkage.second.entity, slot: slot))
            owner = column + "," + SystemColumn.key
            condition =
                "\(SystemColumn.key) IN (SELECT value FROM json_each(?)) AND \(column) IS NOT NULL"
        }
        return "SELECT \(SQLText.list([owner] + places(linkage), by: ",")) FROM "
            + "\(quoted(name(of: linkage))) WHERE \(condition)"
    }

    /// The tables and columns that keep the places of orders, the columns quoted.
    var positions: [(table: String, column: String)] {
        tables.keptLinkages.flatMap { linkage in
            places(linkage).map { (name(of: linkage), $0) }
        }
    }

    /// The condition that finds a pair, of which the keys are bound.
    private func pair(_ linkage: Linkage) -> String {
        guard case .column(let slot) = linkage.storage else {
            return "\(quoted(linkage.first.column))=? AND \(quoted(linkage.second.column))=?"
        }
        let column = tables.columnName(entity: linkage.second.entity, slot: slot)
        return "\(quoted(column))=? AND \(SystemColumn.key)=?"
    }

    private func places(_ linkage: Linkage) -> [String] {
        if case .column(let slot) = linkage.storage {
            return [quoted(tables.positionColumn(entity: linkage.second.entity, slot: slot))]
        }
        return (linkage.first.isOrdered ? [SystemColumn.position] : [])
            + (linkage.second.isOrdered ? [SystemColumn.inversePosition] : [])
    }

    /// How the owners of a request are named.
    enum Owners: Hashable {
        case one, list
        /// From the first to the last of them. Many keys that lie close together are read faster so,
        /// though others come with them.
        case range

        init(_ owners: [Int64]) {
            guard let first = owners.first, let last = owners.last, owners.count > 1 else {
                self = .one
                return
            }
            let isDense = owners.count >= 64 && (last - first) / 4 < Int64(owners.count)
            self = isDense ? .range : .list
        }

        fileprivate var sql: String {
            switch self {
            case .one: "= ?"
            case .list: "IN (SELECT value FROM json_each(?))"
            case .range: "BETWEEN ? AND ?"
            }
        }
    }

    /// Owner, member, place.
    func members(_ source: MemberRequest.Source, _ owners: Owners) -> String {
        let (table, owner, member, position) = columns(of: source)
        // Those that another program has made have no place, which reads as 0.
        let place = position.map { "coalesce(\($0),0)" }
        let order = [owners == .one ? nil : owner, place, member].compactMap { $0 }
        return "SELECT \(owner),\(member),\(position ?? "0") FROM \(quoted(table)) "
            + "WHERE \(owner) \(owners.sql) ORDER BY \(SQLText.list(order, by: ","))"
    }

    func memberCount(_ source: MemberRequest.Source) -> String {
        let (table, owner, _, _) = columns(of: source)
        return "SELECT count(*) FROM \(quoted(table)) WHERE \(owner) = ?"
    }

    private func columns(
        of source: MemberRequest.Source
    ) -> (table: String, owner: String, member: String, position: String?) {
        switch source {
        case .slot(let slot, let entity, let isOrdered):
            let owner = quoted(tables.columnName(entity: entity, slot: slot))
            let position = quoted(tables.positionColumn(entity: entity, slot: slot))
            return (
                tables.table(of: entity).name, owner, SystemColumn.key, isOrdered ? position : nil
            )
        case .links(let index, let end, let isOrdered):
            let linkage = tables.model.linkages[index]
            let position = end == .first ? SystemColumn.position : SystemColumn.inversePosition
            return (
                name(of: linkage), quoted(linkage.end(end).column),
                quoted(linkage.end(end.other).column), isOrdered ? position : nil
            )
        }
    }
}
