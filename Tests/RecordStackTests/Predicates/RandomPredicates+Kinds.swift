import FoundationEssentials
import RecordStack
import TestSupport

// Attributes that are stored as another type.
extension RandomPredicates {
    mutating func kind(_ sample: Part<Sample>) -> Part<Bool> {
        switch below(8) {
        case 0:
            return Parts.equal(
                Parts.property(sample, \.tone), Parts.value(values.tone()),
                isNegated: values.flag())
        case 1:
            return Parts.equal(
                Parts.property(sample, \.maybeTone), Parts.value(values.maybe(values.tone())),
                isNegated: values.flag())
        case 2:
            return Parts.equal(
                Parts.property(sample, \.maybePitch), Parts.value(values.maybe(values.pitch())))
        case 3: return compare(Parts.property(sample, \.single), Parts.value(values.single()))
        case 4: return compare(Parts.property(sample, \.small), Parts.value(values.small()))
        case 5:
            return compare(
                Parts.coalesce(
                    Parts.property(sample, \.maybeShort), Parts.value(values.short())),
                Parts.value(values.short()))
        case 6:
            return Parts.equal(
                Parts.property(sample, \.maybeLink), Parts.value(values.maybe(values.link())))
        default:
            return Parts.equal(
                Parts.property(sample, \.tags), Parts.value(values.flag() ? [] : [word()]),
                isNegated: values.flag())
        }
    }
}
