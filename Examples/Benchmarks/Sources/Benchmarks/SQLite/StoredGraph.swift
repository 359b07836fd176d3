import GRDBSQLite

/// Reads a contender's persons, notes and tags from its file.
struct StoredGraph {
    /// The table that links persons and tags, and below it its columns.
    let links: String
    let personOfLink: String
    let tagOfLink: String

    /// The names of the floors' table.
    static let floor = StoredGraph(links: "person_tag", personOfLink: "person", tagOfLink: "tag")

    func fingerprint(of path: String) throws -> Fingerprint {
        let connection = try RawConnection(path: path)
        var fingerprint = try StoredRows.fingerprint(
            on: connection, company: StoredRows.companyNumber)
        let notes = try RawStatement(
            """
            SELECT n."text", n."stars", p."email" FROM note AS n
            LEFT JOIN person AS p ON p."_key" = n."person"
            """, on: connection)
        while sqlite3_step(notes.handle) == SQLITE_ROW {
            let stars = Int(sqlite3_column_int64(notes.handle, 1))
            let note = NoteRow(key: 0, text: notes.handle.text(0), stars: stars, person: 0)
            fingerprint.add(note, of: notes.handle.optionalText(2) ?? "nobody")
        }
        let tags = try RawStatement(
            """
            SELECT t."name", t."number", p."email" FROM "\(links)" AS l
            LEFT JOIN person AS p ON p."_key" = l."\(personOfLink)"
            LEFT JOIN tag AS t ON t."_key" = l."\(tagOfLink)"
            """, on: connection)
        while sqlite3_step(tags.handle) == SQLITE_ROW {
            let number = Int(sqlite3_column_int64(tags.handle, 1))
            let tag = TagRow(
                key: 0, name: tags.handle.optionalText(0) ?? "nothing", number: number)
            fingerprint.add(tag, of: tags.handle.optionalText(2) ?? "nobody")
        }
        return fingerprint
    }
}
