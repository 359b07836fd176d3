import RecordStack
import RecordStackModel
import TestSupport
import Testing

/// Changes that one side made to a property, while the other side changed another property, so the
/// row is stale when it is written. These are the columns "changed here alone" and "there alone" of
/// the documentation's table.
@Suite("Merge policies and changes of one context") struct OneSidedPolicyTests {
    /// The part that is changed. The other side changes the note.
    enum Part: CaseIterable {
        case attribute, toOne, toMany, ordered, uniqueValue

        /// Whether the part is in a join table. Join rows never conflict and are not part of the
        /// object's row.
        var isJoinTable: Bool { self == .toMany || self == .ordered }

        func change(_ berth: Berth, to side: String, in context: ManagedObjectContext) throws {
            let buoy = try Buoy.one(in: context) { $0.name == side }
            switch self {
            case .attribute: berth.name = side
            case .toOne: berth.harbour = try Harbour.one(in: context) { $0.name == side }
            case .toMany: berth.buoys.insert(buoy)
            case .ordered: berth.line.append(buoy)
            case .uniqueValue: berth.number = side == "ours" ? 2 : 3
            }
        }

        /// Returns the side whose change the berth shows.
        func side(_ berth: Berth) -> String {
            switch self {
            case .attribute: berth.name
            case .toOne: berth.harbour?.name ?? "none"
            case .toMany: Set(berth.buoys.map(\.name)).subtracting(["base"]).first ?? "base"
            case .ordered: berth.line.last?.name ?? "none"
            case .uniqueValue: ["none", "base", "ours", "theirs"][berth.number]
            }
        }
    }

    /// A policy, with the expected outcome for the part and for the note.
    struct Row: CustomTestStringConvertible {
        let policy: String
        let rival: Rival
        let part: String
        let note: String

        var testDescription: String { "\(policy), \(rival)" }
    }

    /// This side changes the part, and the other side changes the note. A parent's changes may be
    /// older or newer, so the policies for whole objects do not apply to them.
    static let ours = rows([
        "error": [("ours", "theirs"), ("ours", "theirs"), ("ours", "theirs")],
        "storeTrump": [("ours", "theirs"), ("ours", "theirs"), ("ours", "theirs")],
        "objectTrump": [("ours", "theirs"), ("ours", "theirs"), ("ours", "theirs")],
        "overwrite": [("ours", "theirs"), ("ours", "base"), ("ours", "theirs")],
        "rollback": [("base", "theirs"), ("base", "theirs"), ("ours", "theirs")],
    ])

    /// This side changes the note, and the other side changes the part.
    static let theirs = rows([
        "error": [("theirs", "ours"), ("theirs", "ours"), ("theirs", "ours")],
        "storeTrump": [("theirs", "ours"), ("theirs", "ours"), ("theirs", "ours")],
        "objectTrump": [("theirs", "ours"), ("theirs", "ours"), ("theirs", "ours")],
        "overwrite": [("theirs", "ours"), ("base", "ours"), ("theirs", "ours")],
        "rollback": [("theirs", "base"), ("theirs", "base"), ("theirs", "ours")],
    ])

    private static func rows(_ table: [String: [(part: String, note: String)]]) -> [Row] {
        table.sorted { $0.key < $1.key }.flatMap { policy, cells in
            zip([Rival.merged, .stale, .parent], cells).map {
                Row(policy: policy, rival: $0, part: $1.part, note: $1.note)
            }
        }
    }

    private func check(_ dispute: Dispute, _ part: Part, _ wanted: [String]) async throws {
        #expect(try dispute.stored { [part.side($0), $0.note ?? "none"] } == wanted)
        // Join rows that another stack has saved show after a refresh.
        if part.isJoinTable && dispute.rival == .stale { dispute.context.refreshAllObjects() }
        #expect([part.side(dispute.berth), dispute.berth.note ?? "none"] == wanted)
    }

    @Test(arguments: Part.allCases, ours)
    func `only the rollback policy discards own edits that are not in conflict`(
        part: Part, row: Row
    ) async throws {
        let dispute = try await Dispute(row.rival)
        try part.change(dispute.berth, to: "ours", in: dispute.context)
        try await dispute.there { berth, _ in berth.note = "theirs" }
        try await dispute.save(MergePolicyTests.policy(row.policy))
        // The row itself was not changed here, so there is nothing to discard or to overwrite.
        let wanted = part.isJoinTable ? ["ours", "theirs"] : [row.part, row.note]
        try await check(dispute, part, wanted)
    }

    @Test(arguments: Part.allCases, theirs)
    func `only the overwrite policy undoes saved values that are not in conflict`(
        part: Part, row: Row
    ) async throws {
        let dispute = try await Dispute(row.rival)
        dispute.berth.note = "ours"
        try await dispute.there { try part.change($0, to: "theirs", in: $1) }
        try await dispute.save(MergePolicyTests.policy(row.policy))
        // Join rows that were added there change no row, so the row written here is not stale.
        let wanted = part.isJoinTable ? ["theirs", "ours"] : [row.part, row.note]
        try await check(dispute, part, wanted)
    }
}
