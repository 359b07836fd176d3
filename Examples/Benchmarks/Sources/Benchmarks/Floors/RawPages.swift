import GRDBSQLite

/// **raw**, pages by number: the rows by LIMIT and OFFSET, and the count of all rows.
///
/// Each page is one transaction, because RecordStack's page has the count of the same moment.
final class RawPagesByNumber: Contender {
    let name = "raw by number"
    private let connection: RawConnection
    private let select: RawStatement
    private let count: RawStatement
    private let begin: RawStatement
    private let commit: RawStatement
    private let pages: Int

    init(_ lab: Lab) throws {
        connection = try lab.floor()
        select = try RawStatement(
            "SELECT \(PersonSchema.columnList) FROM person ORDER BY \"email\", \"_key\" "
                + "LIMIT ? OFFSET ?", on: connection)
        count = try RawStatement("SELECT count(*) FROM person", on: connection)
        begin = try RawStatement("BEGIN", on: connection)
        commit = try RawStatement("COMMIT", on: connection)
        pages = lab.scale.persons / PageWalk.size
    }

    private func page(_ number: Int) throws -> (people: [FloorPerson], total: Int64) {
        try begin.run()
        sqlite3_step(count.handle)
        let total = sqlite3_column_int64(count.handle, 0)
        sqlite3_reset(count.handle)
        select.handle.bind(Int64(PageWalk.size), at: 1)
        select.handle.bind(Int64((number - 1) * PageWalk.size), at: 2)
        let people = try select.people()
        try commit.run()
        return (people, total)
    }

    func run() throws {
        var found = 0
        for number in 1...pages {
            let page = try page(number)
            guard page.total == pages * PageWalk.size else { throw Failure("a wrong total") }
            found += page.people.count
        }
        guard found == pages * PageWalk.size else { throw Failure("raw met \(found) rows") }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        for number in 1...pages {
            for person in try page(number).people { fingerprint.add(person.row) }
        }
        return fingerprint
    }
}

/// **raw**, pages by key: the rows behind the last row by its text and its key.
///
/// The statement reads one row more than the page, which shows whether there is another page.
final class RawPagesByKey: Contender {
    let name = "raw by key"
    private let first: RawStatement
    private let next: RawStatement
    private let count: Int

    init(_ lab: Lab) throws {
        let select = "SELECT \(PersonSchema.columnList) FROM person"
        let order = "ORDER BY \"email\", \"_key\" LIMIT \(PageWalk.size + 1)"
        first = try RawStatement("\(select) \(order)", on: lab.floor())
        next = try RawStatement(
            "\(select) WHERE (\"email\", \"_key\") > (?, ?) \(order)", on: lab.floor())
        count = lab.scale.persons
    }

    private func eachPage(_ body: ([FloorPerson]) -> Void) throws {
        var people = try first.people()
        while true {
            let hasMore = people.count > PageWalk.size
            if hasMore { people.removeLast() }
            body(people)
            guard hasMore, let last = people.last else { return }
            next.handle.bind(last.email, at: 1)
            next.handle.bind(last.key, at: 2)
            people = try next.people()
        }
    }

    func run() throws {
        var found = 0
        try eachPage { found += $0.count }
        guard found == count else { throw Failure("raw met \(found) rows") }
    }

    func fingerprint() throws -> Fingerprint {
        var fingerprint = Fingerprint()
        try eachPage { for person in $0 { fingerprint.add(person.row) } }
        return fingerprint
    }
}
