import RecordStackModel

// Requests for values instead of rows. The objects are selected as in requests for rows.
extension RequestCompiler {
    /// Returns the query of a value request. Groups come in the order of their keys.
    mutating func values(_ request: ValueRequest) throws -> String {
        let keys = try request.keys.map { try filters.sql($0) + $0.neededCollation }
        let columns = try request.columns.map { try column($0, keys: keys) }
        var tail = try condition()
        if request.isAggregate {
            if !keys.isEmpty {
                let list = SQLText.list(keys, by: ",")
                tail += " GROUP BY \(list) ORDER BY \(list)"
            }
        } else {
            tail += try order() + limit()
        }
        return "SELECT " + SQLText.list(columns, by: ",") + from() + tail
    }

    private mutating func column(_ column: ValueColumn, keys: [String]) throws -> String {
        switch column {
        case .value(let operand): return try filters.sql(operand)
        case .key(let index): return keys[index]
        case .aggregate(let kind, nil, _): return kind.sql("*", .binary)
        case .aggregate(let kind, let operand?, let isDistinct):
            let value = try filters.sql(operand)
            return isDistinct
                ? kind.sql("DISTINCT " + value + operand.neededCollation, .binary)
                : try filters.sql(kind, of: value, operand)
        }
    }
}

extension RequestBinder {
    /// Binds the values in the order of the parameters from ``RequestCompiler/values(_:)``.
    mutating func bind(_ request: ValueRequest, tables: TableMap) throws {
        for column in request.columns {
            switch column {
            case .value(let operand), .aggregate(_, let operand?, _): try bind(operand)
            case .key(let index): try bind(request.keys[index])
            case .aggregate(_, nil, _): break
            }
        }
        if !request.isAggregate {
            return try bind(request.objects, tables: tables, isSorted: true)
        }
        try bind(request.objects, tables: tables, isSorted: false)
        // The keys are bound once for the groups, and once for their order.
        for key in request.keys + request.keys { try bind(key) }
    }
}

extension SQLiteConnection {
    func values(_ request: ValueRequest, into take: ([StoredValue]) throws -> Void) throws {
        try reporting {
            let statement = try statement(.values(ValueShape(request: request))) {
                var compiler = RequestCompiler(request: request.objects, on: self)
                return try compiler.values(request)
            }
            var binder = RequestBinder(statement: statement)
            try binder.bind(request, tables: tables)
            defer { statement.reset() }
            while try statement.step() {
                try take(
                    request.columns.indices.map { statement.storedValue(column: Int32($0)) })
            }
        }
    }
}

/// A value request without the values of its filter.
struct ValueShape: Hashable {
    let request: ValueRequest

    static func == (lhs: ValueShape, rhs: ValueShape) -> Bool {
        lhs.request.keys == rhs.request.keys && lhs.request.columns == rhs.request.columns
            && RequestShape(request: lhs.request.objects)
                == RequestShape(request: rhs.request.objects)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(request.columns)
        hasher.combine(RequestShape(request: request.objects))
    }
}
