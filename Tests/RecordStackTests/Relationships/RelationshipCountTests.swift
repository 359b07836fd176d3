import RecordStack
import RecordStackTesting
import Testing

@Entity final class Crew2: ManagedObject {
    @Attribute var name: String = ""
    @Relationship(.count(1...3)) var sailors: ToMany<Sailor>
    @Relationship(.required) var ports: OrderedToMany<Port>
    @Relationship(.count(...1), inverse: \Port.visitors) var visits: ToMany<Port>
}

@Entity final class Sailor: ManagedObject {
    @Relationship(inverse: \Crew2.sailors) var crew: Crew2?
}

@Entity final class Port: ManagedObject {
    @Relationship var visitors: ToMany<Crew2>
}

@Suite("Rules on member counts") struct RelationshipCountTests {
    private func makeCrew(_ context: ManagedObjectContext) throws -> Crew2 {
        let crew = try Crew2.create(in: context)
        crew.sailors.insert(try Sailor.create(in: context))
        crew.ports.append(try Port.create(in: context))
        return crew
    }

    @Test func `a save reports all relationships with too few or too many members`() async throws {
        let test = try TestStack(for: Crew2.self, Sailor.self, Port.self)
        let context = test.stack.newContext()
        let crew = try makeCrew(context)
        try await context.save()
        for _ in 0..<3 { crew.sailors.insert(try Sailor.create(in: context)) }
        for _ in 0..<2 { crew.visits.insert(try Port.create(in: context)) }
        crew.ports.removeAll()
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        let failures = error?.failures.sorted { ($0.property ?? "") < ($1.property ?? "") } ?? []
        #expect(failures.map(\.property) == ["ports", "sailors", "visits"])
        #expect(failures.map(\.rule) == [.count(1...Int.max), .count(1...3), .count(0...1)])
        #expect(failures.map(\.value) == [.integer(0), .integer(4), .integer(2)])
        #expect(failures[1].message == "Sailors must have between 1 and 3 members.")
        #expect(try crew.validationFailures().count == 3)
        #expect(throws: RecordStackError.self) { try context.validate() }
        context.rollback()
        try context.validate()
    }

    @Test func `a member count rule also applies when only the members were edited`() async throws {
        let test = try TestStack(for: Crew2.self, Sailor.self, Port.self)
        let context = test.stack.newContext()
        let crew = try makeCrew(context)
        try await context.save()
        let sailor = try #require(try Sailor.findFirst(in: context))
        sailor.crew = nil
        let error = await #expect(throws: RecordStackError.self) { try await context.save() }
        #expect(error?.failures.map(\.property) == ["sailors"])
        #expect(error?.objectID == crew.objectID)
        try sailor.delete()
        await #expect(throws: RecordStackError.self) { try await context.save() }
        crew.sailors.insert(try Sailor.create(in: context))
        try await context.save()
        // A deleted crew needs no sailors.
        try crew.delete()
        try await context.save()
    }

    @Test func `a push fails if a child's new object has too few members`() async throws {
        let test = try TestStack(for: Crew2.self, Sailor.self, Port.self)
        let context = test.stack.newContext()
        let child = context.newChild()
        let crew = try Crew2.create(in: child)
        let error = #expect(throws: RecordStackError.self) { try child.push() }
        #expect(Set(error?.failures.compactMap(\.property) ?? []) == ["sailors", "ports"])
        crew.sailors.insert(try Sailor.create(in: child))
        crew.ports.append(try Port.create(in: child))
        try child.push()
        try await context.save()
        #expect(try Crew2.count(in: test.stack.newContext()) == 1)
    }
}
