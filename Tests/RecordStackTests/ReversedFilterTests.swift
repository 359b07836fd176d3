import FoundationEssentials
import RecordStack
import RecordStackTesting
import Testing

@Entity final class Purse: ManagedObject {
    @Attribute var number: Int
    @Attribute var name: String
    @Attribute var coins: Int?
    @Attribute var balance: Decimal = 0
    @Attribute var weight: Double = 0
    @Attribute var since: Date?
    @Attribute var isOpen: Bool = false
}

/// Filters with the value on the left, and with a minus before an expression.
@Suite("Reversed comparisons and minus signs") struct ReversedFilterTests {
    private let test: TestStack
    private let contexts: [ManagedObjectContext]

    init() throws {
        func fill(_ context: ManagedObjectContext) throws {
            for number in -3...3 {
                let purse = try Purse.create(in: context, number: number, name: "p\(number)")
                purse.coins = number == 0 ? nil : number
                purse.balance = Decimal(number) / 4
                purse.weight = Double(number) / 8
                purse.since = number < 0 ? nil : Date(timeIntervalSinceReferenceDate: 1)
                purse.isOpen = number > 1
            }
        }
        test = try TestStack(for: Purse.self, seed: fill)
        let other = try TestStack(for: Purse.self)
        let pending = other.stack.newContext()
        try fill(pending)
        contexts = [test.stack.newContext(), pending]
    }

    private func numbers(_ condition: (FilterProxy<Purse>) -> Filter) throws -> [Int] {
        let found = try contexts.map {
            try Purse.find(sortedBy: .ascending(\.number), in: $0, where: condition).map(\.number)
        }
        #expect(found[0] == found[1])
        return found[0]
    }

    @Test func `a filter such as 2 <= $0.number equals the filter $0.number >= 2`() throws {
        let purse = FilterProxy<Purse>()
        let (three, none): (Int, Int?) = (3, nil)
        let day = Date(timeIntervalSinceReferenceDate: 0)
        for (left, right) in [
            (2 <= purse.number, purse.number >= 2), (2 < purse.number, purse.number > 2),
            (2 >= purse.number, purse.number <= 2), (2 > purse.number, purse.number < 2),
            (2 == purse.number, purse.number == 2), (2 != purse.number, purse.number != 2),
            (2 <= purse.coins, purse.coins >= 2), (2 < purse.coins, purse.coins > 2),
            (2 >= purse.coins, purse.coins <= 2), (three > purse.coins, purse.coins < three),
            (2 == purse.coins, purse.coins == 2), (nil != purse.coins, purse.coins != nil),
            (none == purse.coins, purse.coins == none),
            (true == purse.isOpen, purse.isOpen == true),
            ("p1" == purse.name, purse.name == "p1"), ("p1" != purse.name, purse.name != "p1"),
            (0.5 < purse.weight, purse.weight > 0.5), (day < purse.since, purse.since > day),
            (10 - 8 <= purse.number + 1, purse.number + 1 >= 2),
        ] {
            #expect(left == right)
        }
        #expect(try numbers { 2 <= $0.coins && "p3" != $0.name } == [2])
        #expect(try numbers { -1 > $0.number || nil == $0.coins } == [-3, -2, 0])
    }

    @Test func `a minus sign in a filter negates a number`() throws {
        #expect(try numbers { -$0.number >= 2 } == [-3, -2])
        #expect(try numbers { -$0.coins > 0 } == [-3, -2, -1])
        #expect(try numbers { -$0.coins == nil } == [0])
        #expect(try numbers { -$0.balance == Decimal(string: "0.75")! } == [-3])
        #expect(try numbers { -$0.weight < -0.2 } == [2, 3])
        #expect(try numbers { -($0.number + 1) * 2 == 4 } == [-3])
        #expect(try Purse.sum(of: { -$0.balance }, in: contexts[0]) { $0.number > 0 } == -1.5)
    }

    @Test func `negating the smallest integer in a filter gives a real number`() throws {
        for context in contexts {
            try Purse.create(in: context, number: .min, name: "least")
            if context === contexts[0] { try context.saveAndWait() }
        }
        #expect(try numbers { -$0.number > .max }.map { $0 == .min } == [true])
        #expect(try numbers { $0.number < 0 && -$0.number < 3 } == [-2, -1])
    }

    @Test func `a minus sign in a closure equals a minus sign in a format string`() throws {
        let purse = FilterProxy<Purse>()
        for (closure, format) in [
            (-purse.number > 2, "-number > 2"), (-purse.weight > 2, "-weight > 2"),
            (-purse.balance > 2, "-balance > 2"), (-purse.coins > 2, "-coins > 2"),
        ] {
            #expect(try Filter(format: format, for: Purse.self) == closure)
            let text = try closure.formatString(for: Purse.self)
            #expect(try Filter(format: text, for: Purse.self) == closure, "\(text)")
        }
    }
}
