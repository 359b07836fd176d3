import CSQLite
package import RecordStackModel

extension SQLiteStore {
    package func problems() throws -> [StoreProblem] {
        try lendingReader { connection in
            do {
                return try connection.damage() + connection.danglingReferences()
            } catch let failure as SQLiteFailure
                where [SQLITE_CORRUPT, SQLITE_NOTADB].contains(failure.primaryCode)
            {
                // The damage is such that SQLite gives up looking.
                return [StoreProblem(.damage, failure.message)]
            }
        }
    }
}

extension SQLiteConnection {
    fileprivate func damage() throws -> [StoreProblem] {
        let statement = try SQLiteStatement("PRAGMA integrity_check", on: self)
        defer { statement.reset() }
        var problems: [StoreProblem] = []
        while try statement.step() {
            let text = statement.storedValue(column: 0).text ?? ""
            if text != "ok" { problems.append(StoreProblem(.damage, text)) }
        }
        return problems
    }

    fileprivate func danglingReferences() throws -> [StoreProblem] {
        let statement = try SQLiteStatement("PRAGMA foreign_key_check", on: self)
        defer { statement.reset() }
        var problems: [StoreProblem] = []
        while problems.count < 100, try statement.step() {
            let table = statement.storedValue(column: 0).text ?? ""
            let parent = statement.storedValue(column: 2).text ?? ""
            problems.append(
                StoreProblem(
                    .danglingReference,
                    "row \(statement.integer(column: 1)) of \(table) refers to a row of \(parent) "
                        + "that is not there"))
        }
        return problems
    }
}
