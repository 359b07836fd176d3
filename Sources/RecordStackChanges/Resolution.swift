package import RecordStackModel

/// The outcome of a merge for one changed row that the other side has changed or deleted, too.
package struct Resolution: Sendable {
    package enum Fate: Sendable, Hashable {
        /// The change is made on the other side's row.
        case keep
        /// Nothing of the change is made.
        case drop
        /// The row that the other side deleted is inserted again, with the change.
        case undelete
        /// The save or push fails.
        case conflict
    }

    package let fate: Fate
    /// The changed slots that keep our value.
    package let kept: SlotSet
    /// The changed slots that take the other side's value.
    package let takenSlots: SlotSet
    /// The values that a custom policy has decided on, which neither side has.
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

    /// Whether the change is made as it was.
    package var isUnchanged: Bool { fate == .keep && takenSlots.isEmpty && decided.isEmpty }
}

/// A merge policy's answer to one conflict.
package enum Decision: Sendable {
    /// Conflicting slots take the other side's value; of a deletion, the other side's row or its absence holds.
    case theirs
    /// Conflicting slots keep our value; of a deletion, our row or its absence holds.
    case ours
    /// As `theirs`, for all slots that we have changed.
    case allTheirs
    /// As `ours`, for all slots of the row.
    case allOurs
    /// As `ours`, but for these slots.
    case values([(slot: Int, value: StoredValue)])
}
