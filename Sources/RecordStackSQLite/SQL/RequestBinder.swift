import RecordStackModel

/// Binds a request's values to the places that ``RequestCompiler`` wrote for them.
struct RequestBinder {
    let statement: SQLiteStatement
    private var index: Int32 = 0

    init(statement: SQLiteStatement) {
        self.statement = statement
    }

    mutating func bind(_ request: StoreRequest, tables: TableMap) throws {
        if let filter = request.filter { try bind(filter) }
        try bindKinds(of: request, tables: tables)
        if !request.excluding.isEmpty { try bind(.text(Self.json(request.excluding))) }
        if request.limit == nil && request.offset == 0 { return }
        // SQLite reads a negative limit as none.
        try bind(.integer(Int64(request.limit ?? -1)))
        if request.offset != 0 { try bind(.integer(Int64(request.offset))) }
    }

    /// The names of the entities whose rows are wanted.
    private mutating func bindKinds(of request: StoreRequest, tables: TableMap) throws {
        guard let kinds = tables.wantedKinds(of: request) else { return }
        for kind in kinds { try bind(.text(tables.model.modelEntities[kind].name)) }
    }

    private mutating func bind(_ node: Filter.Node) throws {
        switch node {
        case .constant, .isNull, .leads, .invalid: break
        case .not(let node): try bind(node)
        case .and(let a, let b), .or(let a, let b):
            try bind(a)
            try bind(b)
        case .compare(_, _, let value): try bind(value)
        case .text(_, .contains, let text): try bind(.text(text))
        case .text(_, .hasPrefix, let text): try bindBounds(of: text)
        case .among(_, let values): try bind(among: values)
        }
    }

    private mutating func bind(_ value: StoredValue) throws {
        index += 1
        try statement.bind(value, at: index)
    }

    /// Texts with a prefix lie between it and itself followed by a byte that UTF-8 never has.
    private mutating func bindBounds(of prefix: String) throws {
        try bind(.text(prefix))
        index += 1
        try statement.bind(text: Array(prefix.utf8) + [0xFF], at: index)
    }

    private mutating func bind(among values: [StoredValue]) throws {
        switch AmongForm(values) {
        case .json: try bind(.text(Self.json(values.compactMap(\.integer))))
        case .parameters(let count):
            for place in 0..<count { try bind(values[min(place, values.count - 1)]) }
        }
    }

    static func json(_ keys: [Int64]) -> String {
        "[" + keys.map(String.init).joined(separator: ",") + "]"
    }
}
