import RecordStackModel

/// The statements that make a store's tables.
struct SchemaText {
    let tables: TableMap

    func statements() -> [String] {
        let metadata = SQLText.quoted(Metadata.table)
        return [
            "PRAGMA application_id=\(Metadata.applicationID)",
            "CREATE TABLE \(metadata) (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
        ] + tables.tables.flatMap { [table($0)] + indexes(of: $0) }
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
        return "CREATE TABLE \(SQLText.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }

    private func column(_ column: TableMap.Column, of table: TableMap.Table) -> String {
        var text = SQLText.quoted(column.name) + " " + column.slot.type.storage.rawValue
        if let collation = column.slot.type.collation.sqlName {
            text += " COLLATE \(SQLText.quoted(collation))"
        }
        // Rows of other entities of the hierarchy have no value in a subentity's column.
        if !column.slot.isOptional && column.entity == table.hierarchy.root { text += " NOT NULL" }
        if let relationship = column.slot.relationship {
            let entity = tables.model.modelEntities[column.entity]
            let target = tables.table(of: entity.relationships[relationship].destination).name
            text += " REFERENCES \(SQLText.quoted(target))(\(SQLText.quoted(SystemColumn.key)))"
            // Checked at COMMIT, so that rows may come and go in any order.
            text += " DEFERRABLE INITIALLY DEFERRED"
        }
        return text
    }

    private func indexes(of table: TableMap.Table) -> [String] {
        table.columns.filter { $0.slot.isUnique || $0.slot.isIndexed }.map { column in
            // Tables and indexes share their names. No entity's name begins with an underscore.
            let name = SQLText.quoted("_\(table.name).\(column.name)")
            return "CREATE \(column.slot.isUnique ? "UNIQUE " : "")INDEX \(name) ON "
                + "\(SQLText.quoted(table.name))(\(SQLText.quoted(column.name)))"
        }
    }
}
