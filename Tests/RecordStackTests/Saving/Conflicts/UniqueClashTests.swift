import RecordStack
import RecordStackModel
import Testing

/// Two objects with the same unique value. No merge policy discards one of them for the other.
@Suite("Clashes of unique values") struct UniqueClashTests {
    enum Place: CaseIterable {
        /// The other object was saved by a context of the stack, or unnoticed by another stack, or
        /// it is pending in the parent or in this context.
        case merged, stale, parent, here

        var rival: Rival {
            switch self {
            case .merged, .here: .merged
            case .stale: .stale
            case .parent: .parent
            }
        }

        /// Whether one save writes both objects.
        var isOneSave: Bool { self == .parent || self == .here }
    }

    private static let policies: [String: MergePolicy] = {
        var policies = Dictionary(uniqueKeysWithValues: MergePolicyTests.policies.map { ($0, $1) })
        policies["custom"] = .custom { conflict in
            Issue.record("asked of \(conflict)")
            return .objectTrump
        }
        return policies
    }()

    @Test(arguments: Place.allCases, policies.keys.sorted())
    func `a new object with another object's unique value fails the save`(
        place: Place, policy: String
    ) async throws {
        let dispute = try await Dispute(place.rival)
        let ours = try Berth.create(in: dispute.context, number: 5)
        try await check(dispute, ours, place, policy, leaves: [1, 5, 6])
    }

    @Test(arguments: Place.allCases, policies.keys.sorted())
    func `setting a unique value that another object has makes the save fail`(
        place: Place, policy: String
    ) async throws {
        let dispute = try await Dispute(place.rival)
        dispute.berth.number = 5
        try await check(dispute, dispute.berth, place, policy, leaves: [5, 6])
    }

    private func check(
        _ dispute: Dispute, _ ours: Berth, _ place: Place, _ policy: String, leaves wanted: [Int]
    ) async throws {
        let context = dispute.context
        if place == .here {
            try Berth.create(in: context, number: 5)
        } else {
            try await dispute.there { _, context in try Berth.create(in: context, number: 5) }
        }
        let error = await #expect(throws: RecordStackError.self) {
            try await context.save(mergePolicy: Self.policies[policy]!)
        }
        #expect(error?.code == .constraint)
        #expect(error?.entity == "Berth" && error?.property == "number")
        let both = [error?.objectID].compactMap(\.self) + (error?.blockers ?? [])
        #expect(Set(both).count == 2 && both.contains(ours.objectID))
        if !place.isOneSave { #expect(error?.objectID == ours.objectID) }
        #expect(error?.message.contains("saved with it") == place.isOneSave)
        #expect(error?.message.contains("has 5 as well") == true)
        // Nothing is discarded. The other object can be found, and the save succeeds with another
        // value.
        #expect(ours.hasChanges && ours.number == 5)
        let holder = try Berth.existing(try #require(error?.blockers.first), in: context)
        #expect(holder.number == 5)
        ours.number = 6
        try await dispute.save(.error)
        let fresh = dispute.other.newContext()
        let numbers = try Berth.find(sortedBy: .ascending(\.number), in: fresh).map(\.number)
        #expect(numbers == wanted)
    }
}
