import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// The code that the page for users of MagicalRecord recommends, line by line.
@Suite("Replacements for MagicalRecord") struct MagicalRecordTests {
    private let test: TestStack
    private let context: ManagedObjectContext

    /// Creates the people: Ann is 30, Ben 10, Cid 30 and not active, and Dan has no age.
    init() throws {
        test = try TestStack(for: Person.self, Team.self) { context in
            let ages: KeyValuePairs<String, Int?> = ["cid": 30, "ann": 30, "ben": 10, "dan": nil]
            for (name, age) in ages {
                let person = try Person.create(in: context, email: name, name: name, age: age)
                person.isActive = name != "cid"
            }
        }
        context = test.stack.newContext()
    }

    private func names(_ people: [Person]) -> [String] { people.map(\.name) }

    @Test func `find filters and sorts objects as MagicalRecord's finders do`() throws {
        #expect(try names(Person.find(in: context)) == ["cid", "ann", "ben", "dan"])
        #expect(
            try names(Person.find(sortedBy: .ascending(\.name), in: context))
                == ["ann", "ben", "cid", "dan"])
        #expect(
            try names(Person.find(sortedBy: .ascending(\.name), in: context) { $0.age >= 18 })
                == ["ann", "cid"])
        #expect(
            try names(Person.find(sortedBy: [.descending(\.age), .ascending(\.name)], in: context))
                == ["ann", "cid", "ben", "dan"])
        #expect(try names(Person.find(in: context) { $0.age >= 18 }) == ["cid", "ann"])
        #expect(
            try names(Person.find(matching: .format("age >= %@", 18), in: context)) == [
                "cid", "ann",
            ])
        #expect(try names(Person.find(in: context) { $0.age == 30 }) == ["cid", "ann"])
        #expect(try names(Person.find(in: context) { $0.age == nil }) == ["dan"])
        #expect(
            try names(Person.find(sortedBy: .ascending(\.name), in: context) { $0.age == 30 })
                == ["ann", "cid"])
    }

    @Test func `findFirst filters and sorts as MagicalRecord's finders of one object`() throws {
        #expect(try Person.findFirst(in: context)?.name == "cid")
        #expect(try Person.findFirst(in: context) { $0.age < 18 }?.name == "ben")
        #expect(
            try Person.findFirst(sortedBy: .ascending(\.name), in: context) { $0.age >= 18 }?.name
                == "ann")
        let row = try Person.rows(of: { ($0.name, $0.age) }, limit: 1, in: context) {
            $0.age >= 18
        }.first
        #expect(row?.0 == "cid" && row?.1 == 30)
        let first = try Person.rows(
            of: { ($0.name, $0.age) }, sortedBy: .ascending(\.name), limit: 1, in: context
        ) { $0.age >= 18 }.first
        #expect(first?.0 == "ann" && first?.1 == 30)
        #expect(try Person.findFirst(by: \.email, "ann", in: context)?.age == 30)
        #expect(try Person.findFirst(by: \.age, nil, in: context)?.name == "dan")
        #expect(try Person.findFirst(sortedBy: .descending(\.name), in: context)?.name == "dan")
        let new = try Person.findFirstOrCreate(by: \.email, "eve", in: context)
        #expect(new.email == "eve" && context.insertedObjects.count == 1)
        #expect(try Person.findFirstOrCreate(by: \.email, "eve", in: context) === new)
    }

    @Test func `values, min and max return what MagicalRecord's attribute fetches do`() throws {
        #expect(
            try Person.values(of: \.name, sortedBy: .ascending(\.name), in: context)
                == ["ann", "ben", "cid", "dan"])
        #expect(try Person.max(of: \.age, in: context) == 30)
        #expect(try Person.min(of: \.age, in: context) == 10)
    }

    @Test func `counts, aggregates and groups include unsaved objects`() throws {
        #expect(try Person.count(in: context) == 4)
        #expect(try Person.count(in: context) { $0.age >= 18 } == 2)
        #expect(try Person.exists(in: context))
        #expect(
            try Person.findFirst(sortedBy: .ascending(\.age, nulls: .last), in: context)?.name
                == "ben")
        #expect(try Person.sum(of: \.age, in: context) { $0.isActive } == 40)
        #expect(try Person.average(of: \.age, in: context) { $0.name != "cid" } == 20)
        #expect(try Person.count(distinct: \.age, in: context) == 2)
        try Person.create(in: context, email: "eve", age: 5)
        #expect(try Person.sum(of: \.age, in: context) == 75)
        #expect(try Person.average(of: \.age, in: context) == 18.75)
        let groups = try Person.groups(by: \.age, in: context) { group, age in
            (age, group.count)
        }
        #expect(groups.map(\.0) == [nil, 5, 10, 30] && groups.map(\.1) == [1, 1, 1, 2])
        let sums = try Person.groups(by: \.isActive, in: context) { group, isActive in
            (isActive, group.sum { $0.age })
        }
        #expect(sums.map(\.0) == [false, true] && sums.map(\.1) == [30, 45])
    }

    @Test func `request values filter, sort and page as MagicalRecord's requests do`() throws {
        #expect(try context.find(Person.all).count == 4)
        #expect(try Set(names(context.find(Person.where { $0.age == 30 }))) == ["cid", "ann"])
        #expect(try context.count(Person.where { $0.age >= 18 }) == 2)
        #expect(try context.find(Person.where { $0.age >= 18 }.limited(to: 1)).count == 1)
        #expect(try context.findFirst(Person.where { $0.email == "ann" })?.age == 30)
        let sorted = Person.where { $0.age >= 18 }.sorted(by: .ascending(\.name))
        #expect(try names(context.find(sorted)) == ["ann", "cid"])
        let all = Person.all.sorted(by: .ascending(\.name))
        #expect(try names(context.find(all)) == ["ann", "ben", "cid", "dan"])
        #expect(try Person.page(2, size: 3, in: context).items.count == 1)
        let page = try Person.page(after: nil, size: 3, in: context)
        #expect(try Person.page(after: page.next, size: 3, in: context).items.count == 1)
    }

    @Test func `find(_:) returns a list's sorted rows, and groups(by:) its sections`() throws {
        let request = Person.where { $0.isActive }.sorted(by: [
            .ascending(\.age), .ascending(\.name),
        ])
        let list = try context.find(request)
        #expect(names(list) == ["dan", "ben", "ann"])
        let found = try Person.find(
            sortedBy: [.ascending(\.age), .ascending(\.name)], in: context
        ) { $0.isActive }
        #expect(names(found) == names(list))
        func sections() throws -> [String] {
            try Person.groups(by: \.age, in: context, where: { $0.isActive }) { group, age in
                (age, group.count)
            }.map { age, count in "\(age.map(String.init) ?? "none"): \(count)" }
        }
        #expect(try sections() == ["none: 1", "10: 1", "30: 1"])
        #expect(try Array(Person.findLazily(sortedBy: .ascending(\.name), in: context)).count == 4)
        try Person.create(in: context, email: "eve", name: "eve", age: 30)
        #expect(try sections() == ["none: 1", "10: 1", "30: 2"])
        #expect(try names(context.find(request)) == ["dan", "ben", "ann", "eve"])
    }
}
