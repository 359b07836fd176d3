import FoundationEssentials
import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Values and groups. They must be the same whatever is stored and whatever is pending, and the
/// same as computed from the objects.
@Suite("Random values and groups") struct RandomValueTests {
    @Test
    func `random aggregates, values and groups are the same in SQL and memory`() async throws {
        let random = Seeded.fromEnvironment()
        var made = RandomFilters(values: RandomValues(random: random))
        let rounds = Seeded.rounds(300, full: 6_000)
        for _ in 0..<(rounds / 30) {
            let world = try await SampleWorld(&made.values)
            for _ in 0..<30 {
                let request = FetchRequest<Sample>(
                    filter: made.values.random.chance(70) ? made.filter() : nil,
                    sortKeys: made.sortKeys(),
                    limit: made.values.random.chance(30)
                        ? Int.random(in: 0...12, using: &made.values.random) : nil,
                    offset: made.values.random.chance(30)
                        ? Int.random(in: 0...40, using: &made.values.random) : 0)
                try Self.check(request, in: world, "seed \(random.seed): \(request)")
            }
        }
    }

    private static func check(
        _ request: FetchRequest<Sample>, in world: SampleWorld, _ comment: Comment
    ) throws {
        let expected = try summary(of: request, in: world.stored)
        try compare(expected, with: request, in: world.stored, comment)
        for (name, context) in world.unsaved {
            let found = try summary(of: request, in: context)
            #expect(found == expected, "\(name), \(comment)")
        }
    }

    /// Whether a sum has more digits than a `Decimal` holds.
    private static func isTooLong(_ error: RecordStackError) -> Bool {
        error.code == .misuse && error.message.contains("more digits than a Decimal")
    }

    private struct Summary: Equatable {
        /// The sum, or nil if it has more digits than a `Decimal` holds.
        var total: Decimal?
        var average: Double?
        var least: String?
        var greatest: Double?
        var number: Int
        var texts: [StoredValue]
        var distinct: [StoredValue]
        var sizes: [[StoredValue]]
        var groups: [[StoredValue]]
        var largest: [[StoredValue]]
    }

    private static func total(
        of request: FetchRequest<Sample>, in context: ManagedObjectContext
    ) throws -> Decimal? {
        do {
            return try context.sum(of: \.decimal, for: request)
        } catch let error as RecordStackError where isTooLong(error) {
            return nil
        }
    }

    private static func summary(
        of request: FetchRequest<Sample>, in context: ManagedObjectContext
    ) throws -> Summary {
        Summary(
            total: try total(of: request, in: context),
            average: try context.average(of: { $0.marks.count }, for: request),
            least: try context.min(of: \.maybeText, for: request),
            greatest: try context.max(of: \.real, for: request),
            number: try context.count(distinct: \.owner.name, for: request),
            texts: try context.values(of: \.maybeText, for: request).map(\.storedValue),
            distinct: try context.values(of: \.owner.name, distinct: true, for: request)
                .map(\.storedValue),
            sizes: try context.rows(
                of: { ($0.text, $0.owner.rank, $0.owner.samples.count) }, for: request
            ).map { [$0.storedValue, $1.storedValue, $2.storedValue] },
            groups: try context.groups(
                by: { ($0.flag, $0.owner.name.optional) }, of: request,
                having: { $0.count > 1 || $0.max { $0.maybeReal } > 0.5 }
            ) { group, flag, owner in
                (
                    flag, owner, group.count, group.sum { $0.maybeReal },
                    group.count(distinct: { $0.maybeText })
                )
            }.map {
                [
                    $0.storedValue, $1.storedValue, $2.storedValue, $3.storedValue, $4.storedValue,
                ]
            },
            largest: try context.groups(
                by: { ($0.flag, $0.owner.name.optional) }, of: request,
                having: { $0.count > 1 || $0.max { $0.maybeReal } > 0.5 },
                sortedBy: [
                    .descending { $0.count(distinct: { $0.maybeText }) },
                    .ascending { $0.count },
                ], limit: 3, offset: 1
            ) { group, flag, owner in
                (flag, owner, group.count)
            }.map { [$0.storedValue, $1.storedValue, $2.storedValue] })
    }

    /// Compares a summary with the values of the objects themselves.
    private static func compare(
        _ summary: Summary, with request: FetchRequest<Sample>, in context: ManagedObjectContext,
        _ comment: Comment
    ) throws {
        let objects = try context.find(request)
        #expect(summary.texts == objects.map(\.maybeText.storedValue), comment)
        #expect(summary.greatest == objects.map(\.real).max(), comment)
        let names = objects.compactMap { $0.owner?.name.storedValue }
        #expect(summary.number == Set(names).count, comment)
        #expect(Set(summary.distinct) == Set(names), comment)
        #expect(summary.distinct.count == summary.number, comment)
        let counts = objects.map { Double($0.marks.count) }
        if let average = summary.average {
            #expect(abs(average - counts.reduce(0, +) / Double(counts.count)) < 1e-9, comment)
        } else {
            #expect(counts.isEmpty, comment)
        }
        let groups = Dictionary(grouping: objects) {
            [$0.flag.storedValue, $0.owner?.name.storedValue ?? .null]
        }.filter { _, members in
            members.count > 1 || members.contains { ($0.maybeReal ?? 0) > 0.5 }
        }
        #expect(summary.groups.count == groups.count, comment)
        let sorted = summary.groups.enumerated().sorted { a, b in
            let (mine, other) = (a.element.map(\.number), b.element.map(\.number))
            return (-mine[4], mine[2], a.offset) < (-other[4], other[2], b.offset)
        }
        #expect(
            summary.largest == sorted.dropFirst().prefix(3).map { Array($0.element.prefix(3)) },
            comment)
        for row in summary.groups {
            let members = groups[Array(row.prefix(2))]
            #expect(row[2] == .integer(Int64(members?.count ?? -1)), comment)
            #expect(
                row[4]
                    == .integer(
                        Int64(Set(members?.compactMap(\.maybeText).map(\.storedValue) ?? []).count)),
                comment)
        }
    }
}

extension StoredValue {
    /// The number of objects, or 0 for any other value.
    fileprivate var number: Int64 { if case .integer(let number) = self { number } else { 0 } }
}
