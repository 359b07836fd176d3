import FoundationEssentials
import RecordStack
import TestSupport

// Conditions on the members of to-many relationships, and aggregates over all members.
extension RandomFilters {
    mutating func quantified<Member: ManagedEntity>(
        _ members: ToManyReference<Member>, _ condition: (FilterProxy<Member>) -> Filter
    ) -> Filter {
        switch Int.random(in: 0..<4, using: &values.random) {
        case 0: members.any { condition($0) }
        case 1: members.all { condition($0) }
        case 2: members.none { condition($0) }
        default:
            members.where { condition($0) }.count >= Int.random(in: 0...3, using: &values.random)
        }
    }

    /// Returns a condition on the other samples of the same owner, which may be compared with this
    /// sample.
    mutating func members(
        of samples: ToManyReference<Sample>, beside sample: FilterProxy<Sample>
    ) -> Filter {
        let number = values.number()
        let choice = Int.random(in: 0..<11, using: &values.random)
        switch choice {
        case 0: return quantified(samples) { $0.number > number }
        case 1: return quantified(samples) { $0.number < sample.number }
        case 2: return quantified(samples) { $0.text == sample.owner.name }
        case 3: return quantified(samples) { $0.owner.rank == number }
        case 4:
            return quantified(samples) { other in other.marks.any { $0.weight == other.maybeNumber }
            }
        case 5: return compare(samples.count, Int.random(in: 0...8, using: &values.random))
        case 6: return compare(samples.sum { $0.maybeReal }, values.real())
        case 7: return compare(samples.min { $0.text }, values.text())
        case 8: return compare(samples.sum { _ in sample.maybeNumber }, number)
        case 9:
            return compare(samples.where { $0.flag }.max { _ in sample.owner.name }, values.text())
        default: return compare(samples.where { $0.flag }.max { $0.maybeDate }, values.date())
        }
    }

    mutating func marks(of marks: ToManyReference<Sticker>) -> Filter {
        let (text, number) = (values.text(), values.number())
        switch Int.random(in: 0..<10, using: &values.random) {
        case 0: return quantified(marks) { $0.weight == number }
        case 1: return quantified(marks) { $0.name.contains(text, .caseInsensitive) }
        case 2: return marks.isEmpty
        case 3: return compare(marks.count, Int.random(in: 0...4, using: &values.random))
        case 4: return compare(marks.sum { $0.weight }, number)
        case 5: return compare(marks.sum { $0.price }, values.decimal())
        case 6: return compare(marks.average { $0.share }, values.real())
        case 7: return compare(marks.max { $0.price }, values.decimal())
        case 8: return quantified(marks) { mark in mark.samples.any { $0.number == number } }
        default: return compare(marks.average { $0.weight }, values.real())
        }
    }

    /// Returns a condition on members of members of members, with conditions beside them.
    private mutating func nested(_ juniors: ToManyReference<Owner>, _ levels: Int) -> Filter {
        let steps = (0..<levels).map { _ in
            (kind: Int.random(in: 0..<7, using: &values.random), number: values.number())
        }
        return Self.nested(juniors, steps[...], values.text())
    }

    private static func nested(
        _ juniors: ToManyReference<Owner>, _ steps: ArraySlice<(kind: Int, number: Int)>,
        _ text: String
    ) -> Filter {
        guard let (kind, number) = steps.first else { return !juniors.isEmpty }
        func inner(_ junior: FilterProxy<Owner>) -> Filter {
            let next = nested(junior.juniors, steps.dropFirst(), text)
            return number > 1 ? next : next || junior.name < text
        }
        return switch kind {
        case 0, 1: juniors.any { inner($0) }
        case 2: juniors.any { $0.rank != number && inner($0) && $0.senior.name >= text }
        case 3:
            juniors.any { junior in inner(junior) && junior.samples.any { $0.number >= number } }
        case 4: juniors.all { inner($0) }
        case 5: juniors.none { inner($0) }
        default: juniors.where { inner($0) }.count >= 1
        }
    }

    /// Returns a condition that compares objects with other objects of the filter.
    private mutating func identical(_ juniors: ToManyReference<Owner>) -> Filter {
        let owner = owner()
        switch Int.random(in: 0..<6, using: &values.random) {
        case 0: return quantified(juniors) { $0 != owner.senior && $0.senior == owner }
        case 1: return juniors.contains(owner.senior)
        case 2: return quantified(juniors) { a in a.juniors.any { $0 == owner || $0 != a } }
        case 3: return quantified(juniors) { $0.objectID == $0.senior.objectID }
        case 4: return owner.senior == owner.senior.senior
        default: return quantified(juniors) { a in owner.juniors.none { $0 == a } }
        }
    }

    mutating func juniors(of juniors: ToManyReference<Owner>) -> Filter {
        let (text, number) = (values.text(), values.number())
        switch Int.random(in: 0..<8, using: &values.random) {
        case 4, 5: return nested(juniors, Int.random(in: 2...4, using: &values.random))
        case 6: return identical(juniors)
        case 0: return quantified(juniors) { $0.name < text }
        case 1: return quantified(juniors) { junior in junior.samples.any { $0.number == number } }
        case 2: return quantified(juniors) { $0.senior.rank == number }
        default: return compare(juniors.sum { $0.rank }, number)
        }
    }
}
