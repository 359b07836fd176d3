import FoundationEssentials
import RecordStack
import TestSupport

/// A generator of predicates of every kind that a filter supports, built as `#Predicate` builds
/// them.
struct RandomPredicates {
    typealias Parts = PredicateParts

    var values: RandomValues
    /// True if expressions are left out that mean something else to Foundation, or stop the program
    /// there.
    var isCareful = false

    /// Returns a predicate, and whether Foundation agrees on it.
    mutating func predicate() -> (Predicate<Sample>, isCareful: Bool) {
        isCareful = values.flag()
        let seed = self
        _ = condition(PredicateExpressions.Variable<Sample>(), 3)
        let predicate = Predicate<Sample> { sample in
            var copy = seed
            return copy.condition(sample, 3)
        }
        return (predicate, isCareful)
    }

    /// Returns a closure that builds the same part each time that it is called.
    mutating func closure<Input, Output>(
        _ make: @escaping (inout RandomPredicates, Part<Input>) -> Part<Output>
    ) -> (Part<Input>) -> Part<Output> {
        let seed = self
        _ = make(&self, PredicateExpressions.Variable<Input>())
        return { input in
            var copy = seed
            return make(&copy, input)
        }
    }

    mutating func below(_ count: Int) -> Int { values.random.below(count) }

    // MARK: Conditions

    mutating func condition(_ sample: Part<Sample>, _ depth: Int) -> Part<Bool> {
        guard depth > 0 && values.random.chance(60) else { return leaf(sample) }
        let one = condition(sample, depth - 1)
        switch below(7) {
        case 0, 1: return Parts.and(one, condition(sample, depth - 1))
        case 2, 3: return Parts.or(one, condition(sample, depth - 1))
        case 4: return Parts.not(one)
        case 5:
            return Parts.conditional(
                one, condition(sample, depth - 1), condition(sample, depth - 1))
        default: return Parts.equal(one, condition(sample, depth - 1), isNegated: values.flag())
        }
    }

    private mutating func leaf(_ sample: Part<Sample>) -> Part<Bool> {
        switch below(22) {
        case 20, 21: return kind(sample)
        case 0: return Parts.property(sample, \.flag)
        case 1:
            let maybe = Parts.property(sample, \.maybeFlag)
            return values.flag()
                ? Parts.coalesce(maybe, Parts.value(values.flag()))
                : Parts.equal(
                    maybe, Parts.value(values.maybe(values.flag())), isNegated: values.flag())
        case 2: return compare(number(sample), number(sample))
        case 3: return compare(number(sample), Parts.value(values.number()))
        case 4:
            return Parts.equal(maybeNumber(sample), maybeNumber(sample), isNegated: values.flag())
        case 5: return compare(real(sample), Parts.value(values.real()))
        case 6, 7: return text(sample)
        case 8: return plain(sample)
        case 9: return range(sample)
        case 10: return list(sample)
        case 11: return optional(sample)
        case 12, 13: return owner(sample)
        case 14, 15: return members(sample)
        case 16: return identity(sample)
        case 17: return cast(sample)
        case 18: return capturedValues(sample)
        default: return decimal(sample)
        }
    }

    mutating func compare<Value: Comparable>(_ a: Part<Value>, _ b: Part<Value>) -> Part<Bool> {
        switch below(6) {
        case 0: Parts.equal(a, b)
        case 1: Parts.equal(a, b, isNegated: true)
        case 2: Parts.compare(a, .lessThan, b)
        case 3: Parts.compare(a, .lessThanOrEqual, b)
        case 4: Parts.compare(a, .greaterThan, b)
        default: Parts.compare(a, .greaterThanOrEqual, b)
        }
    }

    private mutating func plain(_ sample: Part<Sample>) -> Part<Bool> {
        switch below(5) {
        case 0:
            return Parts.equal(
                Parts.property(sample, \.maybeUUID), Parts.value(values.maybe(values.uuid())),
                isNegated: values.flag())
        case 1: return Parts.equal(Parts.property(sample, \.data), Parts.value(values.data()))
        case 2:
            return compare(
                Parts.property(Parts.property(sample, \.data), \.count), Parts.value(below(3)))
        case 3:
            return Parts.equal(
                Parts.property(sample, \.maybeUnsigned),
                Parts.value(values.maybe(values.unsigned())))
        default: return compare(Parts.property(sample, \.date), Parts.value(values.date()))
        }
    }

    private mutating func decimal(_ sample: Part<Sample>) -> Part<Bool> {
        let mine = Parts.property(sample, \.decimal)
        let other = Parts.value(values.decimal())
        switch below(4) {
        case 0: return compare(mine, other)
        case 1: return compare(Parts.arithmetic(mine, .add, other), Parts.value(values.decimal()))
        case 2: return compare(Parts.arithmetic(mine, .multiply, other), Parts.minus(mine))
        default:
            let sum = Parts.arithmetic(other, .subtract, Parts.value(values.decimal()))
            return compare(mine, sum)
        }
    }

    private mutating func range(_ sample: Part<Sample>) -> Part<Bool> {
        let isClosed = values.flag()
        if values.flag() {
            let bounds = [values.real(), values.real()].sorted()
            return Parts.range(
                Parts.value(bounds[0]), Parts.value(bounds[1]), isClosed: isClosed,
                contains: real(sample))
        }
        let bounds = [values.number(), values.number()].sorted()
        // Foundation stops the program if the lower bound is above the upper bound.
        let lower = isCareful ? Parts.value(bounds[0]) : number(sample)
        return Parts.range(
            lower, Parts.value(bounds[1]), isClosed: isClosed, contains: number(sample))
    }

    private mutating func list(_ sample: Part<Sample>) -> Part<Bool> {
        let count = below(4)
        switch below(4) {
        case 0:
            return Parts.list((0..<count).map { _ in values.number() }, contains: number(sample))
        case 1:
            return Parts.list(
                (0..<count).map { _ in values.maybe(values.number()) },
                contains: maybeNumber(sample))
        case 2: return Parts.list((0..<count).map { _ in word() }, contains: anyText(sample))
        default:
            let number = number(sample)
            let others = Parts.value((0..<count).map { _ in values.number() })
            return Parts.members(values.flag() ? .any : .all, others) { Parts.equal($0, number) }
        }
    }

    private mutating func cast(_ sample: Part<Sample>) -> Part<Bool> {
        switch below(3) {
        case 0: return Parts.isSame(number(sample))
        case 1: return Parts.equal(Parts.cast(number(sample)), maybeNumber(sample))
        default: return compare(Parts.forced(real(sample)), Parts.value(values.real()))
        }
    }

    private mutating func capturedValues(_ sample: Part<Sample>) -> Part<Bool> {
        let count = below(3)
        let numbers = (0..<count).map { _ in values.number() }
        let greatest = Parts.least(numbers, greatest: values.flag())
        return values.flag()
            ? Parts.equal(greatest, maybeNumber(sample))
            : compare(Parts.coalesce(greatest, number(sample)), Parts.value(values.number()))
    }
}
