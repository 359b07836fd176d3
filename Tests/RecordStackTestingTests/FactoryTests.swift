import RecordStack
import RecordStackTesting
import Testing

/// Factories: the objects that they create, the order of their steps, and their errors.
@Suite("Factories") struct FactoryTests {
    @Test func `a factory's numbers start at 1 in each stack and have no gaps`() async throws {
        for _ in 0..<2 {
            let test = try TestStack(for: Member.self)
            try test.seed { try Factory.member.create(997, in: $0) }
            let context = test.stack.newContext()
            for _ in 0..<3 { try Factory.pensioner.create(in: context) }
            #expect(
                try Member.find(in: context).map(\.email)
                    == (1...1_000).map { "member\($0)@example.org" })
            try await context.save()
        }
    }

    @Test func `concurrent factories never use the same number twice`() async throws {
        let test = try TestStack(for: Member.self, at: .temporaryFile)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let context = test.stack.newContext()
                    for _ in 0..<10 {
                        try Factory.member.create(7, in: context)
                        try Factory.pensioner.create(3, in: context)
                        try await context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try Member.count(in: test.stack.newContext()) == 800)
    }

    @Test func `a factory call's values win over the variant's and the factory's`() throws {
        let test = try TestStack(for: Member.self)
        let context = test.stack.newContext()
        let old = try Factory.pensioner.create(in: context)
        #expect(old.age == 70 && old.email == "member1@example.org")
        let older = try Factory.pensioner.create(in: context) { $0.age = 80 }
        #expect(older.age == 80)
        let several = try Factory.pensioner.create(3, in: context) { $0.age = 90 + $1 }
        #expect(several.map(\.age) == [90, 91, 92])
        #expect(try Factory.member.create(in: context).age == nil)
        #expect(try Factory.member.create(0, in: context).isEmpty)
    }

    @Test func `a factory creates a related object only if the caller sets none`() throws {
        let test = try TestStack(for: Member.self)
        let context = test.stack.newContext()
        let ann = try Factory.clubMember.create(in: context)
        #expect(ann.club?.title == "Club 1")
        let bob = try Factory.clubMember.create(in: context) { $0.club = ann.club }
        #expect(bob.club === ann.club)
        #expect(try Club.count(in: context) == 1)
    }

    @Test func `a factory creates the members of its object only if none is set`() throws {
        let test = try TestStack(for: Member.self)
        let context = test.stack.newContext()
        let club = try Factory.fullClub.create(in: context)
        #expect(club.members.count == 11)
        #expect(try Club.count(in: context) == 1)
        let other = try Factory.fullClub.create(in: context) { club in
            club.members.insert(try Factory.member.create(in: context))
        }
        #expect(other.members.count == 1)
        #expect(try Member.count(in: context) == 12)
    }

    @Test func `a factory names a missing required property and leaves no object`() throws {
        let test = try TestStack(for: Remark.self)
        let context = test.stack.newContext()
        let nothing = Factory<Remark> { _, _ in }
        let error = #expect(throws: RecordStackError.self) { try nothing.create(in: context) }
        #expect(error?.code == .validation)
        #expect(error?.failures.map(\.property) == ["text"])
        #expect(
            error?.message
                == "The factory of Remark leaves text without a value. Give one in the factory, "
                + "or where it is used.")
        let author = nothing.association(\.author, .member)
        #expect(throws: RecordStackError.self) { try author.create(in: context) }
        #expect(!context.hasChanges)
        let remark = try author.create(in: context) { $0.text = "Hello" }
        #expect(remark.author?.name == "Member 1")
        let alone = #expect(throws: RecordStackError.self) {
            try nothing.create(in: context) { $0.text = "Hello" }
        }
        #expect(alone?.failures.map(\.property) == ["author"])
        #expect(context.insertedObjects.count == 2)
    }

    @Test func `an error thrown in a factory is passed on and discards its object`() throws {
        struct Stop: Error {}
        let test = try TestStack(for: Member.self)
        let context = test.stack.newContext()
        let stops = Factory.member.with { _, number in if number == 3 { throw Stop() } }
        #expect(throws: Stop.self) { try stops.create(5, in: context) }
        #expect(context.insertedObjects.count == 2)
    }

    @Test func `entities that share a table share their factory numbers`() throws {
        let test = try TestStack(for: Vehicle.self, Truck.self)
        let trucks = Factory<Truck> { truck, number in truck.plate = "T \(number)" }
        let vehicles = Factory<Vehicle> { vehicle, number in vehicle.plate = "V \(number)" }
        let context = test.stack.newContext()
        try vehicles.create(in: context)
        try trucks.create(in: context)
        #expect(
            try Vehicle.find(sortedBy: .ascending(\.plate), in: context).map(\.plate)
                == ["T 2", "V 1"])
    }
}
