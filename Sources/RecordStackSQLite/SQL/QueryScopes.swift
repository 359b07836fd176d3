import RecordStackModel

/// The tables of a query and of the queries inside of it: what each is called, and what is joined to it.
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

    /// The name of another table.
    mutating func newAlias() -> String {
        defer { aliases += 1 }
        return "t\(aliases)"
    }

    /// - Returns: what the table of the entity is called inside.
    @discardableResult
    mutating func enter(entity: Int) -> String {
        let alias = newAlias()
        scopes.append(Scope(entity: entity, alias: alias))
        return alias
    }

    /// - Returns: the joins that what was written inside needs.
    mutating func leave() -> String {
        let joins = joins
        scopes.removeLast()
        return joins
    }

    static func column(_ alias: String, _ name: String) -> String {
        alias + "." + SQLText.quoted(name)
    }

    /// The column of a path's end.
    mutating func column(of path: FilterPath) throws -> String {
        try column(path.scope, path.steps[...], slot: path.slot)
    }

    /// The table and the column of a path without steps; nil where there are some, because a reference may
    /// be null, and what is joined is then missing.
    func ownColumn(of path: FilterPath) throws -> (table: String, column: String)? {
        guard path.steps.isEmpty else { return nil }
        let entity = scopes[try index(of: path.scope)].entity
        return (
            tables.table(of: entity).name, tables.columnName(entity: entity, slot: path.slot)
        )
    }

    /// The property at a path's end; nil for a key.
    func slot(of path: FilterPath) throws -> SlotDescription? {
        if path.slot == FilterPath.keySlot { return nil }
        let entity = entity(at: path.steps[...], in: try index(of: path.scope))
        return tables.model.modelEntities[entity].description.slots[path.slot]
    }

    /// The column that has the key of the object at the end of some steps.
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
        // Each of them was joined just now or before.
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
        // The path was made from the same descriptions as the model.
        steps.last.flatMap { tables.model.index(of: $0.destination) } ?? scopes[index].entity
    }

    /// The joins of the innermost query.
    var joins: String {
        let index = scopes.count - 1
        var sql = ""
        for (steps, joined) in scopes[index].joins {
            // A join is only made for a path of at least one step, whose owner was joined before.
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

    /// Whether nothing but the first table was named.
    var isSingle: Bool { aliases == 1 }

    /// The innermost table.
    var alias: String { scopes[scopes.count - 1].alias }
}
