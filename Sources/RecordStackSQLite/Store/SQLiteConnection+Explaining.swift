import RecordStackModel

extension SQLiteConnection {
    func explanation(of request: StoreRequest) throws -> RequestExplanation {
        try reporting {
            var compiler = RequestCompiler(request: request, on: self)
            return try explanation(of: compiler.rows()) {
                try $0.bind(request, tables: tables, isSorted: true)
            }
        }
    }

    func explanation(ofCounting request: StoreRequest) throws -> RequestExplanation {
        try reporting {
            var compiler = RequestCompiler(request: request, on: self)
            return try explanation(of: compiler.count()) {
                try $0.bind(counting: request, tables: tables)
            }
        }
    }

    func explanation(of request: ValueRequest) throws -> RequestExplanation {
        try reporting {
            var compiler = RequestCompiler(request: request.objects, on: self)
            return try explanation(of: compiler.values(request)) {
                try $0.bind(request, tables: tables)
            }
        }
    }

    private func explanation(
        of sql: String, bind: (inout RequestBinder) throws -> Void
    ) throws -> RequestExplanation {
        try prepareFunctions(for: sql)
        let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + sql, on: self)
        var binder = RequestBinder(statement: statement, isRecording: true)
        try bind(&binder)
        return RequestExplanation(
            sql: sql, bindings: binder.recorded, plan: try Self.plan(statement))
    }

    /// Returns the steps of a plan, indented by their nesting.
    private static func plan(_ statement: SQLiteStatement) throws -> [String] {
        var steps: [String] = []
        var depths: [Int64: Int] = [0: -1]
        defer { statement.reset() }
        while try statement.step() {
            let depth = (depths[statement.integer(column: 1)] ?? -1) + 1
            depths[statement.integer(column: 0)] = depth
            let text = statement.storedValue(column: 3).text ?? ""
            steps.append(String(repeating: "  ", count: depth) + text)
        }
        return steps
    }
}
