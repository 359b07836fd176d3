import FoundationEssentials

extension PredicateExpressions.Arithmetic: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        switch op {
        case .add: try translator.arithmetic(.add, lhs, rhs)
        case .subtract: try translator.arithmetic(.subtract, lhs, rhs)
        // Foundation's enum is frozen only on some platforms. It has these three cases.
        default: try translator.arithmetic(.multiply, lhs, rhs)
        }
    }
}

extension PredicateExpressions.IntDivision: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        try translator.arithmetic(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        try translator.arithmetic(.divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        try translator.arithmetic(.modulo, lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatablePredicateExpression {
    func term(in translator: PredicateTranslator) throws -> PredicateTerm {
        let zero = PredicateValue(.value(.integer(0)))
        return .value(
            try translator.arithmetic(
                .subtract, zero, translator.plainValue(wrapped), of: Wrapped.Output.self))
    }
}

extension PredicateTranslator {
    fileprivate func arithmetic<LHS: PredicateExpression, RHS: PredicateExpression>(
        _ operation: FilterArithmetic, _ lhs: LHS, _ rhs: RHS
    ) throws -> PredicateTerm {
        .value(
            try arithmetic(operation, plainValue(lhs), plainValue(rhs), of: LHS.Output.self))
    }

    fileprivate func arithmetic(
        _ operation: FilterArithmetic, _ a: PredicateValue, _ b: PredicateValue, of type: Any.Type
    ) throws -> PredicateValue {
        guard type is any SummableValue.Type else {
            throw refusal("calculates with a \(type)", "Calculate with an Int, Double or Decimal.")
        }
        let isDecimal = Collation.values(of: type) == .decimal
        try check(a.cases.count * b.cases.count)
        let cases = a.cases.flatMap { one in
            b.cases.map { other in
                PredicateValue.Case(
                    guardNode: .both(one.guardNode, other.guardNode),
                    operand: .combining(operation, one.operand, other.operand, isDecimal))
            }
        }
        return PredicateValue(cases: cases)
    }
}

extension FilterOperand {
    /// Returns the operation, or its result if both operands are constants.
    ///
    /// Two constants alone would not show that they are decimal numbers.
    fileprivate static func combining(
        _ operation: FilterArithmetic, _ a: FilterOperand, _ b: FilterOperand, _ isDecimal: Bool
    ) -> FilterOperand {
        guard case .value(let mine) = a, case .value(let other) = b else {
            return .arithmetic(operation, a, b)
        }
        return .value(operation.apply(mine, other, isDecimal: isDecimal))
    }
}
