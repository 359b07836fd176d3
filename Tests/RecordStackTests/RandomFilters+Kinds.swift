import FoundationEssentials
import RecordStack
import TestSupport

/// An enum that is stored as text, which sorts in another order than the cases.
enum Tone: String, CaseIterable, Codable, AttributeValue {
    case low = "z", middle = "é", high = "a"
}

/// An enum that is stored as a number.
enum Pitch: Int8, CaseIterable, Codable, Comparable, AttributeValue {
    case flat = -1, natural, sharp

    static func < (lhs: Pitch, rhs: Pitch) -> Bool { lhs.rawValue < rhs.rawValue }
}

// Values of attributes that are stored as another type, or in fewer bits.
extension RandomValues {
    static let singles: [Float] = [-.infinity, -1.5, -0.0, 0, 0.1, 0.5, 16_777_216, .infinity]
    static let smalls: [Int8] = [.min, -1, 0, 1, .max]
    static let shorts: [UInt16] = [0, 1, 255, .max]
    static let links = ["a:b", "http://a.b/c?d=e#f", "x", "about:blank"].map { URL(string: $0)! }

    mutating func tone() -> Tone { Tone.allCases.randomElement(using: &random)! }
    mutating func pitch() -> Pitch { Pitch.allCases.randomElement(using: &random)! }
    mutating func single() -> Float { Self.singles.randomElement(using: &random)! }
    mutating func small() -> Int8 { Self.smalls.randomElement(using: &random)! }
    mutating func short() -> UInt16 { Self.shorts.randomElement(using: &random)! }
    mutating func link() -> URL { Self.links.randomElement(using: &random)! }
    mutating func tags() -> [String] { random.chance(30) ? [] : [text()] }

    mutating func fillKinds(of sample: Sample) {
        sample.tone = tone()
        sample.maybeTone = maybe(tone())
        sample.maybePitch = maybe(pitch())
        sample.single = single()
        sample.small = small()
        sample.maybeShort = maybe(short())
        sample.maybeLink = maybe(link())
        sample.tags = tags()
    }

    /// Replaces the favorites of an owner with some of the stickers in random order.
    mutating func fillFavorites(of owner: Owner, from marks: [Sticker]) {
        owner.favorites.replaceAll(
            with: marks.filter { _ in random.chance(40) }.shuffled(using: &random))
    }
}

// Conditions on such attributes, and on ordered members.
extension RandomFilters {
    mutating func kind(_ sample: FilterProxy<Sample>) -> Filter {
        let count = Int.random(in: 0...3, using: &values.random)
        switch Int.random(in: 0..<16, using: &values.random) {
        case 0: return sample.tone == values.tone()
        case 1: return sample.maybeTone != values.maybe(values.tone())
        case 2: return sample.maybeTone == sample.tone
        case 3: return sample.maybeTone.isIn((0..<count).map { _ in values.maybe(values.tone()) })
        case 4: return compare(sample.maybePitch, values.pitch())
        case 5: return compare(sample.single, values.single())
        case 6: return compare(sample.single * values.single(), values.single())
        case 7: return compare(sample.small, values.small())
        case 8: return compare(sample.small - values.small(), values.small())
        case 9: return compare(sample.maybeShort, values.short())
        case 10: return compare(sample.maybeShort + 1, values.short())
        case 11: return sample.maybeLink != values.maybe(values.link())
        case 12:
            return values.flag() ? sample.tags == values.tags() : sample.tags != values.tags()
        case 13: return sample.small.isIn((0..<count).map { _ in values.small() })
        default: return favorites(sample.owner.favorites)
        }
    }

    private mutating func favorites(_ favorites: ToManyReference<Sticker>) -> Filter {
        let (text, number) = (values.text(), values.number())
        switch Int.random(in: 0..<5, using: &values.random) {
        case 0: return favorites.isEmpty
        case 1: return compare(favorites.count, Int.random(in: 0...3, using: &values.random))
        case 2: return quantified(favorites) { $0.name >= text }
        case 3: return quantified(favorites) { mark in mark.fans.any { $0.rank == number } }
        default: return compare(favorites.sum { $0.weight }, number)
        }
    }
}
