import FoundationEssentials
import RecordStackModel

extension StoreOpening {
    /// The facts about a store that fits the model.
    struct Verified {
        let uuid: UUID
        let format: Int64
        /// The model for which the store was created.
        let description: StoreDescription
        /// The last save of each stack, by the keys of the rows with their tokens.
        let position: StorePosition
    }

    /// Checks that a database is a store for the model.
    ///
    /// - Returns: nil for a database without any table.
    func verify(_ connection: SQLiteConnection, path: String) throws -> Verified? {
        guard try connection.integer("PRAGMA application_id") == Metadata.applicationID else {
            if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 { return nil }
            throw RecordStackError(
                .modelMismatch,
                "The database at \(path) was made by another program. Choose another file.")
        }
        let known = try metadata(connection)
        let format = known.format?.integer ?? 0
        guard format <= Metadata.currentFormat else {
            throw RecordStackError(
                .newerFormat,
                "The store at \(path) has format \(format), and this version of RecordStack reads "
                    + "up to \(Metadata.currentFormat). Update the program.")
        }
        let description = try verifyModel(known.model?.text, path: path)
        guard let text = known.uuid?.text, let uuid = UUID(uuidString: text) else {
            throw damaged(path)
        }
        return Verified(
            uuid: uuid, format: format, description: description, position: known.position)
    }

    /// Checks the model.
    ///
    /// - Returns: the store's model: the program's model, or one that the program's model only
    ///   adds to.
    private func verifyModel(_ text: String?, path: String) throws -> StoreDescription {
        // The text is almost always the same, and parsing JSON costs more than the rest
        // of the opening.
        if let text, text.hasSameBytes(as: wantedText) { return wanted }
        guard let text, let stored = try? StoreDescription(text: text) else {
            throw damaged(path)
        }
        let known = stored.known(of: wanted)
        if stored == known, !stored.text.hasSameBytes(as: known.text) {
            throw RecordStackError(
                .modelMismatch,
                "The store at \(path) was made for another model: a name in it is written with other "
                    + "Unicode scalars, as é with one or with two. Write it as it was.")
        }
        if stored == wanted
            || LightweightMigration.isEnough(from: stored, to: wanted, of: tables.model)
        {
            return stored
        }
        let reasons = LightweightMigration.refusals(from: stored, to: wanted, of: tables.model)
        let list = stored.differences(from: wanted, reasons: reasons).joined(separator: "; ")
        let renames = stored.renames(to: wanted).map { "\($0) " }.joined()
        throw RecordStackError(
            .modelMismatch,
            "The store at \(path) was made for another model: \(list). \(renames)Open it with the model that "
                + "it was made for, or choose another file. A model may add entities, and properties "
                + "that are optional or have a default.")
    }

    private func damaged(_ path: String) -> RecordStackError {
        RecordStackError(
            .corrupt, "The store at \(path) has lost its description. Restore it from a backup.")
    }

    /// The metadata of a store.
    private struct Known {
        var format: StoredValue?
        var model: StoredValue?
        var uuid: StoredValue?
        var position = StorePosition()
    }

    private func metadata(_ connection: SQLiteConnection) throws -> Known {
        let names = [
            Metadata.format, Metadata.model, Metadata.uuid, Metadata.firstToken,
            Metadata.pastTokens,
        ]
        let statement = try SQLiteStatement(
            "SELECT name, value, id FROM \(SQLText.quoted(Metadata.table)) "
                + "WHERE name IN \(SQLText.placeholders(names.count - 2)) "
                + "OR (name >= ? AND name < ?)", on: connection)
        for (index, name) in names.enumerated() {
            try statement.bind(.text(name), at: Int32(index + 1))
        }
        var known = Known()
        while try statement.step() {
            let value = statement.storedValue(column: 1)
            switch statement.storedValue(column: 0).text {
            case Metadata.format: known.format = value
            case Metadata.model: known.model = value
            case Metadata.uuid: known.uuid = value
            default:
                if let token = value.blob.flatMap({ SaveToken(stored: $0[...]) }) {
                    known.position.update(token, at: statement.integer(column: 2))
                }
            }
        }
        return known
    }
}
