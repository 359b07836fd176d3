import RecordStackModel

/// Turns a filter into SQL with a place for each of its values.
///
/// ``FilterBinder`` binds the values in the order in which this writes their places.
struct FilterCompiler {
    let tables: TableMap
    var scopes: QueryScopes
    /// Whether the store cannot have a null in a table's column. `OR … IS NULL` is left out there: SQLite finds
    /// that it is never true, and still does not use an index for what it is joined with.
    let isNeverNull: (_ table: String, _ column: String) -> Bool

    /// A filter is never unknown, but a comparison with null in SQL is. Negation is therefore
    /// carried down to the comparisons, where null can be dealt with, and indexes stay usable.
    mutating func sql(_ node: Filter.Node, negated: Bool = false) throws -> String {
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
        case .isNull(let operand):
            return try sql(operand) + (negated ? " IS NOT NULL" : " IS NULL")
        case .compare(let a, let comparison, let b, let options):
            return try compare(a, comparison, b, options, negated: negated)
        case .text(let a, let match, let b, let options):
            return try text(a, match, b, options, negated: negated)
        case .among(let operand, let values): return try among(operand, values, negated)
        case .quantified(let quantifier, let relation, let node):
            let isThere = (quantifier == .any) != negated
            let query = try members(of: relation, where: node) { _ in "1" }
            return (isThere ? "" : "NOT ") + "EXISTS " + query
        case .leads(_, let ids):
            throw RecordStackError(
                .misuse, "\(ids) were not looked up in their store.", objectID: ids.first)
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

    private mutating func among(
        _ operand: FilterOperand, _ values: [StoredValue], _ negated: Bool
    ) throws -> String {
        let value = try sql(operand) + operand.neededCollation
        let list = AmongForm(values).sql
        if !negated { return "\(value) IN \(list)" }
        guard operand.isPath else { return "(\(value) IN \(list)) IS NOT TRUE" }
        let term = "\(value) NOT IN \(list)"
        return try mayBeNull(operand) ? "(\(term) OR \(value) IS NULL)" : term
    }

    // MARK: Two values

    private mutating func compare(
        _ a: FilterOperand, _ comparison: Filter.Comparison, _ b: FilterOperand,
        _ options: TextOptions, negated: Bool
    ) throws -> String {
        // On the left, because SQLite forgets the one on the right where it makes a list of what OR joins.
        let left = folded(try sql(a), options) + collation(a, b, options)
        let right = folded(try sql(b), options)
        // A value that is given is not null, and a path can be written twice.
        if a.isPath && b.isValue {
            let wanted = negated ? comparison.opposite : comparison
            let acceptsNull = try (comparison == .notEqual) != negated && mayBeNull(a)
            let term = "\(left) \(wanted.sql) \(right)"
            return acceptsNull ? "(\(term) OR \(left) IS NULL)" : term
        }
        switch comparison {
        case .equal: return "(\(left) \(negated ? "IS NOT" : "IS") \(right))"
        case .notEqual: return "(\(left) \(negated ? "IS" : "IS NOT") \(right))"
        default:
            let term = "(\(left) \(comparison.sql) \(right))"
            return negated ? "(\(term) IS NOT TRUE)" : term
        }
    }

    /// Whether a path's end can be null.
    private func mayBeNull(_ operand: FilterOperand) throws -> Bool {
        guard case .path(let path) = operand, let end = try scopes.ownColumn(of: path) else {
            return true
        }
        return !isNeverNull(end.table, end.column)
    }

    private func folded(_ sql: String, _ options: TextOptions) -> String {
        options.contains(.diacriticInsensitive)
            ? "\(SQLFunction.fold(options).name)(\(sql))" : sql
    }

    /// A column beside a value has its own.
    private func collation(
        _ a: FilterOperand, _ b: FilterOperand, _ options: TextOptions
    ) -> String {
        if options == .caseInsensitive {
            return " COLLATE \(Collation.caseInsensitive.sqlText)"
        }
        if !options.isEmpty || (a.isPath && b.isValue) { return "" }
        let order = Filter.Node.order(of: a, b)
        return order == .binary ? "" : " COLLATE \(order.sqlText)"
    }

    private mutating func text(
        _ a: FilterOperand, _ match: Filter.TextMatch, _ b: FilterOperand,
        _ options: TextOptions, negated: Bool
    ) throws -> String {
        let operand = try sql(a)
        switch TextForm(a, match, b, options) {
        case .range where negated:
            let term = "\(operand) < ? OR \(operand) >= ?"
            return try mayBeNull(a) ? "(\(term) OR \(operand) IS NULL)" : "(\(term))"
        case .range: return "(\(operand) >= ? AND \(operand) < ?)"
        case .part where negated: return "(instr(\(operand),?) > 0) IS NOT TRUE"
        case .part: return "instr(\(operand),?) > 0"
        case .function:
            let name = SQLFunction.match(match, options).name
            let call = "\(name)(\(operand),\(try sql(b)))"
            return "(\(call) \(negated ? "IS NOT" : "IS") 1)"
        }
    }

    // MARK: Values

    mutating func sql(_ operand: FilterOperand) throws -> String {
        switch operand {
        case .value: return "?"
        case .path(let path): return try scopes.column(of: path)
        case .arithmetic(let operation, let a, let b):
            let (left, right) = (try sql(a), try sql(b))
            if operand.collation == .decimal {
                return "\(SQLFunction.decimal(operation).name)(\(left),\(right))"
            }
            if operation == .modulo { return "\(SQLFunction.remainder.name)(\(left),\(right))" }
            return "(\(left) \(operation.rawValue) \(right))"
        case .function(let function, let operand):
            return "\(SQLFunction.call(function).name)(\(try sql(operand)))"
        case .aggregate(let aggregate): return try sql(aggregate)
        }
    }

    mutating func sql(_ term: SortTerm) throws -> String {
        var text = folded(try sql(term.operand), term.options)
        text +=
            term.options == .caseInsensitive
            ? " COLLATE \(Collation.caseInsensitive.sqlText)" : term.operand.neededCollation
        if !term.isAscending { text += " DESC" }
        if term.nulls == SortTerm.usualNulls(term.isAscending) { return text }
        return text + (term.nulls == .first ? " NULLS FIRST" : " NULLS LAST")
    }

    private mutating func sql(_ aggregate: FilterAggregate) throws -> String {
        try members(of: aggregate.relation, where: aggregate.filter) { compiler in
            guard let operand = aggregate.operand else { return "count(*)" }
            return aggregate.kind.sql(
                try compiler.sql(operand), operand.collation)
        }
    }

    /// A query over the members of a relationship, in brackets.
    private mutating func members(
        of relation: FilterRelation, where node: Filter.Node?,
        _ selected: (inout FilterCompiler) throws -> String
    ) throws -> String {
        let model = tables.model
        let owner = try model.requireIndex(of: relation.owner)
        let known = model.modelEntities[owner].relationships[relation.relationship]
        let key = try scopes.key(relation.scope, relation.steps)
        let target = SQLText.quoted(tables.table(of: known.destination).name)
        var source: String
        var condition: String
        let member = scopes.enter(entity: known.destination)
        switch known.storage {
        case .members(let slot, _):
            let column = tables.columnName(entity: known.destination, slot: slot)
            source = "\(target) AS \(member)"
            condition = "\(QueryScopes.column(member, column)) = \(key)"
        case .links(let index, let end):
            let linkage = model.linkages[index]
            let link = scopes.newAlias()
            let there = QueryScopes.column(link, linkage.end(end.other).column)
            source = "\(SQLText.quoted(LinkSchema(tables: tables).name(of: linkage))) AS \(link)"
            source += " JOIN \(target) AS \(member)"
            source += " ON \(QueryScopes.column(member, SystemColumn.key)) = \(there)"
            condition = "\(QueryScopes.column(link, linkage.end(end).column)) = \(key)"
        case .key:
            throw RecordStackError(
                .misuse, "A filter asks for the members of a to-one relationship.")
        }
        let columns = try selected(&self)
        if let node { condition += " AND " + (try sql(node)) }
        return "(SELECT \(columns) FROM \(source)\(scopes.leave()) WHERE \(condition))"
    }
}

extension FilterOperand {
    var isPath: Bool { if case .path = self { true } else { false } }
    var isValue: Bool { if case .value = self { true } else { false } }

    /// A column has its own, and what is made of some has none.
    var neededCollation: String {
        isPath || collation == .binary ? "" : " COLLATE \(collation.sqlText)"
    }
}
