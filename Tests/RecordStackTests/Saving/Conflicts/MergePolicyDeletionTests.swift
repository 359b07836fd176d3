import RecordStack
import RecordStackModel
import RecordStackTesting
import TestSupport
import Testing

/// What becomes of an object that one side deleted and the other changed, under each policy.
@Suite struct MergePolicyDeletionTests {
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
    func `changed here and deleted there`(policy: String, property: String) async throws {
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
            #expect(error?.conflicts.map(\.kind) == [.deletedThere], "\(rival)")
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

    /// A deleted object has no join rows left, and there is no conflict: its row has no change that could be lost.
    @Test(arguments: policies, ["buoys", "line"])
    func `related here and deleted there`(policy: String, property: String) async throws {
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

    /// The same the other way round: what was related to it there goes with it.
    @Test(arguments: policies, ["buoys", "line"])
    func `deleted here and related there`(policy: String, property: String) async throws {
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
    func `deleted here and changed there`(policy: String, property: String) async throws {
        for rival in Rival.allCases { try await check(policy, rival, property) }
    }

    /// The same where nothing is saved: what the parent has changed since is not lost in silence.
    @Test(arguments: policies)
    func `deleted here and changed by the parent since, when it is pushed`(policy: String)
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

    /// What a child has not seen it cannot mean to delete, and what it has seen it can.
    @Test(arguments: [false, true])
    func `an object that is new in the parent, and deleted by a child`(isSeen: Bool) async throws {
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

    /// Nobody holds it, so that its values were not looked at.
    @Test func `an object deleted by its condition and changed by the parent since`() async throws {
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
    func `deleted on both sides is deleted`(policy: String, rival: Rival) async throws {
        let dispute = try await Dispute(rival)
        try dispute.berth.delete()
        try await dispute.there { berth, _ in try berth.delete() }
        #expect(try await attempt(dispute, policy) == nil)
        #expect(try dispute.stored(\.name) == nil)
        #expect(dispute.berth.objectState == .detached)
    }

    /// A row that is there again is another one than the one that others have read.
    @Test func `a context that has read the old row cannot write over the new one`() async throws {
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

    @Test func `other contexts of the stack see that an object is there again`() async throws {
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
