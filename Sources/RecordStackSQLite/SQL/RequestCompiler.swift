import RecordStackModel

/// Compiles a request to SQL with a parameter for each of its values.
///
/// ``RequestBinder`` binds the values in the order in which the compiler writes their parameters.
struct RequestCompiler {
    let request: StoreRequest
    let tables: TableMap
    var filters: FilterCompiler

    init(request: StoreRequest, on connection: SQLiteConnection) {
        self.request = request
        tables = connection.tables
        filters = FilterCompiler(
            tables: tables, scopes: QueryScopes(entity: request.entity, tables: tables),
            isNeverNull: connection.isNeverNull, prepare: connection.prepare)
    }

    /// Returns the query for the key, the version and all columns.
    ///
    /// It also has the entity if several entities share the table.
    mutating func rows() throws -> String {
        try select(tables.table(of: request.entity).columns.map(\.name))
    }

    /// Returns the query for the key and the version, and the entity if several share the table.
    mutating func keys() throws -> String { try select([]) }

    private mutating func select(_ names: [String]) throws -> String {
        let table = tables.table(of: request.entity)
        var columns = [SystemColumn.key, SystemColumn.version]
        if table.isPolymorphic { columns.append(SystemColumn.entity) }
        columns += names
        let list = "SELECT " + SQLText.list(columns.map { column(alias: 0, $0) }, by: ",")
        let tail = try condition() + order() + limit()
        if !request.passesOver { return list + from() + tail }
        let key = column(alias: 0, SystemColumn.key)
        return list + " FROM " + SQLText.quoted(table.name) + " AS t0 WHERE " + key + " = (SELECT "
            + key + from() + tail + ")"
    }

    mutating func count() throws -> String {
        if let keys = request.fewLeftOut { return try count(leavingOutFew: keys) }
        let tail = try condition()
        if request.limit == nil && request.offset == 0 { return "SELECT count(*)" + from() + tail }
        return "SELECT count(*) FROM (SELECT 1" + from() + tail + limit() + ")"
    }

    /// Returns a count that subtracts the left-out rows.
    ///
    /// A function call for each row would cost far more than counting it.
    private mutating func count(leavingOutFew keys: KeySet) throws -> String {
        let tail = try condition(leavesOut: false)
        let few = column(alias: 0, SystemColumn.key) + " IN (SELECT value FROM json_each(?))"
        return "SELECT (SELECT count(*)" + from() + tail + ")-(SELECT count(*)" + from()
            + (tail.isEmpty ? " WHERE " : tail + " AND ") + few + ")"
    }

    mutating func exists() throws -> String {
        let tail = try condition()
        return "SELECT EXISTS(SELECT 1" + from() + tail + limit() + ")"
    }

    private func column(alias: Int, _ name: String) -> String {
        "t\(alias)." + SQLText.quoted(name)
    }

    func from() -> String {
        " FROM " + SQLText.quoted(tables.table(of: request.entity).name) + " AS t0"
            + filters.scopes.joins
    }

    mutating func condition(leavesOut: Bool = true) throws -> String {
        var terms: [String] = []
        if let filter = request.filter { terms.append(try filters.sql(filter)) }
        if let kinds = tables.wantedKinds(of: request) {
            terms.append(
                column(alias: 0, SystemColumn.entity) + " IN " + SQLText.placeholders(kinds.count))
        }
        if leavesOut && request.leavingOut != nil {
            terms.append(KeptFunction.sql(column(alias: 0, SystemColumn.key)))
        }
        return terms.isEmpty ? "" : " WHERE " + SQLText.list(terms, by: " AND ")
    }

    mutating func order() throws -> String {
        var terms: [String] = []
        for term in request.sort {
            terms.append(try filters.sql(term))
        }
        if request.isOrdered { terms.append(column(alias: 0, SystemColumn.key)) }
        return terms.isEmpty ? "" : " ORDER BY " + SQLText.list(terms, by: ",")
    }

    func limit() -> String {
        if request.limit == nil && request.offset == 0 { return "" }
        return " LIMIT ?" + (request.offset == 0 ? "" : " OFFSET ?")
    }
}

extension StoreRequest {
    /// True if the request is for the first row that is not left out.
    ///
    /// SQLite skips rows before it faster if it looks only for the key: an index with the order and
    /// the condition is then all that it reads of these rows.
    var passesOver: Bool { limit == 1 && offset == 0 && leavingOut != nil }

    /// The keys to leave out of a count; nil if there are too many to look up.
    var fewLeftOut: KeySet? {
        guard limit == nil, offset == 0, let leavingOut, leavingOut.count <= mostSubtracted
        else {
            return nil
        }
        return leavingOut
    }
}
