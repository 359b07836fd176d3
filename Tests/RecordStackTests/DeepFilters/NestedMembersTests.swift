import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Filters on members of members. A filter that works on stored rows must work beside edits, too.
@Suite("Nested members in filters") struct NestedMembersTests {
    private static let kinds = [
        "any", "any with &&", "any with ||", "all", "none", "count", "links",
    ]

    private static func filter(
        _ kind: String, _ levels: Int, _ rung: FilterProxy<Rung>, _ number: Int
    ) -> Filter {
        if levels == 0 { return rung.number >= number }
        func next(_ member: FilterProxy<Rung>) -> Filter {
            filter(kind, levels - 1, member, number)
        }
        return switch kind {
        case "any": rung.lower.any { next($0) }
        case "any with &&": rung.lower.any { $0.number >= rung.number && next($0) && $0.share >= 0 }
        case "any with ||": rung.lower.any { $0.number < 0 || next($0) }
        case "all": rung.lower.all { next($0) }
        case "none": rung.lower.none { next($0) }
        case "count": rung.lower.where { next($0) }.count >= 1
        default: rung.others.any { next($0) && $0.number >= 0 }
        }
    }

    /// Returns the least number that the innermost filter accepts. Every rung has links to other
    /// rungs, so a path along links never ends.
    private static func least(_ kind: String) -> Int { kind == "links" ? 0 : 9 }

    /// Returns the depths to try. Each step along the links doubles the number of paths.
    private static func levels(_ kind: String) -> ClosedRange<Int> {
        kind == "links" ? 1...10 : 1...30
    }

    /// Returns the expected numbers, computed in plain Swift. Each rung but the last has the next
    /// rung below it.
    private static func numbers(_ kind: String, _ levels: Int, _ count: Int) -> [Int] {
        func holds(_ number: Int, _ levels: Int) -> Bool {
            if levels == 0 || kind == "links" { return number >= least(kind) }
            let below = number + 1 < count ? holds(number + 1, levels - 1) : nil
            switch kind {
            case "all": return below ?? true
            case "none": return !(below ?? false)
            default: return below ?? false
            }
        }
        return (0..<count).filter { holds($0, levels) }
    }

    @Test(arguments: kinds)
    func `a filter on members 10 levels deep finds unsaved and stored objects`(kind: String) throws
    {
        let ladder = try Ladder()
        var deepest = 0
        for levels in Self.levels(kind) {
            let filter = Self.filter(
                kind, levels, FilterProxy<Rung>(), Self.least(kind))
            do {
                let found = try Ladder.numbers(filter, in: ladder.stored)
                #expect(found == Self.numbers(kind, levels, 40), "\(levels)")
                deepest = levels
            } catch let error as RecordStackError {
                #expect(error.code == .misuse && error.message.contains("about 10 deep"))
                break
            }
            let found = try Ladder.numbers(filter, in: ladder.mixed)
            #expect(found == Self.numbers(kind, levels, 41), "\(levels)")
            if levels <= 10 { try FormatRoundTripTests.check(filter, Rung.self) }
        }
        print("members inside of one another, \(kind): \(deepest)")
        let isJoined = ["any", "any with &&"].contains(kind)
        #expect(deepest >= (isJoined ? 30 : 10), "\(kind)")
    }
}
