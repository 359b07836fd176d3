import RecordStackModel

/// A query over members while it is being written.
private struct MemberQuery {
    var source = ""
    var conditions: [String] = []
    /// The number of relationships that the query follows.
    var depth = 1
}

// Queries over the members of to-many relationships.
extension FilterCompiler {
    /// The number of levels of members that are joined instead of nested as subqueries.
    ///
    /// SQLite's parser takes about a dozen nested subqueries. A join can have 64 tables, some of
    /// which the to-one steps need.
    private static var mostJoined: Int { 10 }

    /// Returns the subquery after EXISTS for members that match a condition.
    mutating func members(of relation: FilterRelation, where node: Filter.Node) throws -> String {
        var query = MemberQuery()
        try add(relation, node, to: &query)
        return Self.sql("1", query)
    }

    mutating func sql(_ aggregate: FilterAggregate) throws -> String {
        var query = MemberQuery()
        // Each member must count once, so nothing is joined to it.
        query.depth = Self.mostJoined
        var column = ""
        try add(aggregate.relation, aggregate.filter, to: &query) { compiler in
            guard let operand = aggregate.operand else {
                column = "count(*)"
                return
            }
            let value = try compiler.sql(operand)
            column = try compiler.sql(
                aggregate.kind, of: operand.namesMember ? value : compiler.ofMember(value), operand)
        }
        return Self.sql(column, query)
    }

    /// Returns the SQL of a value of all rows.
    ///
    /// A sum or average of an attribute refuses values outside the attribute's type.
    func sql(
        _ kind: FilterAggregate.Kind, of value: String, _ operand: FilterOperand
    ) throws -> String {
        guard kind == .sum || kind == .average, case .path(let path) = operand,
            let type = try scopes.slot(of: path)?.type
        else { return kind.sql(value, operand.collation) }
        let isNarrow = type.narrowRange != nil
        let checked = isNarrow ? "\(SQLFunction.narrow(type.name).name)(\(value))" : value
        return kind.sql(checked, operand.collation, isInteger: type.storage == .integer)
    }

    /// Returns a value of the objects around the members, for each member.
    ///
    /// SQLite assigns an aggregate to the query of its columns. A condition on the member's key,
    /// which is always at least 1, assigns it to this query.
    private func ofMember(_ value: String) -> String {
        "CASE WHEN \(QueryScopes.column(scopes.alias, SystemColumn.key)) > 0 THEN \(value) END"
    }

    private static func sql(_ column: String, _ query: MemberQuery) -> String {
        "(SELECT \(column) FROM \(query.source) WHERE "
            + SQLRow.and.sql(query.conditions, beside: .and) + ")"
    }

    /// Adds a relationship and its condition to a query.
    ///
    /// - Parameter selecting: writes the selected column, whose values come before those of
    ///   the condition.
    private mutating func add(
        _ relation: FilterRelation, _ node: Filter.Node?, to query: inout MemberQuery,
        selecting: (inout FilterCompiler) throws -> Void = { _ in }
    ) throws {
        let known = try tables.model.relationship(relation)
        let key = try scopes.key(relation.scope, relation.steps)
        let member = scopes.enter(entity: known.destination)
        let (source, link) = try tie(known, member, to: key)
        try selecting(&self)
        var inner = MemberQuery(depth: query.depth + 1)
        let terms = node?.conjuncts ?? []
        let joined = query.depth < Self.mostJoined ? Self.deepestMembers(terms) : nil
        for (index, term) in terms.enumerated() where term != .constant(true) {
            if index == joined, case .quantified(_, let next, let condition) = term {
                try add(next, condition, to: &inner)
            } else {
                inner.conditions.append(try sql(term))
            }
        }
        query.source += source + scopes.leave()
        // CROSS JOIN fixes the order of the loops: each one depends on the one around it.
        if !inner.source.isEmpty { query.source += " CROSS JOIN " + inner.source }
        query.conditions += inner.conditions + [link]
    }

    /// Returns the index of the deepest term among those that ask for some member.
    private static func deepestMembers(_ terms: [Filter.Node]) -> Int? {
        terms.indices.filter { if case .quantified(.any, _, _) = terms[$0] { true } else { false } }
            .max { terms[$0].levels < terms[$1].levels }
    }

    /// Returns the tables of a relationship's members, and the condition that links the owner.
    private mutating func tie(
        _ known: ModelRelationship, _ member: String, to key: String
    ) throws -> (source: String, link: String) {
        let target = SQLText.quoted(tables.table(of: known.destination).name)
        switch known.storage {
        case .members(let slot, _):
            let column = tables.columnName(entity: known.destination, slot: slot)
            return ("\(target) AS \(member)", "\(QueryScopes.column(member, column)) = \(key)")
        case .links(let index, let end):
            let joinTable = tables.model.joinTables[index]
            let link = scopes.newAlias()
            let there = QueryScopes.column(link, joinTable.end(end.other).column)
            var source = SQLText.quoted(LinkSchema(tables: tables).name(of: joinTable))
            source += " AS \(link) JOIN \(target) AS \(member)"
            source += " ON \(QueryScopes.column(member, SystemColumn.key)) = \(there)"
            return (source, "\(QueryScopes.column(link, joinTable.end(end).column)) = \(key)")
        case .key:
            throw RecordStackError(
                .misuse, "A filter asks for the members of a to-one relationship.")
        }
    }
}

extension FilterOperand {
    /// Whether the operand uses a value of the innermost member.
    fileprivate var namesMember: Bool {
        switch self {
        case .value: false
        case .path(let path): path.scope == .member(0)
        case .arithmetic(_, let a, let b): a.namesMember || b.namesMember
        case .function(_, let operand): operand.namesMember
        case .aggregate(let aggregate): aggregate.relation.scope == .member(0)
        }
    }
}

extension Filter.Node {
    /// The terms that must all be true, in the order of their values.
    fileprivate var conjuncts: [Filter.Node] {
        if case .and(let chain) = self { chain.sqlTerms } else { [self] }
    }
}

extension ManagedObjectModel {
    fileprivate func relationship(_ relation: FilterRelation) throws -> ModelRelationship {
        modelEntities[try requireIndex(of: relation.owner)].relationships[relation.relationship]
    }
}
