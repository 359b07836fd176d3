import RecordStackModel

/// The tables of a query and its subqueries, with their aliases and the joins to each.
struct QueryScopes {
    private struct Scope {
        let entity: Int
        let alias: String
        var joins: [(steps: [FilterPath.Step], alias: String)] = []
    }

    private let tables: TableMap
    private var scopes: [Scope] = []
    private var aliases = 0

    init(entity: Int, tables: TableMap) {
        self.tables = tables
        enter(entity: entity)
    }

    /// Returns an alias for another table.
    mutating func newAlias() -> String {
        defer { aliases += 1 }
        return "t\(aliases)"
    }

    /// Enters a subquery.
    ///
    /// - Returns: the alias of the entity's table in it.
    @discardableResult
    mutating func enter(entity: Int) -> String {
        let alias = newAlias()
        scopes.append(Scope(entity: entity, alias: alias))
        return alias
    }

    /// Leaves the innermost subquery.
    ///
    /// - Returns: the joins that its terms need.
    mutating func leave() -> String {
        let joins = joins
        scopes.removeLast()
        return joins
    }

    static func column(_ alias: String, _ name: String) -> String {
        alias + "." + SQLText.quoted(name)
    }

    /// Returns the column at a path's end.
    mutating func column(of path: FilterPath) throws -> String {
        try column(path.scope, path.steps[...], slot: path.slot)
    }

    /// Returns the table and the column of a path without steps.
    ///
    /// Nil for a path with steps: if a reference on it is null, the joined column is null as well.
    func ownColumn(of path: FilterPath) throws -> (table: String, column: String)? {
        guard path.steps.isEmpty else { return nil }
        let entity = scopes[try index(of: path.scope)].entity
        return (
            tables.table(of: entity).name, tables.columnName(entity: entity, slot: path.slot)
        )
    }

    /// Returns the property at a path's end; nil for a key.
    func slot(of path: FilterPath) throws -> SlotDescription? {
        if path.slot == FilterPath.keySlot { return nil }
        let entity = entity(at: path.steps[...], in: try index(of: path.scope))
        return tables.model.modelEntities[entity].description.slots[path.slot]
    }

    /// Returns the column with the key of the object at the end of some steps.
    mutating func key(_ scope: FilterScope, _ steps: [FilterPath.Step]) throws -> String {
        guard let last = steps.last else {
            return try column(scope, [], slot: FilterPath.keySlot)
        }
        return try column(scope, steps.dropLast(), slot: last.slot)
    }

    private mutating func column(
        _ scope: FilterScope, _ steps: ArraySlice<FilterPath.Step>, slot: Int
    ) throws -> String {
        for step in steps { _ = try tables.model.requireIndex(of: step.destination) }
        let index = try index(of: scope)
        for length in steps.indices where alias(of: steps[...length], in: index) == nil {
            let joined = newAlias()
            scopes[index].joins.append((Array(steps[...length]), joined))
        }
        // Each prefix of the path was joined just now or earlier.
        let alias = alias(of: steps, in: index)!
        return Self.column(
            alias, tables.columnName(entity: entity(at: steps, in: index), slot: slot))
    }

    private func index(of scope: FilterScope) throws -> Int {
        switch scope {
        case .root: return 0
        case .member(let level): return scopes.count - 1 - level
        case .open: throw RecordStackError.openScope
        }
    }

    private func alias(of steps: ArraySlice<FilterPath.Step>, in index: Int) -> String? {
        if steps.isEmpty { return scopes[index].alias }
        return scopes[index].joins.first { $0.steps[...] == steps }?.alias
    }

    private func entity(at steps: ArraySlice<FilterPath.Step>, in index: Int) -> Int {
        // The path was built from the same descriptions as the model.
        steps.last.flatMap { tables.model.index(of: $0.destination) } ?? scopes[index].entity
    }

    /// The joins of the innermost query.
    var joins: String {
        let index = scopes.count - 1
        var sql = ""
        for (steps, joined) in scopes[index].joins {
            // A join exists only for a path of at least one step, and its owner was joined before.
            let last = steps[steps.count - 1]
            let owner = alias(of: steps.dropLast(), in: index)!
            let source = entity(at: steps.dropLast(), in: index)
            let target = tables.table(of: entity(at: steps[...], in: index)).name
            let foreign = Self.column(owner, tables.columnName(entity: source, slot: last.slot))
            sql += " LEFT JOIN \(SQLText.quoted(target)) AS \(joined)"
            sql += " ON \(Self.column(joined, SystemColumn.key)) = \(foreign)"
        }
        return sql
    }

    /// Whether the query uses only the first table.
    var isSingle: Bool { aliases == 1 }

    /// The alias of the innermost query's first table.
    var alias: String { scopes[scopes.count - 1].alias }
}
