import FoundationEssentials

/// A part of a predicate of which only the output type is known.
typealias Part<Output> = any StandardPredicateExpression<Output>

/// Foundation's builders for such parts. Each function opens the types of its parts.
enum PredicateParts {
    typealias Expressions = PredicateExpressions

    static func value<Output: Codable & Sendable>(_ value: Output) -> Part<Output> {
        Expressions.Value(value)
    }

    static func none<Wrapped>(_ type: Wrapped.Type) -> Part<Wrapped?> {
        Expressions.NilLiteral<Wrapped>()
    }

    static func property<Root, Output>(
        _ root: Part<Root>, _ keyPath: any KeyPath<Root, Output> & Sendable
    ) -> Part<Output> {
        func build<R: StandardPredicateExpression<Root>>(_ root: R) -> Part<Output> {
            Expressions.build_KeyPath(root: root, keyPath: keyPath)
        }
        return build(root)
    }

    // MARK: Logic

    static func and(_ lhs: Part<Bool>, _ rhs: Part<Bool>) -> Part<Bool> {
        func build<L: StandardPredicateExpression<Bool>, R: StandardPredicateExpression<Bool>>(
            _ lhs: L, _ rhs: R
        ) -> Part<Bool> { Expressions.build_Conjunction(lhs: lhs, rhs: rhs) }
        return build(lhs, rhs)
    }

    static func or(_ lhs: Part<Bool>, _ rhs: Part<Bool>) -> Part<Bool> {
        func build<L: StandardPredicateExpression<Bool>, R: StandardPredicateExpression<Bool>>(
            _ lhs: L, _ rhs: R
        ) -> Part<Bool> { Expressions.build_Disjunction(lhs: lhs, rhs: rhs) }
        return build(lhs, rhs)
    }

    static func not(_ part: Part<Bool>) -> Part<Bool> {
        func build<P: StandardPredicateExpression<Bool>>(_ part: P) -> Part<Bool> {
            Expressions.build_Negation(part)
        }
        return build(part)
    }

    static func conditional<Output>(
        _ test: Part<Bool>, _ one: Part<Output>, _ other: Part<Output>
    ) -> Part<Output> {
        func build<
            T: StandardPredicateExpression<Bool>, L: StandardPredicateExpression<Output>,
            R: StandardPredicateExpression<Output>
        >(_ test: T, _ lhs: L, _ rhs: R) -> Part<Output> {
            Expressions.build_Conditional(test, lhs, rhs)
        }
        return build(test, one, other)
    }

    // MARK: Comparing

    static func equal<Output: Equatable>(
        _ lhs: Part<Output>, _ rhs: Part<Output>, isNegated: Bool = false
    ) -> Part<Bool> {
        func build<L: StandardPredicateExpression<Output>, R: StandardPredicateExpression<Output>>(
            _ lhs: L, _ rhs: R
        ) -> Part<Bool> {
            if isNegated { return Expressions.build_NotEqual(lhs: lhs, rhs: rhs) }
            return Expressions.build_Equal(lhs: lhs, rhs: rhs)
        }
        return build(lhs, rhs)
    }

    static func compare<Output: Comparable>(
        _ lhs: Part<Output>, _ operation: Expressions.ComparisonOperator, _ rhs: Part<Output>
    ) -> Part<Bool> {
        func build<L: StandardPredicateExpression<Output>, R: StandardPredicateExpression<Output>>(
            _ lhs: L, _ rhs: R
        ) -> Part<Bool> { Expressions.build_Comparison(lhs: lhs, rhs: rhs, op: operation) }
        return build(lhs, rhs)
    }

    static func range<Output: Comparable>(
        _ lower: Part<Output>, _ upper: Part<Output>, isClosed: Bool, contains part: Part<Output>
    ) -> Part<Bool> {
        func build<
            L: StandardPredicateExpression<Output>, U: StandardPredicateExpression<Output>,
            P: StandardPredicateExpression<Output>
        >(_ lower: L, _ upper: U, _ part: P) -> Part<Bool> {
            if isClosed {
                return Expressions.RangeExpressionContains(
                    range: Expressions.build_ClosedRange(lower: lower, upper: upper), element: part)
            }
            return Expressions.RangeExpressionContains(
                range: Expressions.build_Range(lower: lower, upper: upper), element: part)
        }
        return build(lower, upper, part)
    }

    static func list<Output: Equatable & Codable & Sendable>(
        _ values: [Output], contains part: Part<Output>
    ) -> Part<Bool> {
        func build<P: StandardPredicateExpression<Output>>(_ part: P) -> Part<Bool> {
            Expressions.SequenceContains(sequence: Expressions.Value(values), element: part)
        }
        return build(part)
    }

    // MARK: Arithmetic

    static func arithmetic<Output: Numeric>(
        _ lhs: Part<Output>, _ operation: Expressions.ArithmeticOperator, _ rhs: Part<Output>
    ) -> Part<Output> {
        func build<L: StandardPredicateExpression<Output>, R: StandardPredicateExpression<Output>>(
            _ lhs: L, _ rhs: R
        ) -> Part<Output> { Expressions.build_Arithmetic(lhs: lhs, rhs: rhs, op: operation) }
        return build(lhs, rhs)
    }

    static func divide(_ lhs: Part<Int>, _ rhs: Part<Int>, rest: Bool) -> Part<Int> {
        func build<L: StandardPredicateExpression<Int>, R: StandardPredicateExpression<Int>>(
            _ lhs: L, _ rhs: R
        ) -> Part<Int> {
            if rest { return Expressions.build_Remainder(lhs: lhs, rhs: rhs) }
            return Expressions.IntDivision(lhs: lhs, rhs: rhs)
        }
        return build(lhs, rhs)
    }

    static func divide(_ lhs: Part<Double>, _ rhs: Part<Double>) -> Part<Double> {
        func build<L: StandardPredicateExpression<Double>, R: StandardPredicateExpression<Double>>(
            _ lhs: L, _ rhs: R
        ) -> Part<Double> { Expressions.FloatDivision(lhs: lhs, rhs: rhs) }
        return build(lhs, rhs)
    }

    static func minus<Output: SignedNumeric>(_ part: Part<Output>) -> Part<Output> {
        func build<P: StandardPredicateExpression<Output>>(_ part: P) -> Part<Output> {
            Expressions.build_UnaryMinus(part)
        }
        return build(part)
    }
}
