import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// What is handed to a parent when another stack has changed it, of which nobody has heard: the parent reads its objects
/// only then.
@Suite struct PushConflictTests {
    private static let policies = MergePolicyTests.policies.map(\.name)

    /// A berth in a child whose parent holds nothing.
    private struct Pushed {
        let dispute: Dispute
        let parent: ManagedObjectContext
        let child: ManagedObjectContext
        let berth: Berth

        init() async throws {
            dispute = try await Dispute(.stale)
            parent = dispute.test.stack.newContext(name: "list")
            child = parent.newChild(name: "form")
            berth = try Berth.existing(dispute.id, in: child)
            _ = (berth.name, berth.harbour?.name)
        }

        /// - Returns: the conflict; nil where all was saved.
        func save(_ policy: String) async throws -> MergeConflict? {
            do {
                try child.push(mergePolicy: MergePolicyTests.policy(policy))
            } catch let error as RecordStackError where error.code == .conflict {
                #expect(child.hasChanges && !parent.hasChanges)
                return error.conflicts.first
            }
            #expect(!child.hasChanges)
            try await parent.save()
            return nil
        }
    }

    private func isOurs(_ policy: String) -> Bool {
        policy == "objectTrump" || policy == "overwrite"
    }

    @Test(arguments: policies) func `both sides changed an attribute`(policy: String) async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in (berth.name, berth.count) = ("theirs", 11) }
        let conflict = try await pushed.save(policy)
        if policy == "error" {
            #expect(conflict?.properties.map(\.name) == ["name"])
            #expect(pushed.berth.name == "ours")
            return
        }
        let wanted = isOurs(policy) ? "ours" : "theirs"
        #expect(conflict == nil && pushed.berth.name == wanted)
        #expect(try pushed.dispute.stored(\.name) == wanted)
        #expect(try pushed.dispute.stored(\.count) == (policy == "overwrite" ? 10 : 11))
    }

    @Test(arguments: policies) func `each side changed another attribute`(policy: String)
        async throws
    {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in berth.note = "theirs" }
        #expect(try await pushed.save(policy) == nil)
        let wanted: [String?] = [
            policy == "rollback" ? "base" : "ours", policy == "overwrite" ? "base" : "theirs",
        ]
        #expect(try pushed.dispute.stored { [$0.name, $0.note] } == wanted)
        #expect([pushed.berth.name, pushed.berth.note] == wanted)
    }

    @Test(arguments: policies) func `what was deleted here others have changed`(
        policy: String
    ) async throws {
        let pushed = try await Pushed()
        try pushed.berth.delete()
        try await pushed.dispute.there { berth, _ in berth.name = "theirs" }
        let conflict = try await pushed.save(policy)
        if policy == "error" {
            #expect(conflict?.kind == .deletedHere)
            #expect(try Berth.count(in: pushed.child) == 0 && Berth.count(in: pushed.parent) == 1)
            return
        }
        let wanted = isOurs(policy) ? nil : "theirs"
        #expect(conflict == nil)
        #expect(try pushed.dispute.stored(\.name) == wanted)
        for context in [pushed.child, pushed.parent] {
            #expect(try Berth.findFirst(in: context)?.name == wanted)
        }
        if wanted == nil { return }
        #expect(pushed.berth.objectState == .persistent)
        #expect(pushed.berth.harbour?.berths.contains(pushed.berth) == true)
    }

    @Test(arguments: policies) func `what was changed here others have deleted`(
        policy: String
    ) async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        let third = try ContextStack(
            for: Berth.self, Harbour.self, Buoy.self,
            at: .file(#require(pushed.dispute.test.path)), options: .hearingOfNobody)
        let late = third.newContext(name: "late")
        try Berth.existing(pushed.dispute.id, in: late).name = "late's"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        let conflict = try await pushed.save(policy)
        if policy == "error" {
            #expect(conflict?.kind == .deletedThere)
            return
        }
        let wanted = isOurs(policy) ? "ours" : nil
        #expect(conflict == nil)
        #expect(try pushed.dispute.stored(\.name) == wanted)
        for context in [pushed.child, pushed.parent] {
            #expect(try Berth.findFirst(in: context)?.name == wanted)
        }
        // A row that is back is not the one that others have read.
        await #expect(throws: RecordStackError.self) { try await late.save() }
        #expect(try pushed.dispute.stored(\.name) == wanted)
        if wanted == nil { return #expect(pushed.berth.objectState == .detached) }
        #expect(pushed.berth.objectState == .persistent)
        pushed.berth.name = "next"
        try await pushed.child.save()
        #expect(try pushed.dispute.stored(\.name) == "next")
    }

    @Test func `a row that was to come back and is rolled back is gone`() async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.child.push(mergePolicy: .objectTrump)
        #expect(try Berth.findFirst(in: pushed.child)?.name == "ours")
        pushed.parent.rollback()
        #expect(try Berth.count(in: pushed.child) == 0)
        #expect(pushed.berth.objectState == .detached)
        #expect(try await pushed.child.save() == .noChanges)
    }

    /// Has the stack of the parent hear of what others have saved.
    private func listen(_ pushed: Pushed) throws {
        let coordinator = pushed.dispute.test.stack.coordinator
        coordinator.lookForRemoteSaves()
        coordinator.waitForTidying()
        _ = try Berth.count(in: pushed.child)
    }

    @Test func `a row that is back before anybody has heard of it is changed`() async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        let back = pushed.dispute.other.newContext()
        try Berth.existing(pushed.dispute.id, in: back).name = "back"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try listen(pushed)
        try await back.save(mergePolicy: .objectTrump)
        #expect(try await pushed.save("objectTrump") == nil)
        #expect(try pushed.dispute.stored(\.name) == "ours")
        #expect(pushed.berth.objectState == .persistent && pushed.berth.name == "ours")
        let parents = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        parents.name = "next"
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored(\.name) == "next")
    }

    @Test func `what was heard of hides nothing that came after it`() async throws {
        let pushed = try await Pushed()
        (pushed.berth.name, pushed.berth.count) = ("ours", 11)
        try await pushed.dispute.there { berth, _ in berth.name = "theirs" }
        try listen(pushed)
        try await pushed.dispute.there { berth, _ in berth.count = 12 }
        #expect(try await pushed.save("storeTrump") == nil)
        #expect(try pushed.dispute.stored(\.name) == "theirs")
        #expect(try pushed.dispute.stored(\.count) == 12)
        #expect(pushed.berth.name == "theirs" && pushed.berth.count == 12)
    }

    @Test(arguments: ["error", "storeTrump", "objectTrump"])
    func `what two have brought back is a conflict of the second`(policy: String) async throws {
        let pushed = try await Pushed()
        (pushed.berth.name, pushed.berth.note) = ("ours", nil)
        let rival = pushed.dispute.test.stack.newContext(name: "rival")
        try Berth.existing(pushed.dispute.id, in: rival).name = "theirs"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try listen(pushed)
        #expect(try Berth.count(in: rival) == 0)
        try pushed.child.push(mergePolicy: .objectTrump)
        try await rival.save(mergePolicy: .objectTrump)
        #expect(try Berth.findFirst(in: pushed.parent)?.name == "ours")
        let save = { try await pushed.parent.save(mergePolicy: MergePolicyTests.policy(policy)) }
        if policy == "error" {
            let error = await #expect(throws: RecordStackError.self) { _ = try await save() }
            #expect(error?.conflicts.first?.properties.map(\.name).contains("name") == true)
            #expect(try Berth.findFirst(in: pushed.parent)?.name == "ours")
            pushed.parent.rollback()
            #expect(try Berth.findFirst(in: pushed.parent)?.name == "theirs")
            return
        }
        _ = try await save()
        let wanted = policy == "storeTrump" ? "theirs" : "ours"
        #expect(try pushed.dispute.stored(\.name) == wanted)
        for context in [pushed.parent, pushed.child, rival] {
            #expect(try Berth.findFirst(in: context)?.name == wanted && !context.hasChanges)
        }
        let berth = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        #expect(berth.objectState == .persistent)
        berth.name = "next"
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored(\.name) == "next")
    }

    @Test func `a row that was to come back and is deleted below leaves others' row alone`()
        async throws
    {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        let (other, path) = (pushed.dispute.other, try #require(pushed.dispute.test.path))
        let back = other.newContext()
        try Berth.existing(pushed.dispute.id, in: back).name = "back"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try listen(pushed)
        try pushed.child.push(mergePolicy: .objectTrump)
        #expect(try Berth.findFirst(in: pushed.child)?.name == "ours")
        try pushed.berth.delete()
        try Berth.create(in: pushed.child, number: 7)
        try await back.save(mergePolicy: .objectTrump)
        let third = try ContextStack(
            for: Berth.self, Harbour.self, Buoy.self, at: .file(path), options: .hearingOfNobody)
        let late = third.newContext(name: "late")
        try Berth.existing(pushed.dispute.id, in: late).name = "late's"
        try await pushed.dispute.there { berth, _ in berth.name = "after" }
        _ = try? await pushed.child.save()
        let error = await #expect(throws: RecordStackError.self) { try await late.save() }
        #expect(error?.code == .conflict)
    }

    @Test func `what is to come back stays when its deletion is heard of later`() async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.child.push(mergePolicy: .objectTrump)
        pushed.berth.buoys.insert(try Buoy.one(in: pushed.child) { $0.name == "theirs" })
        try listen(pushed)
        #expect(pushed.berth.objectState != .detached)
        #expect(try Berth.findFirst(in: pushed.child) === pushed.berth)
        #expect(pushed.berth.buoys.contains { $0.name == "theirs" })
        try await pushed.child.save()
        #expect(pushed.berth.objectState == .persistent)
        #expect(try pushed.dispute.stored { $0.buoys.map(\.name).contains("theirs") } == true)
    }

    @Test(arguments: [false, true])
    func `a row that is back above is in conflict with one that is to come back`(isHeld: Bool)
        async throws
    {
        let pushed = try await Pushed()
        let form = pushed.child.newChild(name: "part")
        try Berth.existing(pushed.dispute.id, in: form).name = "ours"
        let back = pushed.dispute.other.newContext()
        try Berth.existing(pushed.dispute.id, in: back).name = "back"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try listen(pushed)
        try form.push(mergePolicy: .objectTrump)
        try await back.save(mergePolicy: .objectTrump)
        let held = isHeld ? try Berth.existing(pushed.dispute.id, in: pushed.parent) : nil
        #expect(held?.name == (isHeld ? "back" : nil))
        let error = #expect(throws: RecordStackError.self) { try pushed.child.push() }
        #expect(error?.conflicts.first?.properties.map(\.name).contains("name") == true)
        #expect(pushed.child.hasChanges && !pushed.parent.hasChanges)
        try pushed.child.push(mergePolicy: .objectTrump)
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored(\.name) == "ours")
    }

    @Test func `what a parent has changed of a row comes back with it`() async throws {
        let pushed = try await Pushed()
        let parents = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        parents.note = "parent's"
        #expect(try Berth.count(in: pushed.child) == 1)
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try listen(pushed)
        try pushed.child.push(mergePolicy: .objectTrump)
        #expect(try Berth.findFirst(in: pushed.parent) === parents)
        #expect(parents.name == "ours" && parents.note == "parent's")
        #expect(try Berth.findFirst(in: pushed.child) === pushed.berth)
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored { [$0.name, $0.note] } == ["ours", "parent's"])
        #expect(!pushed.parent.hasChanges && !pushed.child.hasChanges)
        parents.name = "next"
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored(\.name) == "next")
    }

    @Test func `others' row may be of an older version than the one that was to come back`()
        async throws
    {
        let dispute = try await Dispute(.stale)
        let third = try ContextStack(
            for: Berth.self, Harbour.self, Buoy.self, at: .file(#require(dispute.test.path)),
            options: .hearingOfNobody)
        let late = third.newContext(name: "late")
        try Berth.existing(dispute.id, in: late).name = "late's"
        for count in 1...2 { try await dispute.there { berth, _ in berth.count = count } }
        let parent = dispute.test.stack.newContext(name: "list")
        let child = parent.newChild(name: "form")
        try Berth.existing(dispute.id, in: child).note = "ours"
        try await dispute.there { berth, _ in try berth.delete() }
        try child.push(mergePolicy: .objectTrump)
        await #expect(throws: RecordStackError.self) { try await late.save() }
        try await late.save(mergePolicy: .objectTrump)
        try await parent.save(mergePolicy: .objectTrump)
        #expect(!parent.hasChanges)
        let berth = try Berth.existing(dispute.id, in: parent)
        #expect(berth.objectState == .persistent && berth.note == "ours" && berth.count == 2)
        try await dispute.there { berth, _ in berth.count = 3 }
        dispute.test.stack.coordinator.lookForRemoteSaves()
        dispute.test.stack.coordinator.waitForTidying()
        #expect(try Berth.findFirst(in: parent)?.count == 3)
        berth.note = "next"
        try await parent.save()
        #expect(!parent.hasChanges)
        #expect(try dispute.stored(\.note) == "next")
    }

    @MainActor @Test func `a row that is to come back is not the old one where a block saves it`()
        async throws
    {
        let test = try TestStack(
            entities: [Person.self, Team.self], at: .temporaryFile, architecture: .nested,
            options: .hearingOfNobody)
        try await test.stack.saveWithBlock { _ = try Person.create(in: $0, email: "ann") }
        let other = try ContextStack(
            for: Person.self, Team.self, at: .file(#require(test.path)), options: .hearingOfNobody)
        let third = try ContextStack(
            for: Person.self, Team.self, at: .file(#require(test.path)), options: .hearingOfNobody)
        let late = other.newContext()
        try #require(try Person.findFirst(in: late)).name = "late's"
        let form = test.stack.defaultContext.newChild(name: "form")
        try #require(try Person.findFirst(in: form)).name = "back"
        try await third.saveWithBlock { try Person.findFirst(in: $0)?.delete() }
        try form.push(mergePolicy: .objectTrump)
        try await test.stack.saveWithBlock { _ = try Team.create(in: $0, title: "A") }
        #expect(try Person.findFirst(in: test.stack.newContext())?.name == "back")
        let error = await #expect(throws: RecordStackError.self) { try await late.save() }
        #expect(error?.code == .conflict)
        try third.close()
        try other.close()
    }
}
