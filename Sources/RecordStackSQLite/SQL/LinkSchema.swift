import RecordStackModel

/// The statements that create and use join tables.
///
/// A join table has a column of keys for each end, and a column of positions for each ordered end.
/// The two keys are its primary key, and a second index has them in reverse. Deleting either of the
/// two objects also deletes the row.
struct LinkSchema {
    let tables: TableMap

    func statements(for joinTable: JoinTable) -> [String] {
        guard case .table(let name) = joinTable.storage else { return [] }
        let (first, second) = (quoted(joinTable.first.column), quoted(joinTable.second.column))
        var columns = [
            "\(first) INTEGER NOT NULL \(reference(to: joinTable.first))",
            "\(second) INTEGER NOT NULL \(reference(to: joinTable.second))",
        ]
        if joinTable.first.isOrdered { columns.append("\(SystemColumn.position) INTEGER") }
        if joinTable.second.isOrdered { columns.append("\(SystemColumn.inversePosition) INTEGER") }
        columns.append("PRIMARY KEY (\(first), \(second))")
        return [
            "CREATE TABLE \(quoted(name)) (\(SQLText.list(columns, by: ", "))) WITHOUT ROWID",
            index(of: joinTable, name),
        ]
    }

    /// Returns the statements that add missing position columns to a table.
    func statements(
        for joinTable: JoinTable, addingOrders known: (first: Bool, second: Bool)
    ) -> [String] {
        guard case .table(let name) = joinTable.storage else { return [] }
        func column(_ column: String) -> String {
            "ALTER TABLE \(quoted(name)) ADD COLUMN \(column) INTEGER"
        }
        var statements: [String] = []
        if joinTable.first.isOrdered && !known.first {
            statements.append(column(SystemColumn.position))
        }
        if joinTable.second.isOrdered && !known.second {
            statements += [
                column(SystemColumn.inversePosition),
                "DROP INDEX \(quoted(indexName(name)))", index(of: joinTable, name),
            ]
        }
        return statements
    }

    private func indexName(_ table: String) -> String { "_\(table).links" }

    private func index(of joinTable: JoinTable, _ name: String) -> String {
        var back = [quoted(joinTable.second.column), quoted(joinTable.first.column)]
        if joinTable.second.isOrdered { back.append(SystemColumn.inversePosition) }
        return "CREATE INDEX \(quoted(indexName(name))) ON \(quoted(name))"
            + "(\(SQLText.list(back, by: ", ")))"
    }

    private func reference(to end: JoinTable.End) -> String {
        "REFERENCES \(quoted(tables.table(of: end.entity).name))(\(quoted(SystemColumn.key))) "
            + "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED"
    }

    private func quoted(_ name: String) -> String { SQLText.quoted(name) }

    func name(of joinTable: JoinTable) -> String {
        switch joinTable.storage {
        case .table(let name): name
        case .column: tables.table(of: joinTable.second.entity).name
        }
    }

    /// Returns the statement that adds a join row, or sets the given positions of an existing one.
    func insert(_ joinTable: JoinTable) -> String {
        let (first, second) = (quoted(joinTable.first.column), quoted(joinTable.second.column))
        let positionColumns = positionColumns(joinTable)
        let columns = SQLText.list([first, second] + positionColumns, by: ",")
        let values = SQLText.placeholders(2 + positionColumns.count)
        let conflict =
            positionColumns.isEmpty
            ? "NOTHING"
            : "UPDATE SET "
                + SQLText.list(
                    positionColumns.map { "\($0)=coalesce(excluded.\($0),\($0))" }, by: ",")
        return "INSERT INTO \(quoted(name(of: joinTable))) (\(columns)) VALUES \(values) "
            + "ON CONFLICT (\(first),\(second)) DO \(conflict)"
    }

    func delete(_ joinTable: JoinTable) -> String {
        "DELETE FROM \(quoted(name(of: joinTable))) WHERE \(quoted(joinTable.first.column))=? "
            + "AND \(quoted(joinTable.second.column))=?"
    }

    /// Returns the statement that changes the positions of a join row. The keys are bound last.
    func move(_ joinTable: JoinTable) -> String {
        let hasOwnTable = joinTable.hasOwnTable
        let sets = positionColumns(joinTable).map {
            hasOwnTable ? "\($0)=coalesce(?,\($0))" : "\($0)=?"
        }
        return "UPDATE \(quoted(name(of: joinTable))) SET \(SQLText.list(sets, by: ",")) WHERE "
            + joinRowCondition(joinTable)
    }

    func exists(_ joinTable: JoinTable) -> String {
        "SELECT EXISTS(SELECT 1 FROM \(quoted(name(of: joinTable))) "
            + "WHERE \(joinRowCondition(joinTable)))"
    }

    /// Returns the statement that reads the positions of a join row, if it exists.
    func positions(of joinTable: JoinTable) -> String {
        "SELECT \(SQLText.list(["1"] + positionColumns(joinTable), by: ",")) FROM "
            + "\(quoted(name(of: joinTable))) WHERE " + joinRowCondition(joinTable)
    }

    /// Returns the statement that reads the existing join rows of a list, with their positions.
    ///
    /// The list is bound first, then the JSON paths of the two keys in an element. If a column of
    /// the members' table keeps the positions, the list has only the members' keys.
    func oldPositions(of joinTable: JoinTable) -> String {
        let owner: String
        let condition: String
        switch joinTable.storage {
        case .table:
            let (first, second) = (quoted(joinTable.first.column), quoted(joinTable.second.column))
            owner = first + "," + second
            condition =
                "(\(owner)) IN (SELECT json_extract(value,?2),json_extract(value,?3) FROM json_each(?1))"
        case .column(let slot):
            let column = quoted(tables.columnName(entity: joinTable.second.entity, slot: slot))
            owner = column + "," + SystemColumn.key
            condition =
                "\(SystemColumn.key) IN (SELECT value FROM json_each(?)) AND \(column) IS NOT NULL"
        }
        return "SELECT \(SQLText.list([owner] + positionColumns(joinTable), by: ",")) FROM "
            + "\(quoted(name(of: joinTable))) WHERE \(condition)"
    }

    /// The tables and columns that keep positions, with quoted columns.
    var positions: [(table: String, column: String)] {
        tables.keptJoinTables.flatMap { joinTable in
            positionColumns(joinTable).map { (name(of: joinTable), $0) }
        }
    }

    /// Returns the condition that finds a join row by its two keys, which are bound.
    private func joinRowCondition(_ joinTable: JoinTable) -> String {
        guard case .column(let slot) = joinTable.storage else {
            return "\(quoted(joinTable.first.column))=? AND \(quoted(joinTable.second.column))=?"
        }
        let column = tables.columnName(entity: joinTable.second.entity, slot: slot)
        return "\(quoted(column))=? AND \(SystemColumn.key)=?"
    }

    private func positionColumns(_ joinTable: JoinTable) -> [String] {
        if case .column(let slot) = joinTable.storage {
            return [quoted(tables.positionColumn(entity: joinTable.second.entity, slot: slot))]
        }
        return (joinTable.first.isOrdered ? [SystemColumn.position] : [])
            + (joinTable.second.isOrdered ? [SystemColumn.inversePosition] : [])
    }

    /// The form in which a request names its owners.
    enum Owners: Hashable {
        case one, list
        /// A range from the first to the last owner.
        ///
        /// For many keys close together, this is the faster read, even though it returns other
        /// owners as well.
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

    /// Returns the statement that reads owners, members and positions.
    func members(_ source: MemberRequest.Source, _ owners: Owners) -> String {
        let (table, owner, member, position) = columns(of: source)
        // Members that another program has added have no position, which reads as 0.
        let sortedPosition = position.map { "coalesce(\($0),0)" }
        let order = [owners == .one ? nil : owner, sortedPosition, member].compactMap { $0 }
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
            let joinTable = tables.model.joinTables[index]
            let position = end == .first ? SystemColumn.position : SystemColumn.inversePosition
            return (
                name(of: joinTable), quoted(joinTable.end(end).column),
                quoted(joinTable.end(end.other).column), isOrdered ? position : nil
            )
        }
    }
}
