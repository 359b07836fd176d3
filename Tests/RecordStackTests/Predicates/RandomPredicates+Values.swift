import FoundationEssentials
import RecordStack
import TestSupport

// Numbers, texts and optional values.
extension RandomPredicates {
    /// Returns a text that Swift and a comparison of bytes treat alike.
    mutating func word() -> String {
        guard isCareful else { return values.text() }
        return ["", "a", "A", "ab", "abc", "b", "z", "%", "i", "🙂"].randomElement(
            using: &values.random)!
    }

    mutating func number(_ sample: Part<Sample>) -> Part<Int> {
        switch below(isCareful ? 7 : 12) {
        case 0, 1: return Parts.property(sample, \.number)
        case 2: return Parts.coalesce(maybeNumber(sample), Parts.value(values.number()))
        case 3: return length(sample)
        case 4: return Parts.property(Parts.property(sample, \.marks), \.count)
        case 5:
            return Parts.conditional(
                Parts.property(sample, \.flag), number(sample), Parts.value(values.number()))
        case 6: return small(sample)
        case 7: return Parts.unwrap(Parts.property(sample, \.maybeNumber))
        case 8: return Parts.arithmetic(Parts.property(sample, \.number), .multiply, number(sample))
        case 9:
            return Parts.arithmetic(number(sample), .subtract, Parts.property(sample, \.number))
        case 10:
            return Parts.divide(
                number(sample), Parts.property(sample, \.number), rest: values.flag())
        default: return Parts.minus(number(sample))
        }
    }

    private func length(_ sample: Part<Sample>) -> Part<Int> {
        Parts.property(Parts.property(sample, \.text), \.count)
    }

    /// Returns a number that cannot become too large.
    private mutating func small(_ sample: Part<Sample>) -> Part<Int> {
        let some = Parts.value(below(5) + 1)
        switch below(4) {
        case 0: return Parts.arithmetic(length(sample), .add, some)
        case 1: return Parts.arithmetic(some, .multiply, length(sample))
        case 2: return Parts.divide(length(sample), some, rest: values.flag())
        default: return Parts.minus(Parts.arithmetic(length(sample), .subtract, some))
        }
    }

    mutating func maybeNumber(_ sample: Part<Sample>) -> Part<Int?> {
        let owner = Parts.property(sample, \.owner)
        switch below(isCareful ? 6 : 7) {
        case 0, 1: return Parts.property(sample, \.maybeNumber)
        case 2: return Parts.flatMap(owner, flattening: { Parts.property($0, \.rank) })
        case 3:
            let senior = Parts.flatMap(owner, flattening: { Parts.property($0, \.senior) })
            return Parts.flatMap(senior, flattening: { Parts.property($0, \.rank) })
        case 4:
            return values.flag() ? Parts.none(Int.self) : Parts.value(values.maybe(values.number()))
        case 5:
            let make = closure { (made, number: Part<Int>) in
                Parts.conditional(
                    made.compare(number, Parts.value(made.values.number())), number,
                    Parts.value(made.values.number()))
            }
            return Parts.flatMap(Parts.property(sample, \.maybeNumber), make)
        default:
            let other = number(sample)
            return Parts.flatMap(Parts.property(sample, \.maybeNumber)) {
                Parts.arithmetic($0, .add, other)
            }
        }
    }

    mutating func real(_ sample: Part<Sample>) -> Part<Double> {
        let mine = Parts.property(sample, \.real)
        switch below(isCareful ? 6 : 7) {
        case 0, 1: return mine
        case 2:
            return Parts.coalesce(Parts.property(sample, \.maybeReal), Parts.value(values.real()))
        case 3: return Parts.arithmetic(mine, .multiply, Parts.value(values.real()))
        case 4: return Parts.minus(mine)
        case 5:
            return Parts.property(Parts.property(sample, \.date), \.timeIntervalSinceReferenceDate)
        default: return Parts.divide(mine, real(sample))
        }
    }

    mutating func anyText(_ sample: Part<Sample>) -> Part<String> {
        let owner = Parts.property(sample, \.owner)
        switch below(4) {
        case 0, 1: return Parts.property(sample, \.text)
        case 2: return Parts.coalesce(Parts.property(sample, \.maybeText), Parts.value(word()))
        default:
            return Parts.coalesce(
                Parts.flatMap(owner) { Parts.property($0, \.name) }, Parts.value(word()))
        }
    }

    mutating func text(_ sample: Part<Sample>) -> Part<Bool> {
        let (text, word) = (anyText(sample), Parts.value(word()))
        switch below(isCareful ? 3 : 9) {
        case 0: return Parts.equal(text, word, isNegated: values.flag())
        case 1: return Parts.property(text, \.isEmpty)
        case 2:
            return Parts.equal(
                Parts.property(sample, \.maybeText), Parts.value(values.maybe(self.word())))
        case 3: return Parts.equal(text, anyText(sample))
        case 4: return compare(text, word)
        case 5: return Parts.contains(text, values.flag() ? word : anyText(sample))
        case 6: return Parts.starts(text, with: values.flag() ? word : anyText(sample))
        case 7:
            let maybe = Parts.flatMap(Parts.property(sample, \.maybeText)) {
                Parts.contains($0, word)
            }
            return Parts.equal(maybe, Parts.value(values.maybe(values.flag())))
        default:
            let patterns = [/^a/, /[a-c]+$/, /b|é/, /^.$/].map {
                PredicateExpressions.PredicateRegex($0)!
            }
            return Parts.contains(text, patterns.randomElement(using: &values.random)!)
        }
    }

    mutating func optional(_ sample: Part<Sample>) -> Part<Bool> {
        switch below(4) {
        case 0: return Parts.equal(Parts.property(sample, \.maybeDate), Parts.none(Date.self))
        case 1: return Parts.equal(maybeNumber(sample), Parts.none(Int.self), isNegated: true)
        case 2:
            let make = closure { (made, date: Part<Date>) in
                made.compare(date, Parts.value(made.values.date()))
            }
            return Parts.coalesce(
                Parts.flatMap(Parts.property(sample, \.maybeDate), make), Parts.value(values.flag())
            )
        default:
            let number = number(sample)
            let make = closure { (made, other: Part<Int>) in made.compare(other, number) }
            return Parts.equal(
                Parts.flatMap(maybeNumber(sample), make), Parts.value(values.maybe(values.flag())))
        }
    }
}
