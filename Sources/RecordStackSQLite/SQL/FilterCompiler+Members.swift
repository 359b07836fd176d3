import RecordStackModel

/// A query over members, while it is being written.
private struct MemberQuery {
    var source = ""
    var conditions: [String] = []
    /// How many relationships it goes through.
    var depth = 1
}

// Queries over the members of to-many relationships.
extension FilterCompiler {
    /// Members of members are joined, so far, and not asked in one query inside of another: SQLite's parser
    /// takes a dozen of those. A join has room for 64 tables, and to-one steps need some.
    private static var mostJoined: Int { 10 }

    /// Whether there are members for which a condition is true, which stands behind EXISTS.
    mutating func members(of relation: FilterRelation, where node: Filter.Node) throws -> String {
        var query = MemberQuery()
        try add(relation, node, to: &query)
        return Self.sql("1", query)
    }

    mutating func sql(_ aggregate: FilterAggregate) throws -> String {
        var query = MemberQuery()
        // Each member counts once, whatever is joined to it.
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

    /// The SQL of a value of all rows. Where an attribute is added up, values that are none of its type are refused.
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

    /// A value of the objects around the members, for each member. SQLite takes an aggregate for one of the
    /// query that its columns are of: a member's key, which is never less than 1, says that it is of this one.
    private func ofMember(_ value: String) -> String {
        "CASE WHEN \(QueryScopes.column(scopes.alias, SystemColumn.key)) > 0 THEN \(value) END"
    }

    private static func sql(_ column: String, _ query: MemberQuery) -> String {
        "(SELECT \(column) FROM \(query.source) WHERE "
            + SQLRow.and.sql(query.conditions, beside: .and) + ")"
    }

    /// - Parameter selecting: writes what is selected, whose values stand before those of the condition.
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
        // In this order: what each loop is over is known from the one around it.
        if !inner.source.isEmpty { query.source += " CROSS JOIN " + inner.source }
        query.conditions += inner.conditions + [link]
    }

    /// The index of the deepest of the terms that ask for some member.
    private static func deepestMembers(_ terms: [Filter.Node]) -> Int? {
        terms.indices.filter { if case .quantified(.any, _, _) = terms[$0] { true } else { false } }
            .max { terms[$0].levels < terms[$1].levels }
    }

    /// The tables of a relationship's members, and what ties them to the owner.
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
    /// Whether something of the innermost member is in it.
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
    /// What must all be true, in the order of its values.
    fileprivate var conjuncts: [Filter.Node] {
        if case .and(let chain) = self { chain.sqlTerms } else { [self] }
    }
}

extension ManagedObjectModel {
    fileprivate func relationship(_ relation: FilterRelation) throws -> ModelRelationship {
        modelEntities[try requireIndex(of: relation.owner)].relationships[relation.relationship]
    }
}
