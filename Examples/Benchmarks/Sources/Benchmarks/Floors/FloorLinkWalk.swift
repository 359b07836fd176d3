import GRDBSQLite

/// The floors' object for a tag.
final class FloorTag {
    let key: Int64
    let name: String
    let number: Int

    /// Reads a row of a join whose first column is the person's key.
    @inline(__always)
    init(_ row: OpaquePointer) {
        key = sqlite3_column_int64(row, 1)
        name = row.text(2)
        number = Int(sqlite3_column_int64(row, 3))
    }
}

/// **raw join**: one statement that joins all links with their tags.
///
/// Its rows go into an array of objects for each person. The persons are in memory already. The run
/// then walks the arrays. The result is that of walking the relationships of objects: the tags of
/// each person as objects, with one object for each tag. A tag becomes an object at its first
/// occurrence. Later occurrences look up the object by its key and do not read it again.
final class FloorLinkWalk: Contender {
    let name = "raw join"
    private let statement: RawStatement
    private let people: [FloorPerson]

    init(_ lab: Lab) throws {
        let connection = try RawConnection(path: try lab.graphStore())
        people = try FloorPerson.first(lab.scale.persons, on: connection)
        statement = try RawStatement(
            """
            SELECT l."person", t."_key", t."name", t."number" FROM person_tag AS l
            JOIN tag AS t ON t."_key" = l."tag" ORDER BY l."person"
            """, on: connection)
    }

    /// Returns the tags of each person, in the order of the persons.
    private func fetch() throws -> [[FloorTag]] {
        let row = statement.handle
        var tags: [Int64: FloorTag] = [:]
        var walks = [[FloorTag]](repeating: [], count: people.count)
        var place = 0
        var code = sqlite3_step(row)
        while code == SQLITE_ROW {
            let person = sqlite3_column_int64(row, 0)
            while people[place].key != person { place += 1 }
            let key = sqlite3_column_int64(row, 1)
            if let known = tags[key] {
                walks[place].append(known)
            } else {
                let tag = FloorTag(row)
                tags[key] = tag
                walks[place].append(tag)
            }
            code = sqlite3_step(row)
        }
        sqlite3_reset(row)
        guard code == SQLITE_DONE else { throw statement.connection.failure() }
        return walks
    }

    func run() throws {
        var sum = 0
        for tags in try fetch() {
            for tag in tags { sum &+= tag.number }
        }
        guard sum > 0 else { throw Failure("raw join met no tag") }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for (person, tags) in zip(people, try fetch()) {
            for tag in tags {
                fingerprint.add(
                    TagRow(key: tag.key, name: tag.name, number: tag.number), of: person.email)
            }
        }
        return fingerprint
    }
}
