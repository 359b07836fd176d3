import CSQLite
import RecordStackModel

/// Changes all rows of a request with one statement, in an open transaction.
struct BatchWriter {
    let batch: BatchWrite
    let connection: SQLiteConnection
    let store: SQLiteStore
    var tables: TableMap { store.tables }

    func write() throws -> BatchResult {
        switch batch.kind {
        case .delete: isWholeTable ? try empty() : try delete()
        case .update(let values): try update(values)
        }
    }

    /// Whether all rows of the table are deleted, so that SQLite can free its pages as a whole.
    private var isWholeTable: Bool {
        let request = batch.objects
        return request.filter == nil && request.limit == nil && request.offset == 0
            && tables.wantedKinds(of: request) == nil
    }

    /// Whether the order of the objects determines which of them change.
    private var isWindow: Bool { batch.objects.limit != nil || batch.objects.offset != 0 }

    private func empty() throws -> BatchResult {
        let table = tables.table(of: batch.objects.entity)
        let name = SQLText.quoted(table.name)
        let key = SQLText.quoted(SystemColumn.key)
        let largest = try connection.integer("SELECT max(\(key)) FROM \(name)") ?? 0
        try connection.cached("DELETE FROM \(name)").run()
        let count = changedRows
        if try connection.integer("SELECT EXISTS (SELECT 1 FROM \(name))") != 0 {
            throw RecordStackError.ignoredByTrigger("the deletion of rows of \(table.name)")
        }
        let entities = table.hierarchy.entities.map { entity in
            var changes = changes(of: entity)
            changes.deletedThroughKey = largest
            return changes
        }
        return BatchResult(count: count, changes: ChangeSet(entities: entities))
    }

    private func delete() throws -> BatchResult {
        let statement = try prepare(
            BatchCompiler(request: batch.objects, on: connection).deletion())
        var binder = RequestBinder(statement: statement)
        try binder.bind(batch.objects, tables: tables, isSorted: isWindow)
        defer { statement.reset() }
        var keys: [Int: [EntityChanges.Deletion]] = [:]
        let filler = statement.filler(entity: batch.objects.entity)
        while try statement.step() {
            let deletion = EntityChanges.Deletion(
                key: statement.integer(column: 0), version: statement.version(column: 1))
            keys[try filler.entity(), default: []].append(deletion)
        }
        let entities = keys.sorted { $0.key < $1.key }.map { entity, deletions in
            var changes = changes(of: entity)
            changes.deletions = deletions
            return changes
        }
        return BatchResult(
            count: keys.values.reduce(0) { $0 + $1.count }, changes: ChangeSet(entities: entities))
    }

    /// Updates the rows.
    ///
    /// The statement returns the rows if their changes must be reported, or if a new value may be
    /// outside the attribute's type.
    private func update(_ values: [BatchWrite.Value]) throws -> BatchResult {
        let isChecked = values.contains { !$0.isConstant }
        let isListed = try isChecked || count() <= batch.mostListed
        let statement = try prepare(
            BatchCompiler(request: batch.objects, on: connection)
                .update(values, returnsRows: isListed))
        var binder = RequestBinder(statement: statement)
        for value in values { try binder.bind(value.operand) }
        try binder.bind(batch.objects, tables: tables, isSorted: isWindow)
        defer { statement.reset() }
        guard isListed else {
            try statement.run()
            return BatchResult(count: changedRows, changes: ChangeSet(isTruncated: true))
        }
        let sink = UpdatedRows(values: values, store: store, mostListed: batch.mostListed)
        let filler = statement.filler(entity: batch.objects.entity)
        while try statement.step() { try filler.deliverOne(to: sink) }
        return sink.result
    }

    private func count() throws -> Int { try connection.count(batch.objects) }

    private var changedRows: Int { Int(sqlite3_changes64(connection.handle)) }

    private func prepare(_ sql: String) throws -> SQLiteStatement {
        try connection.prepareFunctions(for: sql)
        return try SQLiteStatement(sql, on: connection, isPersistent: false)
    }

    private func changes(of entity: Int) -> EntityChanges {
        EntityChanges(
            entity: entity, width: tables.model.modelEntities[entity].description.slots.count)
    }

    /// Returns the error with the property that the failure is about.
    func describe(_ error: any Error) -> any Error {
        guard let failure = error as? SQLiteFailure else { return error }
        if failure.primaryCode == SQLITE_TOOBIG { return tooLarge(failure) }
        guard failure.primaryCode == SQLITE_CONSTRAINT else { return failure.error() }
        let entity = batch.objects.entity
        let name = tables.model.modelEntities[entity].name
        let properties = tables.properties(of: entity, in: failure)
        let list = properties.joined(separator: ", ")
        let message =
            switch failure.code {
            case ResultCode.unique, ResultCode.primaryKey:
                "\(properties.count == 1 ? "\(name).\(list)" : "The combination of \(list) of \(name)") "
                    + "must be unique, and the update would give several objects the same value, if only "
                    + "for a moment. Change the objects in a save block instead, where values can be "
                    + "exchanged."
            case ResultCode.notNull:
                "\(name).\(list) needs a value, and the update would leave an object without one, or with a "
                    + "number that is too large for its type."
            default: "The store refuses the change of \(name)."
            }
        guard failure.code == ResultCode.notNull else {
            return RecordStackError(
                .constraint, message, cause: failure, entity: name, property: properties.first)
        }
        // A save finds this failure before it writes. An update computes the value only
        // while it writes.
        let description = tables.model.modelEntities[entity].description
        let failures = description.attributes.filter { $0.name == properties.first }.flatMap {
            $0.failures(of: .null, objectID: nil, in: description)
        }
        return RecordStackError(
            .validation, "Nothing was changed. \(message)", cause: failure, entity: name,
            property: properties.first, failures: failures)
    }

    /// Returns the error for a row that a computed value has made too large.
    private func tooLarge(_ failure: SQLiteFailure) -> RecordStackError {
        let name = tables.model.modelEntities[batch.objects.entity].name
        let limit = sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, -1)
        return RecordStackError(
            .store,
            "An object of \(name) would become too large: the values of one take up to \(limit) bytes "
                + "together. Nothing was changed.", cause: failure, entity: name)
    }
}

/// Collects the rows that an update returns.
private final class UpdatedRows: RowSink {
    private let values: [BatchWrite.Value]
    private let store: SQLiteStore
    private let mostListed: Int
    private let slots: SlotSet
    private var changes: [Int: EntityChanges] = [:]
    private var count = 0

    init(values: [BatchWrite.Value], store: SQLiteStore, mostListed: Int) {
        self.values = values
        self.store = store
        self.mostListed = mostListed
        var slots = SlotSet()
        for value in values { slots.insert(value.slot) }
        self.slots = slots
    }

    var result: BatchResult {
        let isListed = count <= mostListed
        let entities = isListed ? changes.sorted { $0.key < $1.key }.map(\.value) : []
        return BatchResult(
            count: count, changes: ChangeSet(entities: entities, isTruncated: !isListed))
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        count += 1
        let description = store.tables.model.modelEntities[entity].description
        for value in values where !value.isConstant {
            let stored = cells.cell(at: value.slot).storedValue
            try check(stored, value.slot, store.objectID(entity: entity, key: key), description)
        }
        if count > mostListed { return }
        let row = RowBatch(copying: cells)
        var entry = changes.removeValue(forKey: entity) ?? empty(entity, width: row.width)
        entry.updates.append(
            EntityChanges.Update(key: key, version: version.previous, slots: slots))
        entry.updated.append(values: row.values(row: 0))
        entry.bases.append { writer in for _ in 0..<row.width { writer.appendNull() } }
        changes[entity] = entry
    }

    private func empty(_ entity: Int, width: Int) -> EntityChanges {
        var changes = EntityChanges(entity: entity, width: width, updates: 16)
        changes.lacksBaseImage = true
        return changes
    }

    private func check(
        _ value: StoredValue, _ slot: Int, _ id: ManagedObjectID, _ entity: EntityDescription
    ) throws {
        guard let attribute = entity.attributes.first(where: { $0.slot == slot }) else { return }
        let isOfType = value.isNull || attribute.accepts(value)
        let failures =
            isOfType
            ? attribute.failures(of: value, objectID: id, in: entity)
            : [
                ValidationFailure(
                    entity: entity, objectID: id, slot: entity.slots[slot],
                    rule: .type(attribute.typeName), value: value)
            ]
        if let first = failures.first {
            throw RecordStackError(
                .validation, "Nothing was changed. \(first.description)", entity: entity.name,
                objectID: id, property: attribute.name, failures: failures)
        }
    }
}
