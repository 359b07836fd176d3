import RecordStackModel

/// Binds a request's values to the parameters that ``RequestCompiler`` wrote for them.
struct RequestBinder {
    private var binder: FilterBinder

    init(statement: SQLiteStatement, isRecording: Bool = false) {
        binder = FilterBinder(statement: statement, isRecording: isRecording)
    }

    /// The bound values, if they are recorded.
    var recorded: [StoredValue] { binder.recorded }

    /// Binds the values of a request.
    ///
    /// - Parameter isSorted: true if the statement has an order; false for a count.
    mutating func bind(_ request: StoreRequest, tables: TableMap, isSorted: Bool) throws {
        if let filter = request.filter { try binder.bind(filter) }
        try bindKinds(of: request, tables: tables)
        if let keys = request.leavingOut { try binder.bind(keys) }
        if isSorted { for term in request.sort { try binder.bind(term.operand) } }
        if request.limit == nil && request.offset == 0 { return }
        // SQLite treats a negative limit as no limit.
        try binder.bind(.integer(Int64(request.limit ?? -1)))
        if request.offset != 0 { try binder.bind(.integer(Int64(request.offset))) }
    }

    /// Binds the values of a count.
    mutating func bind(counting request: StoreRequest, tables: TableMap) throws {
        guard let keys = request.fewLeftOut else {
            return try bind(request, tables: tables, isSorted: false)
        }
        var all = request
        all.leavingOut = nil
        for _ in 0..<2 { try bind(all, tables: tables, isSorted: false) }
        try binder.bind(.text(Self.json(keys.sorted)))
    }

    mutating func bind(_ operand: FilterOperand) throws { try binder.bind(operand) }

    /// Binds the names of the entities whose rows are requested.
    private mutating func bindKinds(of request: StoreRequest, tables: TableMap) throws {
        guard let kinds = tables.wantedKinds(of: request) else { return }
        for kind in kinds { try binder.bind(.text(tables.model.modelEntities[kind].name)) }
    }

    static func json(_ keys: [Int64]) -> String {
        "[" + keys.map(String.init).joined(separator: ",") + "]"
    }
}
