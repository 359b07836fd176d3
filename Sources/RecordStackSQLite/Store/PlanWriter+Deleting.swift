import CSQLite
import RecordStackModel

extension PlanWriter {
    /// Deletes rows by their keys and versions.
    ///
    /// Several rows take one statement for each of their versions, usually a single one.
    func delete(_ changes: EntityChanges) throws -> Bool {
        if changes.deletions.count == 1 { return try deleteOne(changes.deletions[0], of: changes) }
        var keys: [RowVersion: [Int64]] = [:]
        for deletion in changes.deletions {
            keys[deletion.version, default: []].append(deletion.key)
        }
        if keys.count > Self.mostVersions {
            for deletion in changes.deletions {
                guard try deleteOne(deletion, of: changes) else { return false }
            }
            return true
        }
        for (version, keys) in keys.sorted(by: { $0.key < $1.key }) {
            guard try delete(keys, version: version, of: changes.entity) else { return false }
        }
        return true
    }

    /// The number of versions above which rows are deleted one by one.
    ///
    /// Rows with that many versions were also changed one by one.
    private static var mostVersions: Int { 16 }

    private func deleteOne(
        _ deletion: EntityChanges.Deletion, of changes: EntityChanges
    ) throws -> Bool {
        let table = tables.table(of: changes.entity)
        let statement = try connection.statement(.delete(table: table.hierarchy.index)) {
            "DELETE FROM \(SQLText.quoted(table.name)) WHERE \(Self.rowCondition)"
        }
        current = (changes.entity, deletion.key)
        try statement.bind(deletion.key, at: 1)
        try statement.bind(deletion.version.column, at: 2)
        try statement.run()
        return hasChangedOne
    }

    private func delete(_ keys: [Int64], version: RowVersion, of entity: Int) throws -> Bool {
        let table = tables.table(of: entity)
        let statement = try connection.statement(.deleteSet(table: table.hierarchy.index)) {
            let (key, version) = (SystemColumn.key, SystemColumn.version)
            return "DELETE FROM \(SQLText.quoted(table.name)) WHERE \(SQLText.quoted(version)) = ? "
                + "AND \(SQLText.quoted(key)) IN (SELECT value FROM json_each(?))"
        }
        current = nil
        try statement.bind(version.column, at: 1)
        try statement.bind(.text(RequestBinder.json(keys)), at: 2)
        try statement.run()
        return sqlite3_changes64(connection.handle) == keys.count
    }
}
