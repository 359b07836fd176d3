import RecordStackModel

/// How a match of texts stands in SQL.
enum TextForm: Hashable {
    /// Between two bounds, which an index serves.
    case range
    /// By SQLite's own search.
    case part
    /// By a function of ours.
    case function

    init(
        _ operand: FilterOperand, _ match: Filter.TextMatch, _ pattern: FilterOperand,
        _ options: TextOptions
    ) {
        guard options.isEmpty, operand.isPath, case .value(.text(let text)) = pattern else {
            self = .function
            return
        }
        switch match {
        case .hasPrefix: self = .range
        case .like: self = LikePattern.prefix(of: text) == nil ? .function : .range
        case .contains: self = .part
        case .hasSuffix, .matches: self = .function
        }
    }
}

/// How a list of values stands in SQL.
enum AmongForm: Hashable {
    /// One parameter, a JSON array: integers, and texts without U+0000, survive that for certain.
    case json
    /// One parameter as well, of what a function makes the values.
    case encoded
    /// So many parameters; the last value is repeated to fill them.
    case parameters(Int)

    init(_ values: [StoredValue]) {
        let isIntegers = values.allSatisfy { $0.integer != nil }
        if isIntegers {
            self = .json
        } else if values.count > Self.mostParameters {
            self = values.allSatisfy(\.isPlainInJSON) ? .json : .encoded
        } else {
            var count = 1
            while count < values.count { count *= 2 }
            self = .parameters(count)
        }
    }

    /// A statement has room for so many, and its parser has work with each.
    static var mostParameters: Int { 128 }

    var sql: String {
        switch self {
        case .json: "(SELECT value FROM json_each(?))"
        case .encoded: "(SELECT \(SQLFunction.value.name)(value) FROM json_each(?))"
        case .parameters(let count): SQLText.placeholders(count)
        }
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

extension FilterAggregate.Kind {
    /// The value of all rows. Sums are ours: SQLite's depend on the order of the rows.
    func sql(_ value: String, _ collation: Collation, isInteger: Bool = false) -> String {
        let order = collation == .binary ? "" : " COLLATE \(collation.sqlText)"
        let isDecimal = collation == .decimal
        switch self {
        case .count: return "count(\(value))"
        case .minimum: return "min(\(value)\(order))"
        case .maximum: return "max(\(value)\(order))"
        case .sum:
            return "\(SQLFunction.sum(isDecimal: isDecimal).name)(\(value))"
        case .average where isInteger: return "\(SQLFunction.integerAverage.name)(\(value))"
        case .average:
            return "\(SQLFunction.average(isDecimal: isDecimal).name)(\(value))"
        }
    }
}
