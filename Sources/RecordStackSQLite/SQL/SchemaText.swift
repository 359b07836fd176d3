import RecordStackModel

/// The statements that create a store's tables.
struct SchemaText {
    let tables: TableMap

    func statements() -> [String] {
        let metadata = SQLText.quoted(Metadata.table)
        return [
            "PRAGMA application_id=\(Metadata.applicationID)",
            // With an integer key, a save finds the row of its token in half the time
            // that a name takes.
            "CREATE TABLE \(metadata) (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value)",
        ] + tables.kept.flatMap(statements)
            + tables.keptJoinTables.flatMap { LinkSchema(tables: tables).statements(for: $0) }
    }

    /// Returns the statements that create a table and its indexes.
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

    /// Returns the declaration of a column.
    ///
    /// - Parameter isAdded: true for a column that is added to existing rows, which have
    ///   no value in it.
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
            // References are checked at COMMIT, so that rows can be inserted and
            // deleted in any order.
            text += " DEFERRABLE INITIALLY DEFERRED"
        }
        return text
    }

    /// Returns the statements that create a table's indexes.
    ///
    /// Tables and indexes share one namespace. An index's name begins with an underscore, and no
    /// entity's name does.
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
        // An index that is declared twice is created once: at an attribute and its entity, or at an
        // entity and its subentity. A unique rule precedes an index of the same column, because it
        // serves as that index.
        var names: Set<String> = []
        let rules = unique.filter { names.insert($0.name).inserted }
        let others = (single + plain).filter { names.insert($0.name).inserted }
        return (rules + others).map(\.statement)
    }

    /// Returns the position column that follows the owner in an ordered relationship's index.
    private func position(of column: TableMap.Column, in table: TableMap.Table) -> [String] {
        guard column.slot.relationship != nil else { return [] }
        let name = tables.positionColumn(entity: column.entity, slot: column.index)
        return tables.positionColumns(of: table).contains(name) ? [name] : []
    }

    /// Returns the column names of the groups of the hierarchy's entities, without duplicates.
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

    /// Returns a name as part of an index's name, escaped so that index names are unique.
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
