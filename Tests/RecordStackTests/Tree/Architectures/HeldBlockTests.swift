import RecordStack
import RecordStackModel
import RecordStackTesting
import Testing

/// Consecutive save blocks, while the default context has not merged the save of the first block.
@MainActor @Suite("Consecutive save blocks") struct HeldBlockTests {
    // MARK: Join rows

    private func makeBerth(in held: HeldBlocks) async throws -> (Berth, [Buoy]) {
        let berth = try Berth.create(in: held.context, number: 1)
        let buoys = try ["a", "b", "c"].map { try Buoy.create(in: held.context, name: $0) }
        try await held.context.save()
        return (berth, buoys)
    }

    private func buoys(in held: HeldBlocks) async throws -> [String] {
        try await held.stack.read { context in
            try #require(try Berth.findFirst(in: context)).buoys.map(\.name).sorted()
        }
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block can remove a join row that the last block saved`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Berth.self, Harbour.self, Buoy.self)
        let (berth, all) = try await makeBerth(in: held)
        berth.buoys.insert(all[0])
        let seen = try await held.whileHeld {
            berth.buoys.insert(all[1])
        } thenBlock: { context in
            let berth = try #require(try Berth.findFirst(in: context))
            let buoy = try #require(try Buoy.findFirst(by: \.name, "a", in: context))
            let seen = berth.buoys.map(\.name).sorted()
            berth.buoys.remove(buoy)
            return seen
        }
        #expect(seen == ["a", "b"])
        #expect(try await buoys(in: held) == ["b"])
        #expect(berth.buoys.map(\.name) == ["b"] && !held.context.hasChanges)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block can add a join row that the last block removed`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Berth.self, Harbour.self, Buoy.self)
        let (berth, all) = try await makeBerth(in: held)
        berth.buoys.insert(all[0])
        try await held.context.save()
        berth.buoys.remove(all[0])
        let seen = try await held.whileHeld {
            berth.buoys.insert(all[1])
        } thenBlock: { context in
            let berth = try #require(try Berth.findFirst(in: context))
            let buoy = try #require(try Buoy.findFirst(by: \.name, "a", in: context))
            let seen = berth.buoys.map(\.name)
            berth.buoys.insert(buoy)
            return seen
        }
        #expect(seen == ["b"])
        #expect(try await buoys(in: held) == ["a", "b"])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block shows join rows edited during the last block`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Berth.self, Harbour.self, Buoy.self)
        let (berth, all) = try await makeBerth(in: held)
        berth.buoys.insert(all[0])
        let seen = try await held.whileHeld {
            berth.buoys.remove(all[0])
            berth.buoys.insert(all[1])
        } thenBlock: {
            try #require(try Berth.findFirst(in: $0)).buoys.map(\.name)
        }
        #expect(seen == ["b"])
        #expect(try await buoys(in: held) == ["b"])
        #expect(berth.buoys.map(\.name) == ["b"] && !held.context.hasChanges)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block can remove one member that two contexts added`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Berth.self, Harbour.self, Buoy.self)
        let (berth, all) = try await makeBerth(in: held)
        let other = held.stack.newPrivateQueueContext()
        try await held.context.withMergingSuspended {
            berth.buoys.insert(all[0])
            try await other.perform { context in
                let buoy = try #require(try Buoy.findFirst(by: \.name, "a", in: context))
                try #require(try Berth.findFirst(in: context)).buoys.insert(buoy)
                try context.saveAndWait()
            }
            try await held.stack.saveWithBlock { context in
                let buoy = try #require(try Buoy.findFirst(by: \.name, "a", in: context))
                try #require(try Berth.findFirst(in: context)).buoys.remove(buoy)
            }
        }
        #expect(try await buoys(in: held) == [])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block saves no change of members undone while it runs`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Berth.self, Harbour.self, Buoy.self)
        let (berth, all) = try await makeBerth(in: held)
        berth.buoys.insert(all[0])
        try await held.whileRunning { berth.buoys.remove(all[0]) }
        #expect(berth.buoys.isEmpty && !held.context.hasChanges)
        #expect(try await buoys(in: held) == [])
        berth.buoys.insert(all[1])
        try await held.context.save()
        berth.buoys.remove(all[1])
        try await held.whileRunning { berth.buoys.insert(all[1]) }
        #expect(berth.buoys.count == 1 && !held.context.hasChanges)
        #expect(try await buoys(in: held) == ["b"])
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's save removes a member whose addition a block saved`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Berth.self, Harbour.self, Buoy.self)
        let (berth, all) = try await makeBerth(in: held)
        berth.buoys.insert(all[0])
        try await held.context.withMergingSuspended {
            try await held.stack.saveWithBlock { _ in }
            berth.buoys.remove(all[0])
        }
        #expect(berth.buoys.isEmpty && held.context.hasChanges)
        try await held.context.save()
        #expect(try await buoys(in: held) == [])
    }

    // MARK: Objects

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block saves a value set back after the previous block`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann", name: "base")
        try await held.context.save()
        ann.name = "d"
        try await held.context.withMergingSuspended {
            try await held.stack.saveWithBlock { _ in }
            ann.name = "base"
            try await held.stack.saveWithBlock { _ in }
        }
        #expect(try await held.stack.read { try Person.findFirst(in: $0)?.name } == "base")
        #expect(try Person.count(in: held.context) == 1)
        #expect(ann.name == "base" && !held.context.hasChanges)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block re-creates no new object deleted elsewhere`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        try Person.create(in: held.context, email: "ann")
        let other = held.stack.newPrivateQueueContext()
        try await held.context.withMergingSuspended {
            try await held.stack.saveWithBlock { _ in }
            try await other.perform { context in
                try Person.findFirst(in: context)?.delete()
                try context.saveAndWait()
            }
            let count = try await held.stack.saveWithBlock { try Person.count(in: $0) }
            #expect(count == 0)
        }
        #expect(try Person.count(in: held.context) == 0 && !held.context.hasChanges)
        #expect(try await held.stack.read { try Person.count(in: $0) } == 0)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's next block shows edits made while a block is saved`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann", name: "base", age: 1)
        try await held.context.save()
        ann.name = "d"
        let seen = try await held.whileHeld {
            ann.age = 5
        } thenBlock: {
            try Person.findFirst(in: $0).map { "\($0.name) \($0.age ?? 0)" }
        }
        #expect(seen == "d 5" && !held.context.hasChanges)
        #expect(try await held.stack.read { try Person.findFirst(in: $0)?.age } == 5)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's next block shows a value edited again during a save`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann", name: "base")
        try await held.context.save()
        ann.name = "d"
        let seen = try await held.whileHeld {
            ann.name = "e"
        } thenBlock: {
            try Person.findFirst(in: $0)?.name
        }
        #expect(seen == "e" && ann.name == "e" && !held.context.hasChanges)
        #expect(try await held.stack.read { try Person.findFirst(in: $0)?.name } == "e")
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's next block shows edits of an object being inserted`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann", name: "d", age: 1)
        let seen = try await held.whileHeld {
            ann.age = 5
        } thenBlock: {
            try Person.findFirst(in: $0).map { "\($0.name) \($0.age ?? 0)" }
        }
        #expect(seen == "d 5" && !held.context.hasChanges)
        #expect(try await held.stack.read { try Person.findFirst(in: $0)?.age } == 5)
    }

    @Test(arguments: NestedBlockTests.nesting)
    func `a nested stack's block finds no object deleted during the last block`(
        architecture: StackArchitecture
    ) async throws {
        let held = try HeldBlocks(architecture, Person.self, Team.self)
        let ann = try Person.create(in: held.context, email: "ann", name: "base")
        try await held.context.save()
        ann.name = "d"
        let count = try await held.whileHeld {
            try ann.delete()
        } thenBlock: {
            try Person.count(in: $0)
        }
        #expect(count == 0 && !held.context.hasChanges)
        #expect(try await held.stack.read { try Person.count(in: $0) } == 0)
    }
}
