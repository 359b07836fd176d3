import RecordStackModel

/// Turns a request into SQL with a place for each of its values.
///
/// ``RequestBinder`` binds the values in the order in which this writes their places.
struct RequestCompiler {
    let request: StoreRequest
    let tables: TableMap
    private var joins: [[FilterPath.Step]] = []

    init(request: StoreRequest, tables: TableMap) {
        self.request = request
        self.tables = tables
    }

    /// Key, version, entity where rows of several share the table, and all columns.
    mutating func rows() throws -> String {
        try select(tables.table(of: request.entity).columns.map(\.name))
    }

    /// Key, version, and entity where rows of several share the table.
    mutating func keys() throws -> String { try select([]) }

    private mutating func select(_ names: [String]) throws -> String {
        let table = tables.table(of: request.entity)
        var columns = [SystemColumn.key, SystemColumn.version]
        if table.isPolymorphic { columns.append(SystemColumn.entity) }
        columns += names
        let tail = try condition() + order()
        return "SELECT " + SQLText.list(columns.map { column(alias: 0, $0) }, by: ",")
            + from() + tail + limit()
    }

    mutating func count() throws -> String {
        let tail = try condition()
        if request.limit == nil && request.offset == 0 { return "SELECT count(*)" + from() + tail }
        return "SELECT count(*) FROM (SELECT 1" + from() + tail + limit() + ")"
    }

    mutating func exists() throws -> String {
        let tail = try condition()
        return "SELECT EXISTS(SELECT 1" + from() + tail + limit() + ")"
    }

    private func column(alias: Int, _ name: String) -> String {
        "t\(alias)." + SQLText.quoted(name)
    }

    private func from() -> String {
        var sql = " FROM " + SQLText.quoted(tables.table(of: request.entity).name) + " AS t0"
        for (index, steps) in joins.enumerated() {
            // A join is only made for a path of at least one step, whose owner was joined before.
            let last = steps[steps.count - 1]
            let owner = alias(of: Array(steps.dropLast()))
            let source = entity(at: steps.dropLast())
            let target = tables.table(of: entity(at: steps[...])).name
            let foreign = column(alias: owner, tables.columnName(entity: source, slot: last.slot))
            sql += " LEFT JOIN \(SQLText.quoted(target)) AS t\(index + 1)"
            sql += " ON \(column(alias: index + 1, SystemColumn.key)) = \(foreign)"
        }
        return sql
    }

    private func entity(at steps: ArraySlice<FilterPath.Step>) -> Int {
        // The path was made from the same descriptions as the model.
        steps.last.map { tables.model.index(of: $0.destination) ?? request.entity }
            ?? request.entity
    }

    private func alias(of steps: [FilterPath.Step]) -> Int {
        steps.isEmpty ? 0 : (joins.firstIndex(of: steps) ?? -1) + 1
    }

    private mutating func operand(_ path: FilterPath) throws -> String {
        for step in path.steps { _ = try tables.model.requireIndex(of: step.destination) }
        for length in 0..<path.steps.count where !joins.contains(Array(path.steps[...length])) {
            joins.append(Array(path.steps[...length]))
        }
        let owner = entity(at: path.steps[...])
        return column(
            alias: alias(of: path.steps), tables.columnName(entity: owner, slot: path.slot))
    }

    private mutating func condition() throws -> String {
        var terms: [String] = []
        if let filter = request.filter { terms.append(try sql(filter, negated: false)) }
        if let kinds = tables.wantedKinds(of: request) {
            terms.append(
                column(alias: 0, SystemColumn.entity) + " IN " + SQLText.placeholders(kinds.count))
        }
        if !request.excluding.isEmpty {
            terms.append(
                column(alias: 0, SystemColumn.key) + " NOT IN (SELECT value FROM json_each(?))")
        }
        return terms.isEmpty ? "" : " WHERE " + SQLText.list(terms, by: " AND ")
    }

    /// A filter is never unknown, but a comparison with null in SQL is. Negation is therefore
    /// carried down to the comparisons, where null can be dealt with, and indexes stay usable.
    private mutating func sql(_ node: Filter.Node, negated: Bool) throws -> String {
        switch node {
        case .constant(let value): return value != negated ? "1" : "0"
        case .not(let node): return try sql(node, negated: !negated)
        case .and:
            return try chain(node, negated ? " OR " : " AND ", negated) {
                if case .and(let a, let b) = $0 { (a, b) } else { nil }
            }
        case .or:
            return try chain(node, negated ? " AND " : " OR ", negated) {
                if case .or(let a, let b) = $0 { (a, b) } else { nil }
            }
        case .isNull(let path):
            return try operand(path) + (negated ? " IS NOT NULL" : " IS NULL")
        case .compare(let path, let comparison, _):
            let operand = try operand(path)
            let wanted = negated ? comparison.opposite : comparison
            let acceptsNull = (comparison == .notEqual) != negated
            let term = "\(operand) \(wanted.sql) ?"
            return acceptsNull ? "(\(term) OR \(operand) IS NULL)" : term
        case .text(let path, let match, _): return try text(path, match, negated: negated)
        case .among(let path, let values):
            let operand = try operand(path)
            let term = "\(operand) \(negated ? "NOT IN" : "IN") \(AmongForm(values).sql)"
            return negated ? "(\(term) OR \(operand) IS NULL)" : term
        case .leads(_, let id):
            throw RecordStackError(.misuse, "\(id) was not looked up in its store.", objectID: id)
        case .invalid(let message): throw RecordStackError(.misuse, message)
        }
    }

    /// A chain of one operator, however it leans: its terms in their order, in brackets that are as
    /// shallow as can be. SQLite's parser is at an end after a hundred brackets.
    private mutating func chain(
        _ node: Filter.Node, _ joiner: String, _ negated: Bool,
        parts: (Filter.Node) -> (Filter.Node, Filter.Node)?
    ) throws -> String {
        var terms: [String] = []
        var rest = [node]
        while let next = rest.popLast() {
            if let (a, b) = parts(next) {
                rest += [b, a]
            } else {
                terms.append(try sql(next, negated: negated))
            }
        }
        return Self.balanced(terms[...], joiner)
    }

    private static func balanced(_ terms: ArraySlice<String>, _ joiner: String) -> String {
        if terms.count == 1, let only = terms.first { return only }
        let middle = terms.startIndex + (terms.count + 1) / 2
        return "(" + balanced(terms[..<middle], joiner) + joiner
            + balanced(terms[middle...], joiner) + ")"
    }

    private mutating func text(
        _ path: FilterPath, _ match: Filter.TextMatch, negated: Bool
    ) throws -> String {
        let operand = try operand(path)
        switch (match, negated) {
        case (.hasPrefix, false): return "(\(operand) >= ? AND \(operand) < ?)"
        case (.hasPrefix, true): return "(\(operand) < ? OR \(operand) >= ? OR \(operand) IS NULL)"
        case (.contains, false): return "instr(\(operand),?) > 0"
        case (.contains, true): return "(instr(\(operand),?) = 0 OR \(operand) IS NULL)"
        }
    }

    private mutating func order() throws -> String {
        var terms: [String] = []
        for term in request.sort {
            // A request without a path is refused before it gets here.
            guard let path = term.path else { continue }
            terms.append(try operand(path) + (term.isAscending ? "" : " DESC"))
        }
        terms.append(column(alias: 0, SystemColumn.key))
        return " ORDER BY " + SQLText.list(terms, by: ",")
    }

    private func limit() -> String {
        if request.limit == nil && request.offset == 0 { return "" }
        return " LIMIT ?" + (request.offset == 0 ? "" : " OFFSET ?")
    }
}

extension Filter.Comparison {
    var sql: String {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

extension AmongForm {
    var sql: String {
        switch self {
        case .json: "(SELECT value FROM json_each(?))"
        case .parameters(let count): SQLText.placeholders(count)
        }
    }
}
