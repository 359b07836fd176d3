package import RecordStackModel

/// The source of policy decisions and model facts for a merge.
package protocol MergeAdvisor {
    /// The policy's decision on every row that both sides have changed, in the same slots or not.
    ///
    /// Nil if the policy decides conflict by conflict.
    var wholeRowDecision: Decision? { get }

    /// Returns the decision on a conflict, or nil if the conflict fails the save.
    ///
    /// - Parameter clashes: the slots that both sides have changed; empty if one side
    ///   deleted the row.
    mutating func decide(
        _ kind: MergeConflict.Kind, of row: RowKey, clashes: SlotSet, ours: RowEdit,
        theirs: TheirRow?
    ) throws -> Decision?

    /// Whether a reference that both sides cleared referred to an object that is deleted.
    ///
    /// In that case the other side did not change the reference: the deletion cleared it.
    func wasClearedByDeletion(_ base: StoredValue, at slot: Int, of entity: Int) -> Bool
}

/// A three-way merge of a changed row with the other side's version of the row.
///
/// The base is the row on which the change was made, ours is the row with the change, and theirs is
/// the other side's row. A slot is in conflict if both sides have changed it, even to equal values.
///
/// ```swift
/// let resolution = try ThreeWayMerge(boundary: .store)
///     .resolve(edit, of: row, against: theirs, asking: &policy)
/// ```
package struct ThreeWayMerge: Sendable {
    /// The level that holds the other side's row.
    package enum Boundary: Sendable, Hashable {
        /// The store, where another save has changed the row.
        ///
        /// Policies for whole objects apply to every such row.
        case store
        /// The parent context, which has changed the row.
        ///
        /// Policies for whole objects apply only to conflicts. The parent's changes to other slots
        /// of the row are saved as well.
        case layer
    }

    package let boundary: Boundary

    package init(boundary: Boundary) {
        self.boundary = boundary
    }

    /// Returns the resolution of a change.
    ///
    /// - Parameter theirs: the other side's row; nil if the other side has deleted it.
    /// - Throws: the errors of the policy.
    package func resolve(
        _ ours: RowEdit, of row: RowKey, against theirs: TheirRow?,
        asking advisor: inout some MergeAdvisor
    ) throws -> Resolution {
        switch (ours.isDeletion, theirs) {
        case (true, nil): Resolution(.drop)
        case (true, let theirs?): try resolve(deletion: ours, of: row, against: theirs, &advisor)
        case (false, nil): try resolveDeletedThere(ours, of: row, &advisor)
        case (false, let theirs?): try resolve(update: ours, of: row, against: theirs, &advisor)
        }
    }

    private func resolve(
        deletion ours: RowEdit, of row: RowKey, against theirs: TheirRow,
        _ advisor: inout some MergeAdvisor
    ) throws -> Resolution {
        if boundary == .layer && Self.hasSeen(theirs, ours) { return Resolution(.keep) }
        let decision = try advisor.decide(
            .deletedHere, of: row, clashes: SlotSet(), ours: ours, theirs: theirs)
        return switch decision {
        case nil: Resolution(.conflict)
        case .theirs, .allTheirs: Resolution(.drop)
        case .ours, .allOurs, .values: Resolution(.keep)
        }
    }

    /// Whether the deleted object showed the parent's changes.
    ///
    /// An object that was not loaded showed nothing.
    private static func hasSeen(_ theirs: TheirRow, _ deletion: RowEdit) -> Bool {
        if deletion.slots.isEmpty { return false }
        return theirs.changed.slots.allSatisfy {
            theirs.values[$0].isStoredSame(as: deletion.base[$0])
        }
    }

    private func resolveDeletedThere(
        _ ours: RowEdit, of row: RowKey, _ advisor: inout some MergeAdvisor
    ) throws -> Resolution {
        let decision = try advisor.decide(
            .deletedElsewhere, of: row, clashes: SlotSet(), ours: ours, theirs: nil)
        return switch decision {
        case nil: Resolution(.conflict)
        case .theirs, .allTheirs: Resolution(.drop, takenSlots: ours.slots)
        case .ours, .allOurs: Resolution(.undelete, kept: ours.slots)
        case .values(let values): Resolution(.undelete, kept: ours.slots, decided: values)
        }
    }

    private func resolve(
        update ours: RowEdit, of row: RowKey, against theirs: TheirRow,
        _ advisor: inout some MergeAdvisor
    ) throws -> Resolution {
        if boundary == .store, let decision = advisor.wholeRowDecision {
            return carryOut(decision, on: ours, clashes: ours.slots)
        }
        let clashes = Self.clashes(ours, theirs, of: row, advisor)
        if clashes.isEmpty { return Resolution(.keep, kept: ours.slots) }
        let decision = try advisor.decide(
            .changedOnBothSides, of: row, clashes: clashes, ours: ours, theirs: theirs)
        return decision.map { carryOut($0, on: ours, clashes: clashes) } ?? Resolution(.conflict)
    }

    private static func clashes(
        _ ours: RowEdit, _ theirs: TheirRow, of row: RowKey, _ advisor: some MergeAdvisor
    ) -> SlotSet {
        var clashes = SlotSet()
        ours.slots.forEach { slot in
            let (base, ours, value) = (ours.base[slot], ours.values[slot], theirs.values[slot])
            var merge = SlotMerge(
                isSame: ours.isStoredSame(as: value), isBase: value.isStoredSame(as: base))
            merge.isCleared =
                ours.isNull && value.isNull
                && advisor.wasClearedByDeletion(base, at: slot, of: row.entity)
            let isTorn = theirs.torn.contains(slot) && !merge.isCleared
            if isTorn || merge.outcome(over: .others) == .conflicts { clashes.insert(slot) }
        }
        return clashes
    }

    private func carryOut(
        _ decision: Decision, on ours: RowEdit, clashes: SlotSet
    ) -> Resolution {
        switch decision {
        case .ours: Resolution(.keep, kept: ours.slots)
        case .theirs:
            Resolution(.keep, kept: ours.slots.subtracting(clashes), takenSlots: clashes)
        case .allTheirs: Resolution(.keep, takenSlots: ours.slots)
        case .allOurs:
            Resolution(
                .keep, kept: boundary == .store ? SlotSet(all: ours.values.count) : ours.slots)
        case .values(let values): Resolution(.keep, kept: ours.slots, decided: values)
        }
    }
}
