import FoundationEssentials
import RecordStack

// Optionals, text, and parts with a closure. A closure is called twice: the first call gives the
// type of the part, and the second call builds the same part of that type.
extension PredicateParts {
    static func coalesce<Output>(_ lhs: Part<Output?>, _ rhs: Part<Output>) -> Part<Output> {
        func build<L: StandardPredicateExpression<Output?>, R: StandardPredicateExpression<Output>>(
            _ lhs: L, _ rhs: R
        ) -> Part<Output> { Expressions.build_NilCoalesce(lhs: lhs, rhs: rhs) }
        return build(lhs, rhs)
    }

    static func unwrap<Output>(_ part: Part<Output?>) -> Part<Output> {
        func build<P: StandardPredicateExpression<Output?>>(_ part: P) -> Part<Output> {
            Expressions.build_ForcedUnwrap(part)
        }
        return build(part)
    }

    static func flatMap<Wrapped, Output>(
        _ wrapped: Part<Wrapped?>, _ make: (Part<Wrapped>) -> Part<Output>
    ) -> Part<Output?> {
        func build<
            W: StandardPredicateExpression<Wrapped?>, R: StandardPredicateExpression<Output>
        >(
            _ wrapped: W, _ sample: R
        ) -> Part<Output?> {
            Expressions.OptionalFlatMap<W, Wrapped, R, Output>(wrapped) { make($0) as! R }
        }
        return build(wrapped, make(Expressions.Variable<Wrapped>()))
    }

    static func flatMap<Wrapped, Output>(
        _ wrapped: Part<Wrapped?>, flattening make: (Part<Wrapped>) -> Part<Output?>
    ) -> Part<Output?> {
        func build<
            W: StandardPredicateExpression<Wrapped?>, R: StandardPredicateExpression<Output?>
        >(_ wrapped: W, _ sample: R) -> Part<Output?> {
            Expressions.OptionalFlatMap<W, Wrapped, R, Output>(wrapped) { make($0) as! R }
        }
        return build(wrapped, make(Expressions.Variable<Wrapped>()))
    }

    enum Quantifier {
        case any, all
    }

    static func members<Many: Sequence>(
        _ quantifier: Quantifier, _ many: Part<Many>, _ make: (Part<Many.Element>) -> Part<Bool>
    ) -> Part<Bool> {
        func build<M: StandardPredicateExpression<Many>, R: StandardPredicateExpression<Bool>>(
            _ many: M, _ sample: R
        ) -> Part<Bool> {
            switch quantifier {
            case .any: Expressions.build_contains(many, where: { make($0) as! R })
            case .all: Expressions.build_allSatisfy(many, { make($0) as! R })
            }
        }
        return build(many, make(Expressions.Variable<Many.Element>()))
    }

    static func filter<Many: Sequence>(
        _ many: Part<Many>, _ make: (Part<Many.Element>) -> Part<Bool>
    ) -> Part<[Many.Element]> {
        func build<M: StandardPredicateExpression<Many>, R: StandardPredicateExpression<Bool>>(
            _ many: M, _ sample: R
        ) -> Part<[Many.Element]> { Expressions.build_filter(many, { make($0) as! R }) }
        return build(many, make(Expressions.Variable<Many.Element>()))
    }

    // MARK: Text

    static func contains(_ text: Part<String>, _ part: Part<String>) -> Part<Bool> {
        func build<T: StandardPredicateExpression<String>, P: StandardPredicateExpression<String>>(
            _ text: T, _ part: P
        ) -> Part<Bool> { Expressions.CollectionContainsCollection(base: text, other: part) }
        return build(text, part)
    }

    static func starts(_ text: Part<String>, with part: Part<String>) -> Part<Bool> {
        func build<T: StandardPredicateExpression<String>, P: StandardPredicateExpression<String>>(
            _ text: T, _ part: P
        ) -> Part<Bool> { Expressions.build_starts(text, with: part) }
        return build(text, part)
    }

    static func contains(
        _ text: Part<String>, _ regex: Expressions.PredicateRegex
    ) -> Part<Bool> {
        func build<T: StandardPredicateExpression<String>>(_ text: T) -> Part<Bool> {
            Expressions.StringContainsRegex(subject: text, regex: Expressions.Value(regex))
        }
        return build(text)
    }

    // MARK: Casts and captured values

    static func isSame<Output>(_ part: Part<Output>) -> Part<Bool> {
        func build<P: StandardPredicateExpression<Output>>(_ part: P) -> Part<Bool> {
            Expressions.TypeCheck<P, Output>(part)
        }
        return build(part)
    }

    static func cast<Output>(_ part: Part<Output>) -> Part<Output?> {
        func build<P: StandardPredicateExpression<Output>>(_ part: P) -> Part<Output?> {
            Expressions.ConditionalCast<P, Output>(part)
        }
        return build(part)
    }

    static func forced<Output>(_ part: Part<Output>) -> Part<Output> {
        func build<P: StandardPredicateExpression<Output>>(_ part: P) -> Part<Output> {
            Expressions.ForceCast<P, Output>(part)
        }
        return build(part)
    }

    static func least(_ values: [Int], greatest: Bool) -> Part<Int?> {
        if greatest { return Expressions.build_max(Expressions.Value(values)) }
        return Expressions.build_min(Expressions.Value(values))
    }
}
