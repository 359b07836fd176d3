import FoundationEssentials
import RecordStack
import TestSupport

// Text with options, arithmetic, and comparisons with other values of the same object.
extension RandomFilters {
    func owner() -> RelationshipReference<Owner> { FilterProxy<Sample>().owner }

    mutating func options() -> TextOptions {
        TextOptions(rawValue: Int.random(in: 0...3, using: &values.random))
    }

    private mutating func pattern() -> String {
        ["*", "?", "a*", "*b", "?b*", "a?c", "\\*", "\\?", "*e\u{301}*", "A*", "", "**", "a\\"]
            .randomElement(using: &values.random)! + (values.random.chance(30) ? values.text() : "")
    }

    mutating func text(_ text: FilterExpression<String>) -> Filter {
        switch Int.random(in: 0..<9, using: &values.random) {
        case 0: text.equals(values.text(), options())
        case 1: text.hasPrefix(values.text(), options())
        case 2: text.hasSuffix(values.text(), options())
        case 3: text.contains(values.text(), options())
        case 4, 5: text.like(pattern(), options())
        case 6:
            text.matches(
                ["a.*", "[a-z]*", ".", "\\\\w+", "é|ß"].randomElement(using: &values.random)!,
                options())
        case 7: compare(values.flag() ? text.lowercased() : text.uppercased(), values.text())
        default: compare(text.count, Int.random(in: 0...3, using: &values.random))
        }
    }

    mutating func maybeText(_ text: FilterExpression<String?>) -> Filter {
        let other = values.flag() ? owner().name : FilterProxy<Sample>().text
        switch Int.random(in: 0..<6, using: &values.random) {
        case 0: return text.hasPrefix(other, options())
        case 1: return text.contains(other, options())
        case 2: return text.like(pattern(), options())
        case 3: return text == other
        case 4: return text != other
        default: return compare(text.count, Int.random(in: 0...3, using: &values.random))
        }
    }

    mutating func arithmetic(_ sample: FilterProxy<Sample>) -> Filter {
        let (number, maybe, real) = (sample.number, sample.maybeNumber, sample.maybeReal)
        switch Int.random(in: 0..<14, using: &values.random) {
        case 0: return compare(number + values.number(), values.number())
        case 1: return compare(number - values.number(), values.number())
        case 2: return compare(number * values.number(), values.number())
        case 3: return compare(number / values.number(), values.number())
        case 4:
            let product = values.flag() ? number : number * values.number()
            return compare(product % values.number(), values.number())
        case 5: return compare(maybe + owner().rank, values.number())
        case 6: return compare(maybe * maybe, values.number())
        case 7: return compare(real / values.real(), values.real())
        case 8: return compare(real * real - values.real(), values.real())
        case 9: return compare(sample.decimal * values.decimal(), values.decimal())
        case 10: return compare(sample.decimal + sample.decimal, values.decimal())
        case 11: return compare(sample.date + values.real(), values.date())
        case 12: return compare(maybe.magnitude, values.number())
        default:
            return compare(
                values.flag() ? real.roundedDown() : real.roundedUp(), values.real())
        }
    }

    mutating func pair(_ sample: FilterProxy<Sample>) -> Filter {
        switch Int.random(in: 0..<9, using: &values.random) {
        case 0: sample.number == sample.maybeNumber
        case 1: sample.maybeNumber != owner().rank
        case 2: sample.maybeNumber < sample.number
        case 3: owner().rank >= sample.maybeNumber
        case 4: sample.text <= owner().name
        case 5: sample.text == sample.maybeText
        case 6: sample.maybeDate > sample.date
        case 7: sample.number.asDouble >= sample.real
        default: sample.decimal < sample.decimal + values.decimal()
        }
    }

    mutating func list(_ sample: FilterProxy<Sample>) -> Filter {
        // Long lists take another form in SQL.
        let most = [4, 4, 50, 200].randomElement(using: &values.random)!
        let count = Int.random(in: 0...most, using: &values.random)
        switch Int.random(in: 0..<8, using: &values.random) {
        case 0: return sample.number.isIn((0..<count).map { _ in values.number() })
        case 1:
            return sample.maybeNumber.isIn((0..<count).map { _ in values.maybe(values.number()) })
        case 2: return sample.text.isIn((0..<count).map { _ in values.text() })
        case 3: return sample.decimal.isIn((0..<count).map { _ in values.decimal() })
        case 6: return sample.maybeReal.isIn((0..<count).map { _ in values.maybe(values.real()) })
        case 7: return sample.data.isIn((0..<count).map { _ in values.data() })
        case 4:
            let bounds = [values.number(), values.number()].sorted()
            return sample.maybeNumber.isBetween(bounds[0]...bounds[1])
        default:
            let bounds = [values.text(), values.text()].sorted {
                $0.utf8.lexicographicallyPrecedes($1.utf8)
            }
            return values.flag()
                ? sample.text >= bounds[0] && sample.text < bounds[1]
                : (sample.number + 1).isIn((0..<count).map { _ in values.number() })
        }
    }
}
