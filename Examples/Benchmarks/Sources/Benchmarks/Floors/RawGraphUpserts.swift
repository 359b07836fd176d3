import GRDBSQLite

/// Upserts parsed persons with their companies, notes and tags, each call in a transaction.
///
/// Each table is upserted by its unique value, with prepared statements.
final class RawGraphUpserts: RawSaving {
    private let connection: RawConnection
    private let graphs: [GraphData]
    private let company: RawStatement
    private let person: RawStatement
    private let note: RawStatement
    private let tag: RawStatement
    private let link: RawStatement
    private var next = 0

    /// Creates the file.
    ///
    /// - Parameter graphs: the data that is written in turn. All of them have the same keys.
    init(path: String, _ graphs: [GraphData], autocheckpoint: Int) throws {
        let connection = try RawConnection(
            path: path, pragmas: Pragma.all(autocheckpoint: autocheckpoint))
        func prepare(_ sql: String) throws -> RawStatement {
            try RawStatement(sql, on: connection)
        }
        self.connection = connection
        self.graphs = graphs
        company = try prepare(
            "INSERT INTO company VALUES (?,?,?) ON CONFLICT(\"number\") DO UPDATE SET \"name\" = excluded.\"name\""
        )
        person = try prepare(
            PersonSchema.plainInsertStatement + " ON CONFLICT(\"email\") DO UPDATE SET "
                + PersonSchema.changes)
        note = try prepare(
            """
            INSERT INTO note VALUES (?,?,?,?) ON CONFLICT("_key") DO UPDATE SET
            "text" = excluded."text", "stars" = excluded."stars", "person" = excluded."person"
            """)
        tag = try prepare(
            "INSERT INTO tag VALUES (?,?,?) ON CONFLICT(\"name\") DO UPDATE SET \"number\" = excluded.\"number\""
        )
        link = try prepare("INSERT OR IGNORE INTO person_tag VALUES (?,?)")
    }

    func saveNext() throws {
        let graph = graphs[next % graphs.count]
        next += 1
        try connection.execute("BEGIN IMMEDIATE")
        // The order is that of the text: a company and three tags with each person.
        var (notes, links) = (graph.notes[...], graph.links[...])
        for row in graph.persons {
            try save(graph.companies[Int(row.company) - 1])
            try person.insertPlain(row)
            while let each = notes.first, each.person == row.key {
                try save(each)
                notes.removeFirst()
            }
            while let each = links.first, each.person == row.key {
                try save(graph.tags[Int(each.tag) - 1])
                try save(each)
                links.removeFirst()
            }
        }
        try connection.execute("COMMIT")
    }

    private func save(_ row: CompanyRow) throws {
        try company.run(.integer(row.key), .integer(Int64(row.number)), .text(row.name))
    }

    private func save(_ row: NoteRow) throws {
        try note.run(
            .integer(row.key), .text(row.text), .integer(Int64(row.stars)), .integer(row.person))
    }

    private func save(_ row: TagRow) throws {
        try tag.run(.integer(row.key), .text(row.name), .integer(Int64(row.number)))
    }

    private func save(_ row: LinkRow) throws {
        try link.run(.integer(row.person), .integer(row.tag))
    }
}
