import RecordStackModel

/// The statements that make a store's tables.
struct SchemaText {
    let tables: TableMap

    func statements() -> [String] {
        let metadata = SQLText.quoted(Metadata.table)
        return [
            "PRAGMA application_id=\(Metadata.applicationID)",
            // By its key a save finds the row of its token in half the time that a name takes.
            "CREATE TABLE \(metadata) (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value)",
        ] + tables.kept.flatMap(statements)
            + tables.keptJoinTables.flatMap { LinkSchema(tables: tables).statements(for: $0) }
    }

    /// The statements that make a table and its indexes.
    func statements(for table: TableMap.Table) -> [String] {
        [self.table(table)] + indexes(of: table)
    }

    private func table(_ table: TableMap.Table) -> String {
        var columns = [
            SQLText.quoted(SystemColumn.key) + " INTEGER PRIMARY KEY",
            SQLText.quoted(SystemColumn.version) + " INTEGER NOT NULL",
        ]
        if table.isPolymorphic {
            columns.append(SQLText.quoted(SystemColumn.entity) + " TEXT NOT NULL")
        }
        columns += table.columns.map { column($0, of: table) }
        columns += tables.positionColumns(of: table).map { SQLText.quoted($0) + " INTEGER" }
        return "CREATE TABLE \(SQLText.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }

    /// - Parameter isAdded: a column that comes to rows that are there begins without a value.
    func column(
        _ column: TableMap.Column, of table: TableMap.Table, isAdded: Bool = false
    ) -> String {
        var text = SQLText.quoted(column.name) + " " + column.slot.type.storage.rawValue
        let collation = column.slot.type.collation
        if collation != .binary { text += " COLLATE \(collation.sqlText)" }
        // Rows of other entities of the hierarchy have no value in a subentity's column.
        let isRequired = !column.slot.isOptional && column.entity == table.hierarchy.root
        if isRequired && !isAdded { text += " NOT NULL" }
        if let relationship = column.slot.relationship {
            let entity = tables.model.modelEntities[column.entity]
            let target = tables.table(of: entity.relationships[relationship].destination).name
            text += " REFERENCES \(SQLText.quoted(target))(\(SQLText.quoted(SystemColumn.key)))"
            // Checked at COMMIT, so that rows may come and go in any order.
            text += " DEFERRABLE INITIALLY DEFERRED"
        }
        return text
    }

    /// Tables and indexes share their names. No entity's name begins with an underscore.
    func indexes(of table: TableMap.Table, ifMissing: Bool = false) -> [String] {
        let single = table.columns.compactMap { column in
            column.slot.index.map { collation in
                let isOwn = collation == column.slot.type.collation
                return index(
                    table, [column.name] + position(of: column, in: table), isUnique: false,
                    collation: isOwn ? nil : collation, ifMissing)
            }
        }
        let unique = groups(of: table, \.uniqueGroups).map {
            index(table, $0, isUnique: true, ifMissing)
        }
        let plain = groups(of: table, \.indexGroups).map {
            index(table, $0, isUnique: false, ifMissing)
        }
        // What is declared twice is made once: at an attribute and at its entity, at an entity and at
        // its subentity. A rule comes before an index of the same column, which it serves as well.
        var names: Set<String> = []
        let rules = unique.filter { names.insert($0.name).inserted }
        let others = (single + plain).filter { names.insert($0.name).inserted }
        return (rules + others).map(\.statement)
    }

    /// What the members of an ordered relationship are sorted by behind their owner.
    private func position(of column: TableMap.Column, in table: TableMap.Table) -> [String] {
        guard column.slot.relationship != nil else { return [] }
        let name = tables.positionColumn(entity: column.entity, slot: column.index)
        return tables.positionColumns(of: table).contains(name) ? [name] : []
    }

    /// The column names of the groups that the hierarchy's entities declare, each once.
    private func groups(
        of table: TableMap.Table, _ list: KeyPath<EntityDescription, [SlotGroup]>
    ) -> [[String]] {
        var seen: Set<SlotGroup> = []
        return table.hierarchy.entities.sorted().flatMap { entity in
            tables.model.modelEntities[entity].description[keyPath: list]
                .filter { seen.insert($0).inserted }
                .map { $0.slots.map { tables.columnName(entity: entity, slot: $0) } }
        }
    }

    /// A name as a part of an index's name, so that no two indexes have the same.
    private static func part(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case ".": "%2E"
            case ",": "%2C"
            case "%": "%25"
            default: String(scalar)
            }
        }.joined()
    }

    private func index(
        _ table: TableMap.Table, _ columns: [String], isUnique: Bool,
        collation: Collation? = nil, _ ifMissing: Bool
    ) -> (name: String, statement: String) {
        let list = columns.map(Self.part).joined(separator: ",")
        let parts = [Self.part(table.name), list] + (collation.map { [$0.sqlText] } ?? [])
        let name =
            "_" + parts.joined(separator: ".") + (columns.count > 1 && isUnique ? ".unique" : "")
        let order = collation.map { " COLLATE \($0.sqlText)" } ?? ""
        let statement =
            "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(ifMissing ? "IF NOT EXISTS " : "")"
            + "\(SQLText.quoted(name)) ON "
            + "\(SQLText.quoted(table.name))(\(columns.map(SQLText.quoted).joined(separator: ","))\(order))"
        return (name, statement)
    }
}
