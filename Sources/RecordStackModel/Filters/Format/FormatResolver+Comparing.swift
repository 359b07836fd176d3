// Comparisons of two values, by their types.
extension FormatResolver {
    typealias Side = (result: FormatResult, term: FormatTerm)

    func comparison(
        _ left: FormatTerm, _ comparison: FormatComparison, _ right: FormatTerm,
        _ scope: FormatScope
    ) throws -> Filter.Node {
        let first = try resolve(left, scope)
        let second = try value(right, scope)
        switch (first, comparison.operation, second) {
        case (.members(let members), .text(.contains), _):
            try checkDepth(of: members, left, scope)
            return try isMember(of: members, left, comparison, (second, right))
        case (_, .isIn, .members(let members)):
            try checkDepth(of: members, right, scope)
            return try isMember(of: members, right, comparison, (first, left))
        case (.members, _, _): throw manyWithoutQuantifier(left)
        case (_, _, .members): throw manyWithoutQuantifier(right)
        default: return try holds((first, left), comparison, (second, right))
        }
    }

    /// Resolves the right side of a comparison.
    ///
    /// An unknown name there was most likely meant as a text, so the message mentions quotes.
    private func value(_ term: FormatTerm, _ scope: FormatScope) throws -> FormatResult {
        do {
            return try resolve(term, scope)
        } catch let problem as FormatProblem {
            guard case .path(.root, let steps) = term.kind, steps.count == 1,
                case .name(let name) = steps[0].kind, problem.offset == term.range.lowerBound
            else { throw problem }
            throw FormatProblem(
                "\(problem.message) A text stands in quotes: '\(NearNames.shortened(name))'.",
                at: problem.offset)
        }
    }

    private func manyWithoutQuantifier(_ term: FormatTerm) -> FormatProblem {
        problem(
            "\(text(of: term)) goes through a to-many relationship. Before the comparison, ANY, ALL or "
                + "NONE says of how many members it must be true; @count, @sum and their like make "
                + "one value of all.", term)
    }

    /// Returns the condition that a member, or a value of a member, equals a value.
    private func isMember(
        of members: FormatMembers, _ many: FormatTerm, _ comparison: FormatComparison, _ one: Side
    ) throws -> Filter.Node {
        let equal = FormatComparison(
            operation: .order(.equal), options: comparison.options, word: comparison.word,
            offset: comparison.offset)
        let value = one.result.moved(into: members.relations.count)
        return Self.quantified(
            .any, members, try holds((members.element, many), equal, (value, one.term)))
    }

    func holds(
        _ left: Side, _ comparison: FormatComparison, _ right: Side
    ) throws -> Filter.Node {
        switch comparison.operation {
        case .order(let order): return try ordered(left, order, right, comparison)
        case .between: return try isBetween(left, comparison, right)
        case .isIn: return try isIn(left, comparison, right)
        case .text(.contains) where Self.elements(left) != nil:
            return try isIn(right, comparison, left)
        case .text(let match): return try matches(left, match, right, comparison)
        }
    }

    // MARK: Orders

    private func ordered(
        _ left: Side, _ order: Filter.Comparison, _ right: Side, _ comparison: FormatComparison
    ) throws -> Filter.Node {
        switch (left.result, right.result) {
        case (.object(let object), _): return try same(object, left, order, right, comparison)
        case (_, .object(let object)):
            return try same(object, right, order.mirrored, left, comparison)
        default: break
        }
        let (a, b, type) = try pair(left, right, isEquality: order == .equal || order == .notEqual)
        if let type, !type.isText, !comparison.options.isEmpty { throw noText(comparison) }
        return .comparing(a, order, b, comparison.options)
    }

    private func noText(_ comparison: FormatComparison) -> FormatProblem {
        FormatProblem("[c] and [d] are for texts alone.", at: comparison.offset)
    }

    private func isBetween(
        _ left: Side, _ comparison: FormatComparison, _ right: Side
    ) throws -> Filter.Node {
        guard let bounds = Self.elements(right), bounds.count == 2 else {
            throw problem(
                "Behind BETWEEN, a list of two values was expected, such as {1, 2}.", right.term)
        }
        try checkSize(left, times: 2)
        return .and(
            try ordered(left, .greaterOrEqual, bounds[0], comparison),
            try ordered(left, .lessOrEqual, bounds[1], comparison))
    }

    /// Throws if a value is too large to be repeated in the filter.
    ///
    /// A value that contains repeated values, which are then
    /// repeated again, would make the filter endless.
    private func checkSize(_ side: Side, times: Int) throws {
        guard case .value(let value) = side.result else { return }
        var budget = 10_000 / max(times, 1)
        guard value.operand.fits(&budget) else {
            throw problem("This value is too large to be compared with a list.", side.term)
        }
    }

    // MARK: Lists

    private static func elements(_ side: Side) -> [Side]? {
        switch side.result {
        case .list(let sides): sides
        case .literal(.list(let literals, _)): literals.map { (.literal($0), side.term) }
        default: nil
        }
    }

    private func isIn(
        _ left: Side, _ comparison: FormatComparison, _ right: Side
    ) throws -> Filter.Node {
        guard let elements = Self.elements(right) else {
            // IN also tests for a part of a text.
            if left.result.mayBeText && right.result.mayBeText {
                return try matches(right, .contains, left, comparison)
            }
            throw problem(
                "Behind IN, a list was expected, such as {1, 2} or %@ with an array, and "
                    + "\(text(of: right.term)) is \(right.result.typeName).", right.term)
        }
        switch left.result {
        case .value, .literal, .object: break
        default: throw mismatch(left, right)
        }
        let isGiven = elements.allSatisfy { if case .literal = $0.result { true } else { false } }
        if case .object(let object) = left.result, isGiven {
            if !comparison.options.isEmpty { throw noText(comparison) }
            return try refers(object, elements, left)
        }
        if isGiven, comparison.options.isEmpty || !elements.isEmpty {
            return try isAmong(left, elements, comparison)
        }
        if elements.isEmpty { throw noText(comparison) }
        try checkSize(left, times: elements.count)
        return .anyOf(try elements.map { try ordered(left, .equal, $0, comparison) })
    }

    private func isAmong(
        _ left: Side, _ elements: [Side], _ comparison: FormatComparison
    ) throws -> Filter.Node {
        let options = comparison.options
        var operand: FilterOperand?
        var values: [StoredValue] = []
        for element in elements {
            let (a, b, type) = try pair(left, element, isEquality: true)
            if let type, !type.isText, !options.isEmpty { throw noText(comparison) }
            guard case .value(let value) = b else { continue }
            operand = a
            values.append(value)
        }
        guard let operand else { return .constant(false) }
        let known = values.filter { !$0.isNull }
        let among: Filter.Node = known.isEmpty ? .constant(false) : .among(operand, known, options)
        return known.count == values.count ? among : .or(among, .isNull(operand))
    }

    // MARK: Types

    /// Returns two values as operands with their type, which is nil if both are null.
    func pair(
        _ left: Side, _ right: Side, isEquality: Bool
    ) throws -> (FilterOperand, FilterOperand, FormatType?) {
        switch (left.result, right.result) {
        case (.value(let a), .value(let b)):
            if a.type.isComparable(with: b.type) { return (a.operand, b.operand, a.type) }
            if let constant = a.decimalConstant(beside: b) { return (constant, b.operand, b.type) }
            if let constant = b.decimalConstant(beside: a) { return (a.operand, constant, a.type) }
            throw mismatch(left, right)
        case (.value(let a), .literal(let literal)):
            return (a.operand, try value(literal, right, beside: a, left, isEquality), a.type)
        case (.literal(let literal), .value(let b)):
            return (try value(literal, left, beside: b, right, isEquality), b.operand, b.type)
        case (.literal(let a), .literal(let b)):
            var types = [a.ownType, b.ownType]
            // A Decimal stays a Decimal beside an integer.
            if types.contains(where: { $0?.isDecimal == true }) { types = [.decimal, .decimal] }
            guard let first = a.stored(beside: types[1] ?? types[0] ?? .string),
                let second = b.stored(beside: types[0] ?? types[1] ?? .string)
            else { throw mismatch(left, right) }
            return (.value(first), .value(second), types[0] ?? types[1])
        default: throw mismatch(left, right)
        }
    }

    private func value(
        _ literal: FormatLiteral, _ side: Side, beside other: FormatOperand, _ otherSide: Side,
        _ isEquality: Bool
    ) throws -> FilterOperand {
        guard let value = literal.stored(beside: other.type) else {
            throw mismatch(side, otherSide, literal.objection(beside: other.type))
        }
        if isEquality, let attribute = other.attribute, attribute.isLimited, !value.isNull,
            !attribute.accepts(value)
        {
            throw problem(
                "\(NearNames.shortened("\(value)")) is no value of \(attribute.name), which is \(Wording.article(attribute.typeName)).",
                side.term)
        }
        return .value(value)
    }

    func mismatch(_ a: Side, _ b: Side, _ reason: String? = nil) -> FormatProblem {
        let message =
            "\(text(of: a.term)), which is \(a.result.typeName), cannot stand beside "
            + "\(text(of: b.term)), which is \(b.result.typeName)."
        return problem(message + (reason.map { " " + $0 } ?? ""), a.term)
    }
}

extension FormatOperand {
    /// Returns the value of constant integers as a Decimal beside a Decimal; nil otherwise.
    fileprivate func decimalConstant(beside other: FormatOperand) -> FilterOperand? {
        guard other.type.isDecimal, case .integer(let number)? = operand.constant else {
            return nil
        }
        return .value(.text("\(number)"))
    }
}

extension FormatResult {
    fileprivate var mayBeText: Bool {
        switch self {
        case .value(let value): value.type.isText
        case .literal(.text), .literal(.null): true
        case .literal(.value(_, let type)): type.isText
        default: false
        }
    }
}

extension AttributeDescription {
    /// Whether the attribute accepts only some texts or integers, as an enum does.
    fileprivate var isLimited: Bool {
        type.hasSomeValuesOnly
            && (type.name == AttributeType.string.name || type.storage == .integer)
    }
}
