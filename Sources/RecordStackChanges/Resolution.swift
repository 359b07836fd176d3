package import RecordStackModel

/// The outcome of a merge for one row that was changed here and changed or deleted elsewhere.
package struct Resolution: Sendable {
    package enum Fate: Sendable, Hashable {
        /// Applies the change to the other side's row.
        case keep
        /// Discards the whole change.
        case drop
        /// Re-inserts the row that the other side deleted, with the change.
        case undelete
        /// Fails the save or push.
        case conflict
    }

    package let fate: Fate
    /// The changed slots that keep our value.
    package let kept: SlotSet
    /// The changed slots that take the other side's value.
    package let takenSlots: SlotSet
    /// The values from a custom policy, which neither side has.
    package let decided: [(slot: Int, value: StoredValue)]

    package init(
        _ fate: Fate, kept: SlotSet = SlotSet(), takenSlots: SlotSet = SlotSet(),
        decided: [(slot: Int, value: StoredValue)] = []
    ) {
        self.fate = fate
        self.kept = kept
        self.takenSlots = takenSlots
        self.decided = decided
    }

    package var decidedSlots: SlotSet {
        decided.reduce(into: SlotSet()) { $0.insert($1.slot) }
    }

    /// Whether the resolution leaves the change as it was.
    package var isUnchanged: Bool { fate == .keep && takenSlots.isEmpty && decided.isEmpty }
}

/// A merge policy's decision on one conflict.
package enum Decision: Sendable {
    /// Takes the other side's value in conflicting slots.
    ///
    /// If one side deleted the row, the other side's row or deletion stands.
    case theirs
    /// Keeps our value in conflicting slots.
    ///
    /// If one side deleted the row, our row or deletion stands.
    case ours
    /// Like `theirs`, but takes the other side's value in every slot that we have changed, not only
    /// in conflicting slots.
    case allTheirs
    /// Decides as `ours`, for all slots of the row.
    case allOurs
    /// Decides as `ours`, but gives these slots values of the policy's choice.
    case values([(slot: Int, value: StoredValue)])
}
