import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Join rows that are added and removed while a save is being written.
@MainActor @Suite("Join rows during saves") struct JoinRowsDuringSavesTests {
    private func stored(_ gated: GatedStack) async throws -> [String] {
        try await gated.stack.read { context in
            try #require(try Berth.findFirst(in: context)).buoys.map(\.name)
        }
    }

    private func removedAndAddedAgain(in gated: GatedStack) async throws -> (Berth, Buoy) {
        let berth = try Berth.create(in: gated.context, number: 1)
        let buoy = try Buoy.create(in: gated.context, name: "a")
        berth.buoys.insert(buoy)
        try await gated.context.save()
        berth.name = "changed"
        try await gated.whileSaving {
            berth.buoys.remove(buoy)
            berth.buoys.insert(buoy)
        }
        return (berth, buoy)
    }

    /// Runs a body during a save that fails because its harbour has a name that is taken.
    private func failingSave(
        of context: ManagedObjectContext, in gated: GatedStack, _ body: () throws -> Void
    ) async throws {
        try await gated.stack.saveWithBlock { _ = try Harbour.create(in: $0, name: "h") }
        let harbour = try Harbour.create(in: context, name: "h")
        await #expect(throws: RecordStackError.self) {
            try await gated.whileSaving(context, at: "INSERT", body)
        }
        try harbour.delete()
    }

    @Test func `a join row re-added during a save can be removed afterwards`() async throws {
        let gated = try GatedStack(Berth.self, Harbour.self, Buoy.self)
        let (berth, buoy) = try await removedAndAddedAgain(in: gated)
        berth.buoys.remove(buoy)
        try await gated.context.save()
        #expect(try await stored(gated) == [])
    }

    @Test func `a join row removed during a failing save can be added again`() async throws {
        let gated = try GatedStack(Berth.self, Harbour.self, Buoy.self)
        let berth = try Berth.create(in: gated.context, number: 1)
        let buoy = try Buoy.create(in: gated.context, name: "a")
        try await gated.context.save()
        berth.buoys.insert(buoy)
        try await failingSave(of: gated.context, in: gated) { berth.buoys.remove(buoy) }
        berth.buoys.insert(buoy)
        try await gated.context.save()
        #expect(try await stored(gated) == ["a"])
    }

    @Test func `a join row re-added during a save can be removed by a child`() async throws {
        let gated = try GatedStack(Berth.self, Harbour.self, Buoy.self)
        let (berth, buoy) = try await removedAndAddedAgain(in: gated)
        let child = gated.context.newChild()
        try berth.in(child).buoys.remove(try buoy.in(child))
        try await child.save()
        #expect(try await stored(gated) == [])
    }

    @Test func `a join row removed during a failing save can be added again by a child`()
        async throws
    {
        let gated = try GatedStack(Berth.self, Harbour.self, Buoy.self)
        let berth = try Berth.create(in: gated.context, number: 1)
        let buoy = try Buoy.create(in: gated.context, name: "a")
        try await gated.context.save()
        berth.buoys.insert(buoy)
        try await failingSave(of: gated.context, in: gated) { berth.buoys.remove(buoy) }
        let child = gated.context.newChild()
        try berth.in(child).buoys.insert(try buoy.in(child))
        try await child.save()
        #expect(try await stored(gated) == ["a"])
    }

    @Test func `a join row removed during a failing save can be added after a push`() async throws {
        let gated = try GatedStack(Berth.self, Harbour.self, Buoy.self)
        let berth = try Berth.create(in: gated.context, number: 1)
        let buoy = try Buoy.create(in: gated.context, name: "a")
        try await gated.context.save()
        let child = gated.context.newChild()
        let (berthBelow, buoyBelow) = (try berth.in(child), try buoy.in(child))
        berthBelow.buoys.insert(buoyBelow)
        try await failingSave(of: child, in: gated) { berthBelow.buoys.remove(buoyBelow) }
        try child.push()
        berth.buoys.insert(buoy)
        try await gated.context.save()
        #expect(try await stored(gated) == ["a"])
    }

    @Test func `a parent can remove a member that a child re-added in a failing save`()
        async throws
    {
        let gated = try GatedStack(Berth.self, Harbour.self, Buoy.self)
        let berth = try Berth.create(in: gated.context, number: 1)
        let buoy = try Buoy.create(in: gated.context, name: "a")
        berth.buoys.insert(buoy)
        try await gated.context.save()
        let child = gated.context.newChild()
        let (berthBelow, buoyBelow) = (try berth.in(child), try buoy.in(child))
        berthBelow.buoys.remove(buoyBelow)
        try await failingSave(of: child, in: gated) { berthBelow.buoys.insert(buoyBelow) }
        try child.push()
        berth.buoys.remove(buoy)
        try await gated.context.save()
        #expect(try await stored(gated) == [])
    }

    @Test func `a join row removed while two saves are queued stays removed`() async throws {
        let gated = try GatedStack(Berth.self, Harbour.self, Buoy.self)
        let berth = try Berth.create(in: gated.context, number: 1)
        let buoy = try Buoy.create(in: gated.context, name: "a")
        try await gated.context.save()
        let other = gated.stack.newContext()
        let (theirBerth, theirBuoy) = (try berth.in(other), try buoy.in(other))
        theirBerth.name = "changed"
        try await gated.whileSaving(other) {
            theirBerth.buoys.insert(theirBuoy)
            theirBerth.buoys.remove(theirBuoy)
        }
        berth.buoys.insert(buoy)
        let waiting = try await addedBehindRemoval(of: other, in: gated) {
            berth.buoys.remove(buoy)
        }
        _ = try await waiting.value
        #expect(berth.buoys.isEmpty)
        try await gated.context.save()
        #expect(try await stored(gated) == [])
    }

    /// Saves another context and then the default context, and runs a body before both are written.
    private func addedBehindRemoval(
        of other: ManagedObjectContext, in gated: GatedStack, _ body: () throws -> Void
    ) async throws -> Task<SaveOutcome, any Error> {
        var waiting: Task<SaveOutcome, any Error>?
        try await gated.whileSaving(other) {
            let context = gated.context
            waiting = Task { try await context.save() }
            // The main actor runs the task until the task waits for its turn to write.
            for _ in 0..<20 { await Task.yield() }
            try body()
        }
        return try #require(waiting)
    }
}
