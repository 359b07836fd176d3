import RecordStack
import RecordStackModel
import RecordStackTesting
import Synchronization
import TestSupport
import Testing

/// Rows that others have deleted and a push re-inserts. Others may re-insert them, too.
@Suite("Rows re-inserted by a push") struct ReturningRowTests {
    @Test func `saving a pushed re-insertion updates a row another stack re-inserted`() async throws
    {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        let back = pushed.dispute.other.newContext()
        try Berth.existing(pushed.dispute.id, in: back).name = "back"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.listen()
        try await back.save(mergePolicy: .objectTrump)
        #expect(try await pushed.save("objectTrump") == nil)
        #expect(try pushed.dispute.stored(\.name) == "ours")
        #expect(pushed.berth.objectState == .persistent && pushed.berth.name == "ours")
        let parents = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        parents.name = "next"
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored(\.name) == "next")
    }

    @Test func `a push resolves a conflict with a remote save that is not merged yet`() async throws
    {
        let pushed = try await Pushed()
        (pushed.berth.name, pushed.berth.count) = ("ours", 11)
        try await pushed.dispute.there { berth, _ in berth.name = "theirs" }
        try pushed.listen()
        try await pushed.dispute.there { berth, _ in berth.count = 12 }
        #expect(try await pushed.save("storeTrump") == nil)
        #expect(try pushed.dispute.stored(\.name) == "theirs")
        #expect(try pushed.dispute.stored(\.count) == 12)
        #expect(pushed.berth.name == "theirs" && pushed.berth.count == 12)
    }

    @Test(arguments: ["error", "storeTrump", "objectTrump"])
    func `two re-insertions of one row are a conflict of the second save`(
        policy: String
    ) async throws {
        let pushed = try await Pushed()
        (pushed.berth.name, pushed.berth.note) = ("ours", nil)
        let rival = pushed.dispute.test.stack.newContext(name: "rival")
        try Berth.existing(pushed.dispute.id, in: rival).name = "theirs"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.listen()
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

    @Test func `deleting a pushed re-insertion lets no other stack save a stale edit`() async throws
    {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        let (other, path) = (pushed.dispute.other, try #require(pushed.dispute.test.path))
        let back = other.newContext()
        try Berth.existing(pushed.dispute.id, in: back).name = "back"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.listen()
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

    @Test func `a pushed re-insertion survives a deletion that is merged later`() async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.child.push(mergePolicy: .objectTrump)
        pushed.berth.buoys.insert(try Buoy.one(in: pushed.child) { $0.name == "theirs" })
        try pushed.listen()
        #expect(pushed.berth.objectState != .detached)
        #expect(try Berth.findFirst(in: pushed.child) === pushed.berth)
        #expect(pushed.berth.buoys.contains { $0.name == "theirs" })
        try await pushed.child.save()
        #expect(pushed.berth.objectState == .persistent)
        #expect(try pushed.dispute.stored { $0.buoys.map(\.name).contains("theirs") } == true)
    }

    @Test func `a pushed re-insertion survives a deletion that its save merges`() async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.child.push(mergePolicy: .objectTrump)
        pushed.hear()
        try await pushed.parent.save()
        #expect(try Berth.findFirst(in: pushed.child) === pushed.berth)
        #expect(pushed.berth.objectState == .persistent && pushed.berth.name == "ours")
        pushed.berth.name = "next"
        try await pushed.child.save()
        #expect(try pushed.dispute.stored(\.name) == "next")
    }

    @Test(arguments: ["objectTrump", "storeTrump", "rollback"], [false, true])
    func `a child shows the values its parent's save chose for a re-inserted row`(
        policy: String, isChangedAgain: Bool
    ) async throws {
        let pushed = try await Pushed()
        pushed.berth.name = "ours"
        let back = pushed.dispute.other.newContext()
        try Berth.existing(pushed.dispute.id, in: back).name = "back"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.child.push(mergePolicy: .objectTrump)
        try await back.save(mergePolicy: .objectTrump)
        if isChangedAgain { pushed.berth.depth = 5 }
        try await pushed.parent.save(mergePolicy: MergePolicyTests.policy(policy))
        #expect(try Berth.findFirst(in: pushed.child) === pushed.berth)
        let wanted = policy == "objectTrump" ? "ours" : "back"
        #expect(pushed.berth.objectState == .persistent && pushed.berth.name == wanted)
        #expect(pushed.child.hasChanges == isChangedAgain)
        pushed.berth.note = "next"
        try await pushed.child.save()
        let stored = try pushed.dispute.stored { [$0.name, $0.note, "\($0.depth)"] }
        #expect(stored == [wanted, "next", isChangedAgain ? "5" : "0"])
    }

    @Test func `a push merges a remote deletion in every context of a chain`() async throws {
        let pushed = try await Pushed()
        let middle = pushed.parent.newChild(name: "middle")
        let form = middle.newChild(name: "part")
        let parents = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        #expect(parents.name == "base")
        let ours = try Berth.existing(pushed.dispute.id, in: form)
        ours.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        // The context in between reads the row for the push and merges the deletion, and so does
        // its parent.
        try form.push(mergePolicy: .objectTrump)
        #expect(parents.objectState == .detached)
        try middle.push()
        let again = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        #expect(again.name == "ours" && pushed.parent.hasChanges)
        try await pushed.parent.save(mergePolicy: .objectTrump)
        #expect(try pushed.dispute.stored(\.name) == "ours")
        #expect(try Berth.findFirst(in: form) === ours)
        #expect(ours.objectState == .persistent && again.objectState == .persistent)
    }

    private final class Asked: Sendable {
        private let kinds = Mutex<[MergeConflict.Kind]>([])
        var all: [MergeConflict.Kind] { kinds.withLock { $0 } }

        /// A policy that keeps ours and records its conflicts.
        var policy: MergePolicy {
            .custom { [self] conflict in
                kinds.withLock { $0.append(conflict.kind) }
                return .objectTrump
            }
        }
    }

    @Test
    func `a remote deletion calls a push's policy once if no values conflict`() async throws {
        let pushed = try await Pushed()
        try Berth.existing(pushed.dispute.id, in: pushed.parent).note = "parent's"
        #expect(try Berth.count(in: pushed.child) == 1)
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.listen()
        let asked = Asked()
        try pushed.child.push(mergePolicy: asked.policy)
        #expect(asked.all == [.deletedElsewhere])
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored { [$0.name, $0.note] } == ["ours", "parent's"])
    }

    @Test func `a push calls its policy for a deletion and for a parent's rival value`()
        async throws
    {
        let pushed = try await Pushed()
        try Berth.existing(pushed.dispute.id, in: pushed.parent).name = "parent's"
        pushed.berth.name = "ours"
        pushed.berth.note = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.listen()
        try pushed.child.push(
            mergePolicy: .custom { $0.kind == .deletedElsewhere ? .objectTrump : .storeTrump })
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored { [$0.name, $0.note] } == ["parent's", "ours"])
    }

    @Test func `a push calls its policy once for a deletion against two rival edits`() async throws
    {
        let pushed = try await Pushed()
        try pushed.berth.delete()
        try Berth.existing(pushed.dispute.id, in: pushed.parent).note = "parent's"
        try await pushed.dispute.there { berth, _ in berth.count = 11 }
        try pushed.listen()
        let asked = Asked()
        try pushed.child.push(mergePolicy: asked.policy)
        #expect(asked.all == [.deletedHere])
        try await pushed.parent.save()
        #expect(try pushed.dispute.stored(\.name) == nil)
    }

    @Test(arguments: [false, true])
    func `pushing a re-insertion conflicts with another stack's re-insertion`(isHeld: Bool)
        async throws
    {
        let pushed = try await Pushed()
        let form = pushed.child.newChild(name: "part")
        try Berth.existing(pushed.dispute.id, in: form).name = "ours"
        let back = pushed.dispute.other.newContext()
        try Berth.existing(pushed.dispute.id, in: back).name = "back"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.listen()
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

    @Test func `pushing a re-insertion keeps the parent's edits of the row`() async throws {
        let pushed = try await Pushed()
        let parents = try Berth.existing(pushed.dispute.id, in: pushed.parent)
        parents.note = "parent's"
        #expect(try Berth.count(in: pushed.child) == 1)
        pushed.berth.name = "ours"
        try await pushed.dispute.there { berth, _ in try berth.delete() }
        try pushed.listen()
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

    @Test func `a save updates a row that another stack re-inserted from older values`()
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
        dispute.test.stack.hearOthers()
        #expect(try Berth.findFirst(in: parent)?.count == 3)
        berth.note = "next"
        try await parent.save()
        #expect(!parent.hasChanges)
        #expect(try dispute.stored(\.note) == "next")
    }

    @MainActor @Test func `a row that a nested stack's block re-inserts has a new row version`()
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
