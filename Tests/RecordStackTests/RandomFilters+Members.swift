import FoundationEssentials
import RecordStack
import TestSupport

// Conditions on the members of to-many relationships, and values of all of them.
extension RandomFilters {
    private mutating func quantified<Member: ManagedEntity>(
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

    /// The other samples of the same owner, which may be compared with this one.
    mutating func members(
        of samples: ToManyReference<Sample>, beside sample: FilterProxy<Sample>
    ) -> Filter {
        let number = values.number()
        let choice = Int.random(in: 0..<9, using: &values.random)
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

    mutating func juniors(of juniors: ToManyReference<Owner>) -> Filter {
        let (text, number) = (values.text(), values.number())
        switch Int.random(in: 0..<4, using: &values.random) {
        case 0: return quantified(juniors) { $0.name < text }
        case 1: return quantified(juniors) { junior in junior.samples.any { $0.number == number } }
        case 2: return quantified(juniors) { $0.senior.rank == number }
        default: return compare(juniors.sum { $0.rank }, number)
        }
    }
}
