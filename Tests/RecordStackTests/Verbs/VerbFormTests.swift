import Foundation
import RecordStack
import RecordStackTesting
import Testing

/// The parameters of each verb: a closure, a filter, or both; one sort key, several, or an array; a
/// context, or none.
@Suite("Forms of verbs") struct VerbFormTests {
    private func makeContext() throws -> (TestStack, ManagedObjectContext) {
        let test = try TestStack(for: Barge.self, Wharf.self)
        try test.seed { context in
            let ports = try ["Ayr", "Oban"].map { try Wharf.create(in: context, name: $0) }
            for (name, tons) in [("Cora", 3), ("Ann", 1), ("Bee", 2), ("Ada", 3)] {
                let barge = try Barge.create(in: context, name: name, tons: tons)
                barge.home = ports[tons % 2]
            }
        }
        return (test, test.stack.newContext())
    }

    @Test func `a call with a filter and a closure finds objects that meet both`() throws {
        let (_, context) = try makeContext()
        let heavy = Filter.format("tons >= %@", 2)
        func names(_ barges: [Barge]) -> [String] { barges.map(\.name) }
        #expect(try names(Barge.find(matching: heavy, in: context)) == ["Cora", "Bee", "Ada"])
        #expect(
            try names(Barge.find(matching: heavy, in: context) { $0.name.hasPrefix("A") })
                == ["Ada"])
        #expect(try Barge.count(matching: heavy, in: context) { $0.tons < 3 } == 1)
        #expect(try !Barge.exists(matching: heavy, in: context) { $0.tons < 2 })
        #expect(try Barge.one(matching: heavy, in: context) { $0.tons < 3 }.name == "Bee")
        #expect(try Barge.sum(of: \.tons, matching: heavy, in: context) { $0.name < "C" } == 5)
        #expect(try Barge.find(matching: .none, in: context).isEmpty)
    }

    @Test func `equivalent format strings, predicates and closures find the same`() throws {
        let (_, context) = try makeContext()
        let barge = FilterProxy<Barge>()
        let filters = [
            .format("home.name == %@", "Oban"),
            try Filter(format: "home.name == %@", "Oban", for: Barge.self),
            try Filter(#Predicate<Barge> { $0.home?.name == "Oban" }),
            barge.home.name == "Oban",
        ]
        for filter in filters {
            #expect(try Barge.count(matching: filter, in: context) == 3)
            #expect(try context.count(Barge.where(filter)) == 3)
            #expect(
                try Barge.where { _ in !filter }.filter.map {
                    try Barge.count(matching: $0, in: context)
                } == 1)
        }
    }

    @Test func `one format string can filter objects of different entities`() throws {
        let (_, context) = try makeContext()
        let named = Filter.format("name BEGINSWITH %@", "A")
        #expect(try Barge.count(matching: named, in: context) == 2)
        #expect(try Wharf.count(matching: named, in: context) == 1)
        let ports = try Wharf.find(in: context) {
            $0.barges.any { _ in named && .format("tons > 1") }
        }
        #expect(ports.map(\.name) == ["Oban"])
        #expect(
            try Wharf.values(of: { $0.barges.where { _ in named }.count }, in: context) == [0, 2])
        let unsaved = try Barge.create(in: context, name: "Ava", tons: 9)
        #expect(try Barge.find(matching: named && .format("tons == 9"), in: context) == [unsaved])
    }

    @Test func `the error of a call names the mistake in its format string`() throws {
        let (_, context) = try makeContext()
        let request = Barge.where(.format("tns > 1"))
        let error = #expect(throws: RecordStackError.self) { try context.find(request) }
        #expect(error?.code == .misuse && error?.message.contains("tns") == true)
        #expect("\(request)".contains("tns > 1"))
        #expect(throws: RecordStackError.self) {
            try Barge.delete(matching: .format("tons >"), in: context)
        }
        #expect(!context.hasChanges)
        let groups = #expect(throws: RecordStackError.self) {
            try Barge.groups(by: \.tons, in: context, having: { _ in .format("tons > 1") }) {
                group, _ in group.count
            }
        }
        #expect(groups?.message.contains("Write the condition as a closure.") == true)
    }

    @Test func `format string filters are equal if text and arguments are equal`() {
        #expect(Filter.format("tons > %@", 1) == .format("tons > %@", 1))
        #expect(Filter.format("tons > %@", 1) != .format("tons > %@", 2))
        #expect(Filter.format("tons > %@", 1) != .format("tons >= %@", 1))
        #expect(
            Filter.format("name IN $a", variables: ["a": ["x", "y"]])
                != .format("name IN $a", variables: ["a": ["x"]]))
        #expect(Set([Filter.format("name == %@", "a"), .format("name == %@", "a")]).count == 1)
    }

    @Test func `nesting in a format string counts towards the limit of its filter`() throws {
        let (_, context) = try makeContext()
        let deep =
            String(repeating: "NOT (tons < 9 AND ", count: 30) + "tons > 1"
            + String(repeating: ")", count: 30)
        #expect(try Barge.count(matching: .format(deep), in: context) == 3)
        var filter = Filter.format(deep)
        for _ in 0..<40 { filter = !(filter && .format("tons > 0")) }
        #expect(throws: RecordStackError.self) { try Barge.count(matching: filter, in: context) }
    }

    @Test func `sortedBy accepts one key, several keys or an array of keys`() throws {
        let (_, context) = try makeContext()
        func names(_ keys: [SortKey<Barge>]) throws -> [String] {
            try Barge.find(sortedBy: keys, in: context).map(\.name)
        }
        #expect(try names(.ascending(\.name)) == ["Ada", "Ann", "Bee", "Cora"])
        #expect(
            try names([.descending(\.tons), .ascending(\.name)]) == ["Ada", "Cora", "Bee", "Ann"])
        var keys: [SortKey<Barge>] = [.ascending { $0.home.name }]
        keys.append(.descending(\.name))
        #expect(try names(keys) == ["Bee", "Cora", "Ann", "Ada"])
        #expect(try names([]) == ["Cora", "Ann", "Bee", "Ada"])
        let ports = try Wharf.find(sortedBy: .descending { $0.barges.count }, in: context)
        #expect(ports.map(\.name) == ["Oban", "Ayr"])
        let rows = try Barge.groups(
            by: \.tons, sortedBy: [.descending { $0.count }, .ascending { $0.min { $0.name } }],
            in: context
        ) { barges, tons in (tons, barges.count) }
        #expect(rows.map(\.0) == [3, 1, 2])
    }

    @MainActor
    @Test func `every entity call works without a context on the default stack`() async throws {
        let test = try TestStack(for: Barge.self, Wharf.self)
        try await ContextStack.withDefault(test.stack) {
            let ann = try Barge.create(name: "Ann", tons: 1)
            let bare = try Wharf.create()
            bare.name = "Ayr"
            #expect(ann.managedObjectContext === test.stack.defaultContext)
            let made = try Barge.create(from: 2...5) {
                $0.name = "F\($1)"; $0.tons = $1
            }
            #expect(made.count == 4)
            #expect(try Barge.findFirst(by: \.name, "Ann") == ann)
            #expect(try Barge.findFirstOrCreate(by: \.name, "Ann") == ann)
            #expect(try Barge.existing(ann.objectID) == ann)
            #expect(try Barge.one { $0.tons == 5 } == made[3])
            #expect(
                try Barge.find(matching: .format("tons > 3"), sortedBy: .descending(\.tons)).count
                    == 2)
            #expect(try Barge.find { $0.tons == 5 } == [made[3]])
            #expect(try Barge.find(limit: 1) { $0.tons > 3 }.count == 1)
            #expect(try Barge.find(prefetching: { $0.home }) { $0.tons > 3 }.count == 2)
            #expect(try Barge.findFirst(sortedBy: .descending(\.tons)) == made[3])
            #expect(try Barge.findLazily(batch: 2).count == 5)
            #expect(try Barge.count { $0.tons > 1 } == 4 && Barge.exists())
            #expect(try Barge.count(distinct: \.tons) == 5)
            #expect(try Barge.page(2, size: 2).items.count == 2)
            try await test.stack.defaultContext.save()
            let page = try Barge.page(after: nil, size: 3, sortedBy: .ascending(\.tons))
            #expect(
                try Barge.page(after: page.next, size: 3, sortedBy: .ascending(\.tons)).items.count
                    == 2)
            #expect(
                try Barge.page(before: nil, size: 3, sortedBy: .ascending(\.tons)).items.count == 3)
            var seen = 0
            try Barge.each(matching: .format("tons < 3")) { seen += $0.tons }
            try Barge.eachPage(size: 2) { seen += $0.items.count }
            for try await page in try Barge.pages(size: 4) { seen += page.items.count }
            #expect(seen == 3 + 5 + 5)
            #expect(try Barge.sum(of: \.tons) == 15 && Barge.average(of: \.tons) == 3)
            #expect(try Barge.min(of: \.tons) == 1 && Barge.max(of: \.name) == "F5")
            #expect(
                try Barge.values(of: \.tons, sortedBy: .descending(\.tons), limit: 2) == [5, 4])
            #expect(try Barge.rows(of: { ($0.name, $0.tons) }, limit: 1).count == 1)
            #expect(try Barge.objectIDs().count == 5 && Barge.snapshots().count == 5)
            #expect(try Barge.groups(by: \.tons) { group, _ in group.count } == [1, 1, 1, 1, 1])
            #expect(
                try Barge.upsert([7], by: \.tons, key: { $0 }) {
                    $0.name = "F7"; _ = $2
                }.inserted == 1)
            #expect(
                try Barge.importJSON(Data(#"[{"name": "Json", "tons": 8}]"#.utf8)).inserted == 1)
            #expect(try Barge.exportJSON { $0.tons == 8 }.count > 10)
            #expect(try Barge.delete { $0.tons == 8 } == 1)
            #expect(try Barge.delete(matching: .format("tons == 7")) == 1)
            #expect(try Barge.deleteAll() == 5 && Barge.count() == 0)
        }
    }
}

@Entity final class Barge: ManagedObject {
    var name: String
    var tons: Int = 0
    @Relationship(inverse: \Wharf.barges) var home: Wharf?
}

@Entity final class Wharf: ManagedObject {
    var name: String
    var barges: ToMany<Barge>
}
