import RecordStackModel

/// The form of a text match in SQL.
enum TextForm: Hashable {
    /// A comparison with two bounds, which can use an index.
    case range
    /// SQLite's own search for a substring.
    case part
    /// A function of this library.
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

/// The form of a list of values in SQL.
enum AmongForm: Hashable {
    /// One parameter, a JSON array of integers and texts without U+0000, which JSON preserves.
    case json
    /// One parameter, a JSON array of encoded values, which a function decodes.
    case encoded
    /// This number of parameters; the last value is repeated to fill them.
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

    /// The largest number of parameters. Each one costs the parser time, and statements limit them.
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
    /// Returns the SQL of an aggregate of all rows.
    ///
    /// Sums use this library's functions, because SQLite's depend on the order of the rows.
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
