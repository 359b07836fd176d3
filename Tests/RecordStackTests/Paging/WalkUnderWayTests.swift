import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

@Entity final class Wanderer: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute(.indexed) var group: Int?
    @Attribute(.indexed) var mark: Int = 0
}

/// Pages by key through 100,000 rows, while other contexts insert and delete.
@Suite("Paging during changes") struct WalkUnderWayTests {
    private static let count = 100_000

    enum Order: Sendable, CaseIterable {
        case key, group, groupFromTheEnd, mixed

        var keys: [SortKey<Wanderer>] {
            switch self {
            case .key: []
            case .group: [.ascending(\.group)]
            case .groupFromTheEnd: [.descending(\.group, nulls: .first)]
            case .mixed: [.ascending(\.group, nulls: .last), .descending(\.mark)]
            }
        }
    }

    /// Creates rows with many equal groups and some rows without a group.
    private static func fill(_ test: TestStack) throws {
        try test.seed { context in
            for number in 0..<count {
                let made = try Wanderer.create(in: context, number: number * 2)
                made.group = number % 7 == 0 ? nil : number * 31 % 1_000
                made.mark = number % 5
            }
        }
    }

    @Test(arguments: Order.allCases, [false, true])
    func `pages by key repeat or miss no row while others are added and deleted`(
        order: Order, backwards: Bool
    ) throws {
        var random = Seeded.fromEnvironment()
        let test = try TestStack(for: Wanderer.self, at: .temporaryFile)
        try Self.fill(test)
        let request = FetchRequest<Wanderer>(sortKeys: order.keys)
        let reader = test.stack.newContext()
        var met: Set<Int> = []
        var gone: Set<Int> = []
        var token: PageToken?
        var pages = 0
        test.recorder.reset()
        repeat {
            let page =
                backwards
                ? try reader.page(before: token, size: 2_000, of: request)
                : try reader.page(after: token, size: 2_000, of: request)
            for row in page.items {
                let isNew = met.insert(row.number).inserted
                if !isNew { Issue.record("\(row.number) twice, seed \(random.seed)") }
            }
            token = backwards ? page.previous : page.next
            pages += 1
            gone.formUnion(try Self.disturb(test.stack, &random))
        } while token != nil
        let missed = (0..<Self.count).filter { !met.contains($0 * 2) && !gone.contains($0 * 2) }
        #expect(missed.isEmpty, "seed \(random.seed)")
        #expect(pages >= 45)
        #expect(!test.recorder.statements.contains { $0.contains("OFFSET") })
    }

    /// Deletes some rows and inserts others anywhere, and returns the deleted numbers.
    private static func disturb(
        _ stack: ContextStack, _ random: inout Seeded
    ) throws -> [Int] {
        let numbers = (0..<20).map { _ in random.below(count) * 2 }
        let seed = random.next()
        return try stack.saveWithBlockAndWait { context in
            var random = Seeded(seed: seed)
            let found = try Wanderer.find(in: context) { $0.number.isIn(numbers) }
            let gone = found.map(\.number)
            for row in found { try row.delete() }
            for _ in 0..<20 {
                let number = random.below(count) * 2 + 1
                if try Wanderer.exists(in: context, where: { $0.number == number }) { continue }
                let made = try Wanderer.create(in: context, number: number)
                made.group = random.chance(20) ? nil : random.below(1_000)
                made.mark = random.below(5)
            }
            return gone
        }
    }
}
