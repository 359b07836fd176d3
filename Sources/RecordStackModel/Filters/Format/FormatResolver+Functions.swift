import FoundationEssentials

// Arithmetic and functions.
extension FormatResolver {
    func calculated(
        _ left: FormatResult, _ operation: FilterArithmetic, _ right: FormatTerm,
        _ whole: FormatTerm, _ scope: FormatScope
    ) throws -> FormatResult {
        try calculated((left, whole), operation, (try resolve(right, scope), right))
    }

    private func calculated(
        _ left: Side, _ operation: FilterArithmetic, _ right: Side
    ) throws -> FormatResult {
        var (first, second) = (Self.type(of: left.result), Self.type(of: right.result))
        if case (.literal, .literal) = (left.result, right.result),
            first?.isDecimal == true || second?.isDecimal == true
        {
            // A constant Decimal must not become an integer again.
            (first, second) = (.decimal, .decimal)
        }
        guard let a = Self.number(left.result, beside: second),
            let b = Self.number(right.result, beside: first),
            let type = FormatType.result(of: operation, a.type, b.type)
        else {
            throw problem(
                "There is no \(operation.formatWord) of \(left.result.typeName) and "
                    + "\(right.result.typeName).", right.term)
        }
        return .value(
            FormatOperand(operand: .arithmetic(operation, a.operand, b.operand), type: type))
    }

    private static func type(of result: FormatResult) -> FormatType? {
        switch result {
        case .value(let value): value.type
        case .literal(let literal): literal.ownType
        default: nil
        }
    }

    /// Returns a side of arithmetic; the other side determines the type of a constant number.
    private static func number(
        _ result: FormatResult, beside type: FormatType?
    ) -> FormatOperand? {
        switch result {
        case .value(let value): return value
        case .literal(.null):
            let own = type.flatMap { $0.isDate ? nil : $0 }
            return FormatOperand(operand: .value(.null), type: own ?? .wholeNumber)
        case .literal(.value(let value, let own)):
            return FormatOperand(operand: .value(value), type: own)
        case .literal(.number(let number)):
            let other = type.flatMap { $0.isNumber ? $0 : nil } ?? .double
            guard let value = FormatLiteral.number(number).stored(beside: other) else { return nil }
            return FormatOperand(operand: .value(value), type: Self.type(of: value, other))
        default: return nil
        }
    }

    private static func type(of number: StoredValue, _ other: FormatType) -> FormatType {
        switch number {
        case .text: .decimal
        case .real: other.isFloat ? .float : .double
        default: .wholeNumber
        }
    }

    // MARK: Functions

    /// Applies `doubleValue` or `length`, which follow their value; returns nil for other names.
    func function(
        behind name: String, _ step: FormatStep, _ result: FormatResult
    ) throws -> FormatOperand? {
        switch name {
        case "doubleValue": try applied(.real, result, step.range.lowerBound)
        case "length": try applied(.length, result, step.range.lowerBound)
        default: nil
        }
    }

    private func applied(
        _ function: FilterFunction, _ result: FormatResult, _ offset: Int
    ) throws -> FormatOperand {
        let argument: FormatOperand?
        switch result {
        case .value(let value): argument = value
        case .literal(let literal):
            argument = literal.ownType.flatMap { type in
                literal.stored(beside: type).map {
                    FormatOperand(operand: .value($0), type: type)
                }
            }
        default: argument = nil
        }
        guard let argument, let type = function.result(of: argument.type) else {
            throw FormatProblem(
                "There is no \(function.formatName) of \(result.typeName).", at: offset)
        }
        return FormatOperand(operand: .function(function, argument.operand), type: type)
    }

    private static let functions = Dictionary(
        uniqueKeysWithValues: FilterFunction.allCases.filter { $0 != .real }.map {
            ($0.formatName, $0)
        })
    private static let arithmetic: [String: FilterArithmetic] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply,
        "divide:by:": .divide, "modulus:by:": .modulo,
    ]
    private static let aggregates: [String: FilterAggregate.Kind] = [
        "count": .count, "sum": .sum, "average": .average, "min": .minimum, "max": .maximum,
    ]

    func call(
        _ written: String, _ terms: [FormatTerm], _ term: FormatTerm, _ scope: FormatScope
    ) throws -> FormatResult {
        // The colon of a function with one argument is optional.
        let name =
            written.utf8.filter { $0 == UInt8(ascii: ":") }.count == 1 && written.last == ":"
            ? String(written.dropLast()) : written
        let offset = term.range.lowerBound
        if let function = Self.functions[name] {
            try require(1, terms, written, term)
            return .value(try applied(function, try resolve(terms[0], scope), offset))
        }
        if let kind = Self.aggregates[name] {
            try require(1, terms, written, term)
            return try aggregate(kind, of: try resolve(terms[0], scope), at: offset)
        }
        if let operation = Self.arithmetic[name] {
            try require(2, terms, written, term)
            return try calculated(
                (try resolve(terms[0], scope), terms[0]), operation,
                (try resolve(terms[1], scope), terms[1]))
        }
        if name == "now" {
            try require(0, terms, written, term)
            return .literal(.value(Date().storedValue, .date))
        }
        let names =
            (Self.functions.keys.map { $0 + ":" } + Self.aggregates.keys.map { $0 + ":" })
            .sorted() + Self.arithmetic.keys.sorted() + ["now"]
        throw problem(
            "There is no function \(NearNames.shortened(written)).\(NearNames.hint(written, among: names))",
            term)
    }

    private func require(
        _ count: Int, _ terms: [FormatTerm], _ name: String, _ term: FormatTerm
    ) throws {
        if terms.count == count { return }
        throw problem(
            "\(name) takes \(count) \(count == 1 ? "value" : "values"), not \(terms.count).", term)
    }
}

extension FilterArithmetic {
    fileprivate var formatWord: String {
        switch self {
        case .add: "sum"
        case .subtract: "difference"
        case .multiply: "product"
        case .divide: "quotient"
        case .modulo: "modulus"
        }
    }
}

extension FilterFunction {
    /// The name of the function in a format string, without the colon.
    var formatName: String {
        switch self {
        case .real: "doubleValue"
        default: rawValue
        }
    }
}
