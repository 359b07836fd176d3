import CSQLite
import RecordStackModel

extension PlanWriter {
    /// Returns the error with the object and the property that the failure is about.
    func describe(_ error: any Error) -> any Error {
        guard let failure = error as? SQLiteFailure else { return error }
        if failure.primaryCode == SQLITE_TOOBIG { return tooLarge(failure) }
        guard failure.primaryCode == SQLITE_CONSTRAINT, let current else { return failure.error() }
        let id = store.objectID(entity: current.entity, key: current.key)
        let properties = tables.properties(of: current.entity, in: failure)
        let name = tables.model.modelEntities[current.entity].name
        let list = properties.joined(separator: ", ")
        let what =
            switch properties.count {
            case 0: name
            case 1: "\(name).\(list)"
            default: "The combination of \(list) of \(name)"
            }
        let message =
            switch failure.code {
            case ResultCode.unique, ResultCode.primaryKey:
                tellOfClash(what)
            case ResultCode.notNull: "\(what) needs a value."
            default: "The store refuses \(what)."
            }
        return RecordStackError(
            .constraint, "\(message) The object is \(id).", cause: failure, entity: name,
            objectID: id, property: properties.first, blockers: clash.map { [$0.holder] } ?? [])
    }

    /// Returns the error for a statement that succeeded and did not change the current row.
    func ignored() -> RecordStackError {
        guard let current else { return .ignoredByTrigger("a change") }
        let id = store.objectID(entity: current.entity, key: current.key)
        return .ignoredByTrigger(
            "the change of \(id)", entity: tables.model.modelEntities[current.entity].name, id)
    }

    private func tellOfClash(_ what: String) -> String {
        let advice =
            "Change one of them, or find the other and change it instead, as upsert and imports do."
        guard let clash else {
            return "\(what) must be unique, and another object has the same value. \(advice)"
        }
        if clash.isOfSameSave {
            return "\(what) must be unique, and \(clash.holder), which is saved with it, has "
                + "\(clash.list) as well. \(advice)"
        }
        // A look before the save does not help if another process saves in between.
        return "\(what) must be unique, and \(clash.holder) has \(clash.list) as well. \(advice) "
            + "If another save has just added it, run the block again."
    }

    private func tooLarge(_ failure: SQLiteFailure) -> RecordStackError {
        guard let current else { return failure.error() }
        let id = store.objectID(entity: current.entity, key: current.key)
        let name = tables.model.modelEntities[current.entity].name
        let limit = sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, -1)
        return RecordStackError(
            .store,
            "An object of \(name) is too large: the values of one take up to \(limit) bytes together. "
                + "Keep large data in a file of its own, and its path in the object. The object is "
                + "\(id).", cause: failure, entity: name, objectID: id)
    }

    /// Returns an error that names the first dangling reference of the open transaction.
    func danglingReference(_ failure: SQLiteFailure) -> RecordStackError {
        var error = nameDanglingReference(failure)
        error.isDangling = true
        return error
    }

    private func nameDanglingReference(_ failure: SQLiteFailure) -> RecordStackError {
        for table in tables.kept {
            let found = try? firstViolation(in: table)
            guard let found = found ?? nil else { continue }
            let column = table.columns[found.column]
            let entity = tables.model.modelEntities[column.entity]
            let id = store.objectID(entity: column.entity, key: found.key)
            return RecordStackError(
                .constraint,
                "\(entity.name).\(column.slot.name) refers to an object that is not in the store. "
                    + "The object is \(id).", cause: failure, entity: entity.name, objectID: id,
                property: column.slot.name)
        }
        return danglingLink(failure)
            ?? RecordStackError(
                .constraint,
                "A reference in the store refers to an object that is not there.",
                cause: failure)
    }

    /// Returns an error that names a relationship with a dangling join row.
    private func danglingLink(_ failure: SQLiteFailure) -> RecordStackError? {
        for joinTable in tables.keptJoinTables {
            guard case .table(let table) = joinTable.storage,
                let found = try? connection.integer(
                    "SELECT count(*) FROM pragma_foreign_key_check(?)", .text(table)), found > 0,
                let relation = joinTable.first.relation
            else { continue }
            let declared = tables.model.relations[relation]
            let entity = tables.model.modelEntities[declared.entity]
            let name = entity.description.relationships[declared.relationship].name
            let what =
                "\(entity.name).\(name) relates objects of which one is not in the store. Somebody else has deleted it."
            return RecordStackError(
                .constraint, cause: failure, entity: entity.name, property: name
            ) { $0 == .save ? what + " Refresh, and save again." : what + " Try again." }
        }
        return nil
    }

    private func firstViolation(in table: TableMap.Table) throws -> (key: Int64, column: Int)? {
        let statement = try SQLiteStatement(
            "SELECT rowid, fkid FROM pragma_foreign_key_check(?)", on: connection)
        try statement.bind(.text(table.name), at: 1)
        guard try statement.step() else { return nil }
        let key = statement.integer(column: 0)
        let violated = statement.integer(column: 1)
        let list = try SQLiteStatement(
            "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ?", on: connection)
        try list.bind(.text(table.name), at: 1)
        try list.bind(violated, at: 2)
        guard try list.step(), let name = list.storedValue(column: 0).text,
            let column = table.columns.firstIndex(where: { $0.name == name })
        else { return nil }
        return (key, column)
    }
}

extension RecordStackError {
    static func ignoredByTrigger(
        _ what: String, entity: String? = nil, _ id: ManagedObjectID? = nil
    ) -> RecordStackError {
        RecordStackError(
            .constraint,
            "The store leaves out \(what): a trigger that another program has made ignores it, or changes the "
                + "versions of rows that are saved. Nothing was saved. Remove the trigger, or have it fail with "
                + "RAISE(ABORT, …) and a reason.",
            entity: entity, objectID: id)
    }
}

extension TableMap {
    /// Returns the properties of the rule that a failure is about.
    func properties(of entity: Int, in failure: SQLiteFailure) -> [String] {
        slots(of: entity, in: failure).map {
            model.modelEntities[entity].description.slots[$0].name
        }
    }

    func slots(of entity: Int, in failure: SQLiteFailure) -> [Int] {
        let description = model.modelEntities[entity].description
        let table = table(of: entity).name
        let rules = description.uniqueGroups.map(\.slots) + description.slots.indices.map { [$0] }
        let broken = rules.first { slots in
            failure.isAbout(slots.map { columnName(entity: entity, slot: $0) }, of: table)
        }
        return broken ?? []
    }
}
