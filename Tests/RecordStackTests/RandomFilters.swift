import FoundationEssentials
import RecordStack
import RecordStackModel
import TestSupport

@Entity final class Sample: ManagedObject {
    @Attribute var flag: Bool
    @Attribute var maybeFlag: Bool?
    @Attribute(.indexed) var number: Int
    @Attribute var maybeNumber: Int?
    @Attribute var real: Double
    @Attribute var maybeReal: Double?
    @Attribute(.indexed) var text: String
    @Attribute var maybeText: String?
    @Attribute var date: Date
    @Attribute var maybeDate: Date?
    @Attribute var maybeUUID: UUID?
    @Attribute(.indexed) var decimal: Decimal = 0
    @Attribute var maybeUnsigned: UInt64?
    @Attribute(.stored(as: "the data")) var data: Data
    @Attribute(.indexed) var tone: Tone = .low
    @Attribute var maybeTone: Tone?
    @Attribute var maybePitch: Pitch?
    @Attribute var single: Float = 0
    @Attribute(.indexed) var small: Int8 = 0
    @Attribute var maybeShort: UInt16?
    @Attribute var maybeLink: URL?
    @Attribute var tags: [String] = []
    @Attribute var serial: Int = 0
    @Relationship(inverse: \Owner.samples) var owner: Owner?
    @Relationship(inverse: \Sticker.samples) var marks: ToMany<Sticker>
}

@Entity final class Sticker: ManagedObject {
    @Attribute var name: String
    @Attribute var weight: Int?
    @Attribute var price: Decimal?
    @Attribute var share: Double?
    @Relationship var samples: ToMany<Sample>
    @Relationship var fans: ToMany<Owner>
}

@Entity final class Owner: ManagedObject {
    @Attribute var name: String
    @Attribute var rank: Int?
    @Relationship(inverse: \Owner.juniors) var senior: Owner?
    @Relationship var juniors: ToMany<Owner>
    @Relationship(inverse: \Sticker.fans) var favorites: OrderedToMany<Sticker>
    @Relationship var samples: ToMany<Sample>
}

/// A generator of values that often coincide, and of values at which meanings differ.
struct RandomValues {
    var random: Seeded

    static let texts = [
        "", "a", "A", "ab", "abc", "b", "é", "e\u{301}", "ß", "ss", "z\u{0}z", "z", "🙂", "🙂🙂",
        "\u{10FFFF}",
        "%", "_", "'", "\"", "a%", "NULL", "ﬁ", "İ", "i",
    ]
    static let numbers = [Int.min, -1, 0, 1, 2, 3, 1 << 53, (1 << 53) + 1, Int.max]
    static let reals = [
        -Double.infinity, -1.5, -0.0, 0.0, 0.5, 1, 2, 9_007_199_254_740_992, .infinity,
    ]

    static let decimals = [
        "0", "-1", "-10", "9", "10", "9.5", "10.25", "-0.5", "-0.05", "1e30", "1e-30",
    ]
    .map { Decimal(string: $0)! }
    static let unsigneds: [UInt64] = [0, 1, 256, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]

    mutating func decimal() -> Decimal { Self.decimals.randomElement(using: &random)! }
    /// Returns a price that filters can add up. A sum with more digits than a `Decimal` holds is
    /// refused.
    mutating func price() -> Decimal {
        let value = decimal()
        return value.exponent > -20 && abs(value) < 1e20 ? value : 0
    }
    mutating func unsigned() -> UInt64 { Self.unsigneds.randomElement(using: &random)! }
    mutating func text() -> String { Self.texts.randomElement(using: &random)! }
    mutating func number() -> Int { Self.numbers.randomElement(using: &random)! }
    mutating func real() -> Double { Self.reals.randomElement(using: &random)! }
    mutating func flag() -> Bool { random.chance(50) }
    mutating func date() -> Date {
        Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -2...2, using: &random)) / 2)
    }
    mutating func uuid() -> UUID {
        UUID(
            uuidString:
                "00000000-0000-0000-0000-00000000000\(Int.random(in: 0...3, using: &random))")!
    }
    mutating func data() -> Data {
        Data((0..<Int.random(in: 0...2, using: &random)).map { UInt8($0) })
    }
    mutating func maybe<Value>(_ value: Value) -> Value? { random.chance(30) ? nil : value }

    mutating func fill(_ sample: Sample, owners: [Owner]) {
        sample.flag = flag()
        sample.maybeFlag = maybe(flag())
        sample.number = number()
        sample.maybeNumber = maybe(number())
        sample.real = real()
        sample.maybeReal = maybe(real())
        sample.text = text()
        sample.maybeText = maybe(text())
        sample.date = date()
        sample.maybeDate = maybe(date())
        sample.maybeUUID = maybe(uuid())
        sample.data = data()
        sample.decimal = decimal()
        sample.maybeUnsigned = maybe(unsigned())
        fillKinds(of: sample)
        sample.owner = maybe(owners.randomElement(using: &random)) ?? nil
    }

    mutating func fill(_ mark: Sticker) {
        mark.name = text()
        mark.weight = maybe(number())
        mark.price = maybe(price())
        mark.share = maybe(real())
    }

    /// Relates a sample to some stickers, and removes others.
    mutating func mark(_ sample: Sample, with marks: [Sticker]) {
        for mark in marks {
            if random.chance(30) {
                sample.marks.insert(mark)
            } else if random.chance(30) {
                sample.marks.remove(mark)
            }
        }
    }
}

/// A generator of filters of every kind, over attributes and to-one steps.
struct RandomFilters {
    var values: RandomValues

    mutating func filter(depth: Int = 3) -> Filter {
        if depth > 0 && values.random.chance(60) {
            switch Int.random(in: 0..<5, using: &values.random) {
            case 0, 1: return filter(depth: depth - 1) && filter(depth: depth - 1)
            case 2, 3: return filter(depth: depth - 1) || filter(depth: depth - 1)
            default: return !filter(depth: depth - 1)
            }
        }
        return leaf()
    }

    private mutating func leaf() -> Filter {
        let sample = FilterProxy<Sample>()
        switch Int.random(in: 0..<26, using: &values.random) {
        case 24, 25: return kind(sample)
        case 15, 16: return text(values.flag() ? sample.text : owner().name)
        case 17: return maybeText(sample.maybeText)
        case 18, 19: return arithmetic(sample)
        case 20: return pair(sample)
        case 21: return members(of: sample.owner.samples, beside: sample)
        case 22: return marks(of: sample.marks)
        case 23: return values.flag() ? juniors(of: sample.owner.juniors) : list(sample)
        case 0: return values.flag() ? sample.flag.filter : !sample.flag
        case 1: return sample.maybeFlag != values.maybe(values.flag())
        case 2: return compare(sample.number, values.number())
        case 3: return compare(sample.maybeNumber, values.number())
        case 4: return compare(sample.real, values.real())
        case 5: return compare(sample.maybeReal, values.real())
        case 6: return compare(sample.text, values.text())
        case 7:
            return values.flag()
                ? sample.maybeText.hasPrefix(values.text()) : sample.text.contains(values.text())
        case 8:
            return values.flag()
                ? sample.text.hasPrefix(values.text()) : sample.maybeText.contains(values.text())
        case 9: return compare(sample.maybeDate, values.date())
        case 10: return sample.maybeUUID == values.maybe(values.uuid())
        case 11: return sample.data != values.data()
        case 12: return compare(sample.decimal, values.decimal())
        case 13: return compare(sample.maybeUnsigned, values.unsigned())
        default: return step()
        }
    }

    private mutating func step() -> Filter {
        let owner = FilterProxy<Sample>().owner
        switch Int.random(in: 0..<6, using: &values.random) {
        case 0: return owner == nil
        case 1: return owner != nil
        case 2: return compare(owner.name, values.text())
        case 3: return owner.rank == values.maybe(values.number())
        case 4: return owner.senior == nil
        default: return owner.senior.name.hasPrefix(values.text())
        }
    }

    mutating func compare<Value: AttributeValue & Comparable>(
        _ attribute: FilterExpression<Value>, _ value: Value
    ) -> Filter {
        switch Int.random(in: 0..<6, using: &values.random) {
        case 0: attribute == value
        case 1: attribute != value
        case 2: attribute < value
        case 3: attribute <= value
        case 4: attribute > value
        default: attribute >= value
        }
    }

    mutating func compare<Value: AttributeValue & Comparable>(
        _ attribute: FilterExpression<Value?>, _ value: Value
    ) -> Filter {
        switch Int.random(in: 0..<7, using: &values.random) {
        case 0: attribute == value
        case 1: attribute != value
        case 2: attribute < value
        case 3: attribute <= value
        case 4: attribute > value
        case 5: attribute == nil
        default: attribute >= value
        }
    }

    mutating func sortKeys() -> [SortKey<Sample>] {
        let all: [SortKey<Sample>] = [
            .ascending(\.text), .descending(\.text), .ascending(\.maybeText),
            .descending(\.maybeText), .ascending(\.number), .descending(\.maybeNumber),
            .ascending(\.real), .descending(\.maybeReal), .ascending(\.flag),
            .descending(\.maybeDate), .ascending(\.maybeUUID), .ascending(\.data),
            .ascending(\.decimal), .descending(\.decimal), .ascending(\.maybeUnsigned),
            .ascending(\.maybeText, nulls: .last), .descending(\.maybeNumber, nulls: .first),
            .ascending(\.text, .caseInsensitive),
            .descending(\.maybeText, [.caseInsensitive, .diacriticInsensitive], nulls: .first),
            .ascending { $0.owner.name }, .descending(nulls: .first) { $0.owner.senior.rank },
            .ascending(.diacriticInsensitive) { $0.owner.name }, .descending { $0.marks.count },
            .ascending(\.tone), .descending(\.maybePitch), .ascending(\.single),
            .descending(\.small), .ascending(\.maybeLink), .descending { $0.owner.favorites.count },
            .ascending { $0.number * 2 }, .descending { $0.decimal + $0.decimal },
            .ascending(nulls: .last) { $0.owner.samples.max { $0.maybeNumber } },
            .ascending(\.text, order: .byEnds), .descending(\.maybeText, order: .byEnds),
            .ascending(order: .byEnds, nulls: .last) { $0.owner.name },
        ]
        return (0..<Int.random(in: 0...3, using: &values.random)).map { _ in
            all.randomElement(using: &values.random)!
        }
    }
}
