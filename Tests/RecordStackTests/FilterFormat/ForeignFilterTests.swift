import FoundationEssentials
import RecordStack
import RecordStackTesting
import Testing

/// Conditions, sort keys and values of one entity, which have no meaning for another entity.
@Suite("Filters of another entity") struct ForeignFilterTests {
    private let test: TestStack
    private let stored: ManagedObjectContext
    private let pending: ManagedObjectContext

    init() throws {
        test = try TestStack(for: Person.self, Team.self, Animal.self, Dog.self) { context in
            try Team.create(in: context, title: "A")
            try Dog.create(in: context, name: "Rex")
        }
        stored = test.stack.newContext()
        pending = test.stack.newContext()
        try Team.create(in: pending, title: "B")
    }

    private static var person: FilterProxy<Person> { FilterProxy() }

    /// Returns filters of a person, created in every possible way.
    static func foreign() throws -> [Filter] {
        [
            person.email == "A", person.age == nil, person.team.title == "A", person.team == nil,
            !(person.email == "A"), person.age + 1 > 3, person.email == "A" && Filter.all,
            try Filter(format: "email == 'A'", for: Person.self),
            try Filter(#Predicate<Person> { $0.email == "A" }),
            try Filter(format: "title == 'A'", for: Team.self)
                && Filter(format: "email == 'A'", for: Person.self),
            FilterProxy<Team>().members.any { $0.age > 3 && person.isActive },
            FilterProxy<Team>().members.any { _ in
                (try? Filter(format: "email == 'A'", for: Person.self)) ?? .none
            },
        ]
    }

    @Test func `a request with a filter of another entity throws misuse`() throws {
        for filter in try Self.foreign() {
            for context in [stored, pending] {
                let requests: [() throws -> Void] = [
                    { _ = try context.find(Team.where(filter)) },
                    { _ = try context.count(Team.where(filter)) },
                    { _ = try context.exists(Team.where(filter)) },
                    { _ = try context.values(of: \.title, for: Team.where(filter)) },
                    { _ = try context.explain(Team.where(filter)) },
                ]
                for request in requests {
                    let error = #expect(throws: RecordStackError.self, "\(filter)") {
                        try request()
                    }
                    #expect(error?.code == .misuse, "\(filter)")
                }
            }
        }
    }

    @Test func `a request with sort keys or values of another entity throws misuse`() async throws {
        let age = Self.person.age
        let requests: [() throws -> Void] = [
            { [stored] in _ = try Team.find(sortedBy: .ascending { _ in age }, in: stored) },
            { [stored] in _ = try stored.values(of: { _ in age }, for: Team.all) },
            { [stored] in _ = try stored.rows(of: { ($0.title, age) }, for: Team.all) },
            { [stored] in _ = try stored.sum(of: { _ in age }, for: Team.all) },
        ]
        for request in requests {
            let error = #expect(throws: RecordStackError.self) { try request() }
            #expect(error?.code == .misuse && error?.message.contains("Person") == true)
        }
    }

    @Test func `a subentity accepts filters of its superentity, but not vice versa`() throws {
        let name = FilterProxy<Animal>().name == "Rex"
        #expect(try stored.count(Dog.where(name)) == 1)
        let format = try Filter(format: "name == 'Rex'", for: Animal.self)
        #expect(try stored.count(Dog.where(format)) == 1)
        let both = try format && Filter(format: "name != 'Rover'", for: Dog.self)
        #expect(try stored.count(Dog.where(both)) == 1)
        let error = #expect(throws: RecordStackError.self) { try stored.count(Animal.where(both)) }
        #expect(
            error?.message.contains("of Dog, which Animal neither is nor inherits from") == true)
    }
}
