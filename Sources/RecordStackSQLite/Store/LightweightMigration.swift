import RecordStackModel

/// Extends a store for a model that only adds to the store's model.
///
/// The model may add entities, and attributes and to-one relationships that are optional or have a
/// default. Everything happens in the transaction that opens the store.
struct LightweightMigration {
    let stored: StoreDescription
    let wanted: StoreDescription
    let tables: TableMap
    let connection: SQLiteConnection

    private var schema: SchemaText { SchemaText(tables: tables) }
    private var model: ManagedObjectModel { tables.model }

    /// Returns true if a model only adds to a store.
    static func isEnough(
        from stored: StoreDescription, to wanted: StoreDescription, of model: ManagedObjectModel
    ) -> Bool {
        stored.entities.allSatisfy { old in
            wanted.entity(named: old.name).map { old.isPart(of: $0) } ?? false
        }
            && (stored.links ?? []).allSatisfy { old in
                wanted.links?.contains(where: old.isPart) == true
            }
            && refusals(from: stored, to: wanted, of: model).isEmpty
    }

    /// Returns why columns of a model cannot be added, with advice, by entity and column.
    static func refusals(
        from stored: StoreDescription, to wanted: StoreDescription, of model: ManagedObjectModel
    ) -> [String: String] {
        var refusals: [String: String] = [:]
        for old in stored.entities {
            guard let new = wanted.entity(named: old.name) else { continue }
            for column in new.columns(notIn: old) {
                refusals["\(old.name).\(column.name)"] = refusal(of: column, to: old.name, model)
            }
        }
        return refusals
    }

    /// Returns the reason why a column cannot be added; nil if it can.
    ///
    /// Existing rows get the default or null. A unique column may have any number of nulls, but a
    /// different value for each row cannot be determined.
    private static func refusal(
        of column: StoreDescription.Column, to entity: String, _ model: ManagedObjectModel
    ) -> String? {
        let description = model.entities.first { $0.name == entity }
        let relationship = description?.relationships.first { $0.storedName == column.name }
        if column.destination != nil {
            return relationship?.isRequired == true ? "required (leave .required out)" : nil
        }
        let attribute = description?.attributes.first { $0.storedName == column.name }
        let hasDefault = attribute?.defaultValue.map { !$0.isNull } ?? false
        if column.isUnique {
            return column.isOptional && !hasDefault
                ? nil : "unique (make it optional, without a default)"
        }
        return column.isOptional || hasDefault
            ? nil : "required (make it optional, or give it a default)"
    }

    func apply() throws {
        for table in tables.kept {
            let root = model.modelEntities[table.hierarchy.root].name
            if stored.entity(named: root) == nil {
                try create(table)
            } else {
                try extend(table)
            }
        }
        for joinTable in tables.keptJoinTables { try extend(joinTable) }
        try connection.run(
            "UPDATE \(SQLText.quoted(Metadata.table)) SET value = ? WHERE name = ?",
            .text(wanted.text), .text(Metadata.model))
    }

    private func create(_ table: TableMap.Table) throws {
        for statement in schema.statements(for: table) { try connection.execute(statement) }
        try connection.run(
            "INSERT INTO \(SQLText.quoted(Metadata.table)) (name, value) VALUES (?, ?)",
            .text(Metadata.lease(table.name)), .integer(1))
    }

    private func extend(_ table: TableMap.Table) throws {
        let known = table.hierarchy.entities.filter {
            stored.entity(named: model.modelEntities[$0].name) != nil
        }
        if table.isPolymorphic && known.count == 1 { try addEntityColumn(to: table) }
        for column in table.columns where isNew(column) {
            try connection.execute(
                "ALTER TABLE \(SQLText.quoted(table.name)) ADD COLUMN "
                    + schema.column(column, of: table, isAdded: true))
            try fill(column, of: table)
        }
        try addPositionColumns(to: table)
        // Existing indexes stay as they are.
        for statement in schema.indexes(of: table, ifMissing: true) {
            try connection.execute(statement)
        }
    }

    /// Creates a join table, or adds the position columns of new orders to it.
    private func extend(_ joinTable: JoinTable) throws {
        guard case .table(let name) = joinTable.storage else { return }
        let schema = LinkSchema(tables: tables)
        let statements =
            if let known = stored.links?.first(where: { $0.table == name }) {
                schema.statements(
                    for: joinTable, addingOrders: (known.first.isOrdered, known.second.isOrdered))
            } else {
                schema.statements(for: joinTable)
            }
        for statement in statements { try connection.execute(statement) }
    }

    /// Adds the position columns that the table lacks.
    ///
    /// A new relationship may be the inverse of an ordered one, and an existing relationship may
    /// have become ordered. Members without a position come in the order of their creation.
    private func addPositionColumns(to table: TableMap.Table) throws {
        for name in tables.positionColumns(of: table) {
            let isThere = try connection.integer(
                "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?", .text(table.name),
                .text(name))
            if isThere != 0 { continue }
            try connection.execute(
                "ALTER TABLE \(SQLText.quoted(table.name)) ADD COLUMN \(SQLText.quoted(name)) INTEGER"
            )
        }
    }

    private func isNew(_ column: TableMap.Column) -> Bool {
        let entity = stored.entity(named: model.modelEntities[column.entity].name)
        return entity?.columns.contains { $0.name == column.name } != true
    }

    /// Adds the column for the entity. All existing rows belong to the table's only entity so far.
    private func addEntityColumn(to table: TableMap.Table) throws {
        let name = SQLText.quoted(table.name)
        let column = SQLText.quoted(SystemColumn.entity)
        try connection.execute("ALTER TABLE \(name) ADD COLUMN \(column) TEXT")
        try connection.run(
            "UPDATE \(name) SET \(column) = ?",
            .text(model.modelEntities[table.hierarchy.root].name))
    }

    /// Sets the values that new objects would have in the existing rows.
    private func fill(_ column: TableMap.Column, of table: TableMap.Table) throws {
        let description = model.modelEntities[column.entity].description
        let attribute = description.attributes.first { $0.slot == column.index }
        guard let value = attribute?.defaultValue, !value.isNull else { return }
        var sql =
            "UPDATE \(SQLText.quoted(table.name)) SET \(SQLText.quoted(column.name)) = ?"
        var bindings = [value]
        if tables.needsEntityFilter(column.entity) {
            let kinds = model.modelEntities[column.entity].kinds
            sql +=
                " WHERE \(SQLText.quoted(SystemColumn.entity)) IN \(SQLText.placeholders(kinds.count))"
            bindings += kinds.map { .text(model.modelEntities[$0].name) }
        }
        try connection.run(sql, bindings)
    }
}

extension StoreDescription {
    func entity(named name: String) -> Entity? { entities.first { $0.name == name } }
}

extension StoreDescription.Entity {
    /// Returns true if another entity has all of this one, unchanged except for new orders.
    func isPart(of other: Self) -> Bool {
        superentity == other.superentity && table == other.table && unique == other.unique
            && indexed == other.indexed
            && columns.allSatisfy { column in
                other.columns.contains { $0 == column || $0 == column.ordered }
            }
    }

    func columns(notIn other: Self) -> [StoreDescription.Column] {
        columns.filter { column in !other.columns.contains { $0.name == column.name } }
    }
}

extension StoreDescription.Column {
    fileprivate var ordered: Self {
        Self(
            name: name, type: type, storage: storage, isOptional: isOptional, isUnique: isUnique,
            index: index, destination: destination, isOrdered: true)
    }
}

extension StoreDescription.Link {
    fileprivate func isPart(of other: Self) -> Bool {
        table == other.table && first.isPart(of: other.first) && second.isPart(of: other.second)
    }
}

extension StoreDescription.Link.End {
    fileprivate func isPart(of other: Self) -> Bool {
        column == other.column && entity == other.entity && (!isOrdered || other.isOrdered)
    }
}
