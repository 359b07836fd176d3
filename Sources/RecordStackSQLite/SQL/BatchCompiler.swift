import RecordStackModel

/// Compiles a batch write to SQL.
///
/// The values must be bound in the order in which the compiler writes their parameters: the new
/// values, then those of the request.
struct BatchCompiler {
    private let request: StoreRequest
    private let tables: TableMap
    private var compiler: RequestCompiler

    init(request: StoreRequest, on connection: SQLiteConnection) {
        self.request = request
        tables = connection.tables
        compiler = RequestCompiler(request: request, on: connection)
    }

    private var table: TableMap.Table { tables.table(of: request.entity) }
    private var tableName: String { SQLText.quoted(table.name) }
    private let key = SQLText.quoted(SystemColumn.key)
    private let version = SQLText.quoted(SystemColumn.version)

    private var isWhole: Bool { request.limit == nil && request.offset == 0 }

    /// The key and the version, and the entity if several entities share the table.
    private var returnedSystemColumns: [String] {
        [key, version] + (table.isPolymorphic ? [SQLText.quoted(SystemColumn.entity)] : [])
    }

    func deletion() throws -> String {
        var compiler = compiler
        let condition = try compiler.condition()
        let tail = " RETURNING " + SQLText.list(returnedSystemColumns, by: ",")
        if isWhole && compiler.filters.scopes.isSingle {
            return "DELETE FROM \(tableName) AS t0\(condition)\(tail)"
        }
        // The order may use relationships that the condition does not use.
        let window = try window(&compiler)
        return
            "DELETE FROM \(tableName) WHERE \(key) IN "
            + "(SELECT t0.\(key)\(compiler.from())\(condition)\(window))\(tail)"
    }

    /// Returns the order and the limit, which belong together.
    private func window(_ compiler: inout RequestCompiler) throws -> String {
        isWhole ? "" : try compiler.order() + compiler.limit()
    }

    func update(_ values: [BatchWrite.Value], returnsRows: Bool) throws -> String {
        var compiler = compiler
        let news = try values.map { try compiler.filters.sql($0.operand) }
        let condition = try compiler.condition()
        let names = values.map {
            SQLText.quoted(tables.columnName(entity: request.entity, slot: $0.slot))
        }
        var columns = returnedSystemColumns
        columns += table.columns.map { SQLText.quoted($0.name) }
        let tail = returnsRows ? " RETURNING " + SQLText.list(columns, by: ",") : ""
        if isWhole && compiler.filters.scopes.isSingle {
            return "UPDATE \(tableName) AS t0 SET \(sets(names, news))\(condition)\(tail)"
        }
        // The query computes all new values before the first one is written, so that no value
        // depends on another new value.
        let selected = news.enumerated().map { "\($1) AS _new\($0)" }
        let list = SQLText.list(["t0.\(key) AS _at"] + selected, by: ",")
        let window = try window(&compiler)
        let source = "SELECT \(list)\(compiler.from())\(condition)\(window)"
        return "UPDATE \(tableName) SET \(sets(names, news.indices.map { "_news._new\($0)" })) "
            + "FROM (\(source)) AS _news WHERE \(tableName).\(key) = _news._at\(tail)"
    }

    private func sets(_ names: [String], _ values: [String]) -> String {
        let sets = zip(names, values).map { "\($0)=\($1)" }
        return SQLText.list(sets + ["\(version)=\(version)+1"], by: ",")
    }
}
