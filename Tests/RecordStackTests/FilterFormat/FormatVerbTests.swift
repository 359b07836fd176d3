import FoundationEssentials
import RecordStack
import RecordStackTesting
import TestSupport
import Testing

/// The verbs that take a format string, and the arguments that they accept.
@Suite("Verbs with format strings") struct FormatVerbTests {
    @Test func `every entity method with a context accepts a format string as filter`() async throws
    {
        let world = try await FormatWorld.stored()
        let context = world.context
        let found = try Hero.find(
            matching: .format(
                "age > %@ AND team.title == $title", 20, variables: ["title": "Reds"]),
            sortedBy: [.descending(\.age), .ascending(\.name)], limit: 5, offset: 0, in: context)
        #expect(found.map(\.key) == ["B", "A"])
        #expect(try Hero.find(matching: .format("TRUEPREDICATE"), in: context).count == 5)
        #expect(
            try Hero.findFirst(
                matching: .format("age > 20"), sortedBy: .descending(\.age), in: context)?.key
                == "D")
        #expect(try Hero.findFirst(matching: .format("age > %d", 200), in: context) == nil)
        #expect(try Hero.count(matching: .format("age > %@", 20), in: context) == 3)
        #expect(try Hero.exists(matching: .format("age > %@", 20), in: context))
        #expect(try !Hero.exists(matching: .format("age > %@", 200), in: context))
        let page = try Hero.page(
            2, size: 2, matching: .format("age > %@", 0), sortedBy: .ascending(\.age), in: context)
        #expect(page.items.map(\.key) == ["B", "D"])
        #expect(page.total == 4)
        #expect(try Hero.one(matching: .format("key == %@", "B"), in: context).key == "B")
        let snapshots = try Hero.snapshots(
            matching: .format("age > $age", variables: ["age": 20]), sortedBy: .ascending(\.key),
            limit: 1,
            offset: 1, in: context)
        #expect(snapshots.map(\.key) == ["B"])
        #expect(try Hero.delete(matching: .format("age > %@", 20), in: context) == 3)
        #expect(try Hero.count(in: context) == 2)
    }

    @MainActor
    @Test func `every entity method without a context accepts a format string filter`() throws {
        let test = try TestStack(for: Named.self)
        #expect(throws: RecordStackError.self) { try Named.find(matching: .format("abs > 1")) }
        try ContextStack.withDefault(test.stack) {
            for abs in 1...3 { try test.stack.defaultContext.create(Named.self).abs = abs }
            let found = try Named.find(
                matching: .format("#abs > %@", 0), sortedBy: .descending(\.abs), limit: 1, offset: 1
            )
            #expect(found.map(\.abs) == [2])
            let last = try Named.findFirst(
                matching: .format("#abs > $a", variables: ["a": 1]), sortedBy: .descending(\.abs))
            #expect(last?.abs == 3)
            #expect(try Named.count(matching: .format("#abs > 1")) == 2)
            #expect(try !Named.exists(matching: .format("#abs > %d", 3)))
            let page = try Named.page(
                2, size: 2, matching: .format("#abs IN %@", [1, 2, 3]), sortedBy: .ascending(\.abs))
            #expect(page.items.map(\.abs) == [3] && page.total == 3)
        }
    }

    @Test func `a deletion with an invalid format string deletes nothing`() async throws {
        let world = try await FormatWorld.stored()
        let error = #expect(throws: RecordStackError.self) {
            try Hero.delete(matching: .format("age > %@"), in: world.context)
        }
        #expect(error?.code == .misuse)
        #expect(try Hero.count(in: world.context) == 5 && !world.context.hasChanges)
    }

    @Test func `a request can combine format strings and closures`() async throws {
        let world = try await FormatWorld.stored()
        let request = Hero.where(.format("age > %@", 20)).where(
            .format("points > $p", variables: ["p": 0])
        )
        .where { $0.isActive }.sorted(by: .ascending(\.key))
        #expect(try world.context.find(request).map(\.key) == ["A", "D"])
        #expect(try world.context.count(Hero.all.where(.format("age == nil"))) == 1)
        #expect("\(Hero.where(.format("age > 20")))" == "Hero where (age > 20)")
    }

    /// With an index of another collation, SQLite would find only identical texts.
    @Test func `format string comparisons joined by OR each stay case-insensitive`() async throws {
        let test = try TestStack(for: Sample.self, Owner.self, Sticker.self)
        let (stored, pending) = (test.stack.newContext(), test.stack.newContext())
        for context in [stored, pending] {
            var values = RandomValues(random: Seeded(seed: 1))
            for text in ["a", "A", "i", "I", "b"] {
                let sample = try context.create(Sample.self)
                values.fill(sample, owners: [])
                sample.text = text
            }
            if context === stored { try await context.save() }
        }
        let filter = try Filter(format: "text ==[c] 'i' OR text ==[c] 'A'", for: Sample.self)
        let request = FetchRequest<Sample>(filter: filter)
        #expect(try stored.find(request).map(\.text) == ["a", "A", "i", "I"])
        #expect(try pending.find(request).count == 8)
    }

    private struct Half: FormatArgument {
        var of: Int
        var formatValue: FormatValue { FormatValue(of / 2) }
    }

    private struct Bounds: FormatArgument {
        var formatValue: FormatValue { FormatValue([30, 41].map { FormatValue($0) }) }
    }

    @Test func `format strings accept arguments of many types`() async throws {
        let world = try await FormatWorld.stored()
        let none: Int? = nil
        let some: Int? = 30
        func found(_ format: String, _ arguments: (any FormatArgument)?...) throws -> String {
            try world.heroes(Filter(format: format, arguments: arguments, for: Hero.self))
        }
        #expect(try found("age == %@", none) == "C")
        #expect(try found("age == %@", some) == "A")
        #expect(try found("age IN %@", [none, some]) == "AC")
        #expect(try found("age == %@", Half(of: 60)) == "A")
        #expect(try found("age BETWEEN %@", Bounds()) == "AB")
        #expect(try found("age IN %@", Set([30])) == "A")
        #expect(try found("age IN %@", [Half(of: 60)]) == "A")
        #expect(try found("age == %@", Int8(30)) == "A")
        #expect(try found("age == %@", UInt64(30)) == "A")
        #expect(try found("age == %@", 30.0) == "A")
        #expect(try found("age == %@", Decimal(30)) == "A")
        #expect(try found("ratio == %@", Float(1.5)) == "A")
        #expect(try found("price == %@", 9.5) == "A")
        #expect(try found("serial == %@", UInt64.max) == "ACD")
        #expect(try found("tags IN %@", [["x", "y"]]) == "A")
        #expect(try found("code == '12345678-0000-0000-0000-00000000abcd'") == "A")
        #expect(try found("link == 'https://example.org/a'") == "A")
        #expect(try found("SELF == %@", world.heroes["B"]) == "B")
        #expect(try found("SELF == %@", world.heroes["B"]!.objectID.description) == "B")
        #expect(try found("SELF IN {%@, nil}", world.heroes["B"]) == "B")
        #expect(try found("team IN {%@, nil}", world.guilds["R"]) == "ABE")
    }

    @Test func `now() in a format string is the time when the filter is created`() throws {
        let before = Date()
        let filter = try Filter(format: "born < now()", for: Hero.self)
        let text = try filter.formatString(for: Hero.self)
        #expect(text.hasPrefix("born < CAST(") && text.hasSuffix(", \"NSDate\")"))
        let seconds = try #require(Double(text.dropFirst(12).dropLast(11)))
        #expect((before...Date()).contains(Date(timeIntervalSinceReferenceDate: seconds)))
    }
}

/// An entity with property names that a format string must mark.
@Entity final class Named: ManagedObject {
    @Attribute var and: Int
    @Attribute var yes: Int
    @Attribute var `nil`: Int
    @Attribute var truePredicate: Int
    @Attribute var `two words`: Int
    @Attribute var `1st`: Int
    @Attribute var größe: Int
    @Attribute var abs: Int
    @Attribute var `a-b`: Int
    @Relationship(inverse: \Named.all) var any: Named?
    @Relationship var all: ToMany<Named>
}

extension FormatVerbTests {
    @Test func `properties of any name survive a round trip through format strings`() throws {
        let named = FilterProxy<Named>()
        @FilterList func filters() -> [Filter] {
            named.and == 1
            named.yes == 1
            named.`nil` == 1
            named.truePredicate == 1
            named.`two words` == 1
            named.`1st` == 1
            named.größe == 1
            named.abs == 1
            named.`a-b` == 1
            named.any == nil
            named.any.any.and == 1
            named.all.count == 1
            named.all.any { $0.`two words` == $0.and }
            named.all.sum { $0.`1st` } == 1
        }
        for filter in filters() { try FormatRoundTripTests.check(filter, Named.self) }
        #expect(
            try Filter(
                format: "%K == 1 AND #and == 1 AND #'a-b' == 1", "two words", for: Named.self)
                == (named.`two words` == 1 && named.and == 1 && named.`a-b` == 1))
    }
}
