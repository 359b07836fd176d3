import FoundationEssentials
import RecordStack
import TestSupport

// To-one steps, members, and IDs.
extension RandomPredicates {
    mutating func owner(_ sample: Part<Sample>) -> Part<Bool> {
        let make = closure { (made, owner: Part<Owner>) in made.condition(of: owner, beside: sample)
        }
        let asked = Parts.flatMap(Parts.property(sample, \.owner), make)
        return values.flag()
            ? Parts.coalesce(asked, Parts.value(values.flag()))
            : Parts.equal(asked, Parts.value(values.maybe(values.flag())), isNegated: values.flag())
    }

    private mutating func condition(of owner: Part<Owner>, beside sample: Part<Sample>) -> Part<
        Bool
    > {
        switch below(6) {
        case 0: return Parts.equal(Parts.property(owner, \.name), Parts.value(word()))
        case 1:
            return Parts.equal(Parts.property(owner, \.rank), Parts.property(sample, \.maybeNumber))
        case 2: return Parts.property(Parts.property(owner, \.juniors), \.isEmpty)
        case 3:
            return compare(
                Parts.property(Parts.property(owner, \.samples), \.count), Parts.value(below(10)))
        case 4:
            let make = closure { (made, other: Part<Sample>) in made.other(other, beside: sample) }
            return Parts.members(
                values.flag() ? .any : .all, Parts.property(owner, \.samples), make)
        default:
            let name = Parts.flatMap(Parts.property(owner, \.senior)) { Parts.property($0, \.name) }
            return Parts.equal(name, Parts.value(values.maybe(word())), isNegated: values.flag())
        }
    }

    /// Returns a condition on another sample of the same owner, which may compare it with this
    /// sample.
    private mutating func other(_ other: Part<Sample>, beside sample: Part<Sample>) -> Part<Bool> {
        switch below(4) {
        case 0: compare(Parts.property(other, \.number), Parts.property(sample, \.number))
        case 1: compare(number(other), number(sample))
        case 2: Parts.equal(Parts.property(other, \.objectID), Parts.property(sample, \.objectID))
        default: condition(other, 1)
        }
    }

    mutating func members(_ sample: Part<Sample>) -> Part<Bool> {
        let marks = Parts.property(sample, \.marks)
        let make = closure { (made, mark: Part<Sticker>) in made.mark(mark, beside: sample) }
        switch below(5) {
        case 0: return Parts.members(.any, marks, make)
        case 1: return Parts.members(.all, marks, make)
        case 2:
            let count = Parts.property(Parts.filter(marks, make), \.count)
            return compare(count, Parts.value(below(4)))
        case 3: return Parts.property(Parts.filter(marks, make), \.isEmpty)
        default:
            let second = closure { (made, mark: Part<Sticker>) in made.mark(mark, beside: sample) }
            return Parts.members(values.flag() ? .any : .all, Parts.filter(marks, make), second)
        }
    }

    private mutating func mark(_ mark: Part<Sticker>, beside sample: Part<Sample>) -> Part<Bool> {
        switch below(5) {
        case 0: return Parts.equal(Parts.property(mark, \.name), Parts.value(word()))
        case 1:
            return Parts.equal(
                Parts.property(mark, \.weight), Parts.property(sample, \.maybeNumber),
                isNegated: values.flag())
        case 2:
            return compare(
                Parts.coalesce(Parts.property(mark, \.price), Parts.value(values.decimal())),
                Parts.property(sample, \.decimal))
        case 3:
            return Parts.equal(
                Parts.property(mark, \.share), Parts.value(values.maybe(values.real())))
        default:
            let make = closure { (made, other: Part<Sample>) in made.other(other, beside: sample) }
            return Parts.members(.any, Parts.property(mark, \.samples), make)
        }
    }

    mutating func identity(_ sample: Part<Sample>) -> Part<Bool> {
        let owner = Parts.property(sample, \.owner)
        let id = Parts.flatMap(owner) { Parts.property($0, \.objectID) }
        switch below(3) {
        case 0: return Parts.equal(id, Parts.none(ManagedObjectID.self), isNegated: values.flag())
        case 1:
            let senior = Parts.flatMap(owner, flattening: { Parts.property($0, \.senior) })
            return Parts.equal(id, Parts.flatMap(senior) { Parts.property($0, \.objectID) })
        default:
            let mine = Parts.property(sample, \.objectID)
            return Parts.equal(id, Parts.cast(mine), isNegated: values.flag())
        }
    }
}
