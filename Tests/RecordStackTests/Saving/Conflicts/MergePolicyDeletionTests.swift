import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// Objects that one side deleted and the other side changed, under each policy.
@Suite("Merge policies and deletions") struct MergePolicyDeletionTests {
    private static let policies = MergePolicyTests.policies.map(\.name)

    private func attempt(_ dispute: Dispute, _ policy: String) async throws -> RecordStackError? {
        do {
            try await dispute.save(MergePolicyTests.policy(policy))
            return nil
        } catch let error as RecordStackError {
            return error
        }
    }

    private static func isOurs(_ policy: String) -> Bool {
        policy == "objectTrump" || policy == "overwrite"
    }

    @Test(arguments: policies, ["name", "harbour", "number", "all"])
    func `each merge policy resolves an edit of an object deleted elsewhere`(
        policy: String, property: String
    ) async throws {
        for rival in Rival.allCases { try await checkDeletedThere(policy, rival, property) }
    }

    private func checkDeletedThere(_ policy: String, _ rival: Rival, _ property: String)
        async throws
    {
        let dispute = try await Dispute(rival)
        let berth = dispute.berth
        if property != "harbour" && property != "number" { berth.name = "ours" }
        if property != "name" && property != "harbour" { berth.number = 2 }
        if property != "name" && property != "number" {
            berth.harbour = try Harbour.findFirst(by: \.name, "ours", in: dispute.context)
        }
        func shown(_ berth: Berth) -> [String] {
            [berth.name, "\(berth.number)", berth.harbour?.name ?? "-"]
        }
        let ours = shown(berth)
        try await dispute.there { berth, _ in try berth.delete() }
        let error = try await attempt(dispute, policy)
        switch policy {
        case "error":
            #expect(error?.code == .conflict, "\(rival)")
            #expect(error?.conflicts.map(\.kind) == [.deletedElsewhere], "\(rival)")
            #expect(shown(berth) == ours, "\(rival)")
            return
        case _ where Self.isOurs(policy):
            #expect(error == nil, "\(rival)")
            #expect(try dispute.stored(shown) == ours, "\(rival)")
            #expect(try dispute.stored(\.objectID) == dispute.id)
            #expect(berth.objectState == .persistent && shown(berth) == ours, "\(rival)")
            #expect(try Berth.find(in: dispute.context).map(\.objectID) == [dispute.id])
            #expect(berth.harbour?.berths.map(\.objectID) == [dispute.id], "\(rival)")
        default:
            #expect(error == nil, "\(rival)")
            #expect(try dispute.stored(\.name) == nil, "\(rival)")
            #expect(try Berth.count(in: dispute.context) == 0)
            #expect(berth.objectState == .detached, "\(rival)")
            try Berth.create(in: dispute.context, number: 2)
        }
        try await dispute.context.save()
    }

    /// A deleted object has no join rows left. Its row has no change that could be lost, so there
    /// is no conflict.
    @Test(arguments: policies, ["buoys", "line"])
    func `adding members to an object deleted elsewhere is no conflict`(
        policy: String, property: String
    ) async throws {
        for rival in Rival.allCases {
            let dispute = try await Dispute(rival)
            let ours = try #require(try Buoy.findFirst(by: \.name, "ours", in: dispute.context))
            if property == "line" {
                dispute.berth.line.append(ours)
            } else {
                dispute.berth.buoys.insert(ours)
            }
            try await dispute.there { berth, _ in try berth.delete() }
            #expect(try await attempt(dispute, policy) == nil, "\(rival)")
            #expect(try Berth.count(in: dispute.context) == 0, "\(rival)")
            #expect(try dispute.stored(\.name) == nil, "\(rival)")
            #expect(dispute.berth.objectState == .detached, "\(rival)")
            let context = dispute.other.newContext()
            let buoy = try #require(try Buoy.findFirst(by: \.name, "ours", in: context))
            #expect(buoy.berths.isEmpty && buoy.queue.isEmpty, "\(rival)")
            #expect(try await dispute.other.integrityCheck().isEmpty)
        }
    }

    /// Join rows that others add to a deleted object are deleted with it.
    @Test(arguments: policies, ["buoys", "line"])
    func `deleting an object is no conflict if another context adds members`(
        policy: String, property: String
    ) async throws {
        for rival in Rival.allCases {
            let dispute = try await Dispute(rival)
            try dispute.berth.delete()
            try await dispute.there { berth, context in
                let theirs = try #require(try Buoy.findFirst(by: \.name, "theirs", in: context))
                if property == "line" {
                    berth.line.append(theirs)
                } else {
                    berth.buoys.insert(theirs)
                }
            }
            #expect(try await attempt(dispute, policy) == nil, "\(rival)")
            #expect(try dispute.stored(\.name) == nil, "\(rival)")
            #expect(dispute.berth.objectState == .detached, "\(rival)")
            let context = dispute.other.newContext()
            let buoy = try #require(try Buoy.findFirst(by: \.name, "theirs", in: context))
            #expect(buoy.berths.isEmpty && buoy.queue.isEmpty, "\(rival)")
            #expect(try await dispute.other.integrityCheck().isEmpty)
        }
    }

    @Test(arguments: policies, ["name", "harbour", "number"])
    func `each merge policy resolves a deletion of an object changed elsewhere`(
        policy: String, property: String
    ) async throws {
        for rival in Rival.allCases { try await check(policy, rival, property) }
    }

    /// Nothing is saved here. A change that the parent has made since must not be lost silently.
    @Test(arguments: policies)
    func `a push's policy resolves a deletion of an object the parent changed`(policy: String)
        async throws
    {
        let dispute = try await Dispute(.parent)
        try dispute.berth.delete()
        try await dispute.there { berth, _ in berth.note = "theirs" }
        let parents = try Berth.existing(dispute.id, in: dispute.parent)
        do {
            try dispute.context.push(mergePolicy: MergePolicyTests.policy(policy))
            #expect(policy != "error")
        } catch let error as RecordStackError {
            #expect(policy == "error" && error.conflicts.map(\.kind) == [.deletedHere])
            #expect(dispute.berth.objectState == .deleted && parents.note == "theirs")
            return
        }
        #expect(!dispute.context.hasChanges)
        if Self.isOurs(policy) {
            #expect(parents.objectState == .deleted)
            #expect(try Berth.count(in: dispute.context) == 0)
        } else {
            #expect(parents.objectState == .persistent && parents.note == "theirs")
            #expect(try Berth.find(in: dispute.context).map(\.objectID) == [dispute.id])
            #expect(dispute.berth.note == "theirs")
        }
        try await dispute.parent.save()
        #expect(try dispute.stored(\.note) == (Self.isOurs(policy) ? nil : "theirs"))
    }

    /// A child's deletion covers only the changes of the parent that the child has seen.
    @Test(arguments: [false, true])
    func `a child's deletion conflicts only with parent edits it has not seen`(
        isSeen: Bool
    ) async throws {
        let dispute = try await Dispute(.parent)
        let new = try Berth.create(in: dispute.parent, number: 7)
        let mine = try Berth.existing(new.objectID, in: dispute.context)
        _ = mine.note
        if isSeen { new.note = "seen" } else { try mine.delete() }
        if isSeen {
            #expect(try Berth.count(in: dispute.context) { $0.note == "seen" } == 1)
            try mine.delete()
            try await dispute.context.save()
            #expect(try Berth.count(in: dispute.parent) { $0.number == 7 } == 0)
            return
        }
        new.note = "since"
        let error = await #expect(throws: RecordStackError.self) {
            try await dispute.context.save()
        }
        #expect(error?.conflicts.map(\.kind) == [.deletedHere])
        try await dispute.context.save(mergePolicy: .storeTrump)
        #expect(mine.objectState == .persistent && mine.note == "since")
        #expect(
            try Berth.find(in: dispute.context) { $0.number == 7 }.map(\.objectID) == [new.objectID]
        )
        #expect(!dispute.context.hasChanges && !dispute.parent.hasChanges)
    }

    /// No context holds the object, so its values were never read.
    @Test func `deleting by filter in a child conflicts with a parent's later edit`()
        async throws
    {
        let dispute = try await Dispute(.parent)
        let child = dispute.parent.newChild()
        #expect(try Berth.delete(in: child) { $0.number == 1 } == 1)
        try await dispute.there { berth, _ in berth.note = "theirs" }
        let error = await #expect(throws: RecordStackError.self) { try await child.save() }
        #expect(error?.conflicts.map(\.kind) == [.deletedHere])
        try await child.save(mergePolicy: .overwrite)
        #expect(try dispute.stored(\.note) == nil)
    }

    private func check(_ policy: String, _ rival: Rival, _ property: String) async throws {
        let dispute = try await Dispute(rival)
        try dispute.berth.delete()
        try await dispute.there { berth, context in
            switch property {
            case "name": berth.name = "theirs"
            case "number": berth.number = 3
            default: berth.harbour = try Harbour.findFirst(by: \.name, "theirs", in: context)
            }
        }
        let error = try await attempt(dispute, policy)
        switch policy {
        case "error":
            #expect(error?.code == .conflict && error?.conflicts.first?.kind == .deletedHere)
            #expect(dispute.berth.objectState == .deleted)
        case _ where Self.isOurs(policy):
            #expect(error == nil && dispute.berth.objectState == .detached)
            #expect(try dispute.stored(\.name) == nil)
        default:
            #expect(error == nil && dispute.berth.objectState == .persistent)
            let shown = [
                dispute.berth.name, "\(dispute.berth.number)", dispute.berth.harbour?.name ?? "-",
            ]
            #expect(
                try dispute.stored { [$0.name, "\($0.number)", $0.harbour?.name ?? "-"] } == shown)
            #expect(shown.contains(property == "number" ? "3" : "theirs"))
            #expect(try Berth.find(in: dispute.context).map(\.objectID) == [dispute.id])
            dispute.berth.name = "next"
            try await dispute.context.save()
            #expect(try dispute.stored(\.name) == "next")
        }
    }

    @Test(arguments: policies, Rival.allCases)
    func `deleting an object in two contexts succeeds under every policy`(
        policy: String, rival: Rival
    ) async throws {
        let dispute = try await Dispute(rival)
        try dispute.berth.delete()
        try await dispute.there { berth, _ in try berth.delete() }
        #expect(try await attempt(dispute, policy) == nil)
        #expect(try dispute.stored(\.name) == nil)
        #expect(dispute.berth.objectState == .detached)
    }

    /// A re-inserted row differs from the row that other contexts have read.
    @Test
    func `a context that read a deleted row cannot overwrite its re-insertion`() async throws {
        let dispute = try await Dispute(.stale)
        let reader = dispute.other.newContext()
        let old = try #require(try Berth.findFirst(in: reader))
        old.note = "of the old row"
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in try berth.delete() }
        try await dispute.save(.objectTrump)
        let error = await #expect(throws: RecordStackError.self) { try await reader.save() }
        #expect(error?.code == .conflict)
    }

    @Test func `other contexts of the stack find a re-inserted object`() async throws {
        let dispute = try await Dispute(.merged)
        let reader = dispute.test.stack.newContext()
        let seen = try #require(try Berth.findFirst(in: reader))
        dispute.berth.name = "ours"
        try await dispute.there { berth, _ in try berth.delete() }
        #expect(try Berth.count(in: reader) == 0)
        try await dispute.save(.objectTrump)
        #expect(try Berth.find(in: reader).map(\.name) == ["ours"])
        #expect(seen.objectState == .detached)
    }
}
