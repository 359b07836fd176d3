import RecordStackModel

/// Compiles a filter to SQL with a parameter for each of its values.
///
/// ``FilterBinder`` binds the values in the order in which the compiler writes their parameters.
struct FilterCompiler {
    let tables: TableMap
    var scopes: QueryScopes
    /// Returns true if the store cannot have a null in a table's column.
    ///
    /// The compiler leaves out `OR … IS NULL` there. SQLite recognizes that this term is never
    /// true, but would still not use an index for the terms joined with it.
    let isNeverNull: (_ table: String, _ column: String) -> Bool
    /// Installs a text order on the connection for which the SQL is written.
    let prepare: (TextOrder) throws -> Void

    /// Returns the SQL of a filter.
    ///
    /// A filter is true or false, but a comparison with null in SQL is unknown. The compiler
    /// therefore moves negation down to the comparisons, where it can handle null and
    /// indexes stay usable.
    ///
    /// - Parameter outer: the operator that joins the SQL with its neighbors.
    mutating func sql(
        _ node: Filter.Node, negated: Bool = false, beside outer: SQLRow = .and
    ) throws -> String {
        switch node {
        case .constant(let value): return value != negated ? "1" : "0"
        case .not(let node): return try sql(node, negated: !negated, beside: outer)
        case .and(let chain): return try row(chain, negated ? .or : .and, negated, beside: outer)
        case .or(let chain): return try row(chain, negated ? .and : .or, negated, beside: outer)
        case .isNull(let operand):
            return try sql(operand) + (negated ? " IS NOT NULL" : " IS NULL")
        case .compare(let a, let comparison, let b, let options):
            return try compare(a, comparison, b, options, negated: negated)
        case .text(let a, let match, let b, let options):
            return try text(a, match, b, options, negated: negated)
        case .among(let operand, let values, let options):
            return try among(operand, values, options, negated)
        case .quantified(let quantifier, let relation, let node):
            let isThere = (quantifier == .any) != negated
            return (isThere ? "" : "NOT ") + "EXISTS " + (try members(of: relation, where: node))
        case .kept(let path, _):
            return (negated ? "NOT " : "") + KeptFunction.sql(try scopes.column(of: path))
        case .refers(_, let ids):
            throw RecordStackError(
                .misuse, "\(ids) were not looked up in their store.", objectID: ids.first)
        case .format(let format):
            throw RecordStackError(.misuse, "\(format) was not read for an entity.")
        case .invalid(let message): throw RecordStackError(.misuse, message)
        }
    }

    private mutating func row(
        _ chain: FilterChain, _ row: SQLRow, _ negated: Bool, beside outer: SQLRow
    ) throws -> String {
        let terms = try chain.sqlTerms.map { try sql($0, negated: negated, beside: row) }
        return row.sql(terms, beside: outer)
    }

    private mutating func among(
        _ operand: FilterOperand, _ values: ValueList, _ options: TextOptions, _ negated: Bool
    ) throws -> String {
        let own = folded(try sql(operand), options)
        let value = own + (options.isEmpty ? operand.neededCollation : options.neededCollation)
        let list = AmongForm(values.values).sql
        if !negated { return "\(value) IN \(list)" }
        guard operand.isPath && options.isEmpty else { return "(\(value) IN \(list)) IS NOT TRUE" }
        let term = "\(value) NOT IN \(list)"
        return try mayBeNull(operand) ? "(\(term) OR \(value) IS NULL)" : term
    }

    // MARK: Two values

    private mutating func compare(
        _ a: FilterOperand, _ comparison: Filter.Comparison, _ b: FilterOperand,
        _ options: TextOptions, negated: Bool
    ) throws -> String {
        if let order = a.collation.textOrder { try prepare(order) }
        // The collation goes to the left, because SQLite drops one on the right when it turns terms
        // with OR into a list.
        let left = folded(try sql(a), options) + collation(a, b, options)
        let right = folded(try sql(b), options)
        // A given value is not null, and a path can be written twice.
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

    /// Returns true if the end of a path can be null.
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

    /// Returns the collation to write. A column beside a value has the right one already.
    private func collation(
        _ a: FilterOperand, _ b: FilterOperand, _ options: TextOptions
    ) -> String {
        if options == .caseInsensitive { return options.neededCollation }
        if a.collation.textOrder != nil { return a.neededCollation }
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
        case .arithmetic: return try calculation(operand, in: .all)
        case .function(let function, let operand):
            return "\(SQLFunction.call(function).name)(\(try sql(operand)))"
        case .aggregate(let aggregate): return try sql(aggregate)
        }
    }

    /// The precedence of the operator around a calculation.
    private enum Binding: Int {
        case sum, product, all
    }

    /// Returns a calculation, in brackets if necessary.
    ///
    /// A left operand gets brackets only if the outer operator binds tighter. Otherwise a long sum
    /// would have too many nested brackets.
    private mutating func calculation(
        _ operand: FilterOperand, in outer: Binding
    ) throws -> String {
        guard case .arithmetic(let operation, let a, let b) = operand else {
            return try sql(operand)
        }
        if operand.collation == .decimal {
            let (left, right) = (try sql(a), try sql(b))
            return "\(SQLFunction.decimal(operation).name)(\(left),\(right))"
        }
        if operation == .modulo {
            let (left, right) = (try sql(a), try sql(b))
            return "\(SQLFunction.remainder.name)(\(left),\(right))"
        }
        let own: Binding = operation == .add || operation == .subtract ? .sum : .product
        let left = try calculation(a, in: own)
        let text = "\(left) \(operation.rawValue) \(try sql(b))"
        return own.rawValue >= outer.rawValue ? text : "(\(text))"
    }

    mutating func sql(_ term: SortTerm) throws -> String {
        if let order = term.operand.collation.textOrder { try prepare(order) }
        var text = folded(try sql(term.operand), term.options)
        text +=
            term.options == .caseInsensitive
            ? term.options.neededCollation : term.operand.neededCollation
        if !term.isAscending { text += " DESC" }
        if term.nulls == SortTerm.usualNulls(term.isAscending) { return text }
        return text + (term.nulls == .first ? " NULLS FIRST" : " NULLS LAST")
    }
}

extension FilterOperand {
    var isPath: Bool { if case .path = self { true } else { false } }
    var isValue: Bool { if case .value = self { true } else { false } }

    /// The collation to write for an operand. A column already has one, and a calculation has none.
    var neededCollation: String {
        let isOwn = isPath && collation.textOrder == nil
        return isOwn || collation == .binary ? "" : " COLLATE \(collation.sqlText)"
    }
}

extension TextOptions {
    /// The collation for options that change neither side of the comparison.
    fileprivate var neededCollation: String {
        self == .caseInsensitive ? " COLLATE \(Collation.caseInsensitive.sqlText)" : ""
    }
}
