package import RecordStackModel

/// A context's unsaved change of one row, by value.
///
/// ```swift
/// let edit = RowEdit(
///     kind: .updated, version: read.version, slots: SlotSet(single: 2),
///     values: row, base: read.values)
/// ```
package struct RowEdit: Sendable {
    package enum Kind: Sendable, Hashable {
        case inserted
        case updated
        case deleted
        /// A row that a context inserted and its child deleted, so the store never sees it.
        case cancelled
    }

    package var kind: Kind
    /// The version of the row on which the change was made.
    package var version: RowVersion
    /// The changed slots.
    ///
    /// For a deletion, these are the slots that `base` fills: no slots if the object
    /// was not loaded.
    package var slots: SlotSet
    /// The full row after the change; meaningless for a deletion.
    package var values: [StoredValue]
    /// The row on which the change was made, with values only in `slots`.
    package var base: [StoredValue]

    package init(
        kind: Kind, version: RowVersion, slots: SlotSet, values: [StoredValue], base: [StoredValue]
    ) {
        self.kind = kind
        self.version = version
        self.slots = slots
        self.values = values
        self.base = base
    }

    /// Whether the change removes the row.
    package var isDeletion: Bool { kind == .deleted || kind == .cancelled }

    /// Returns the row that a child's change is merged with; nil if this change deletes the row.
    ///
    /// - Parameter torn: the slots that are in conflict whatever values they have.
    package func asTheirs(torn: SlotSet = SlotSet()) -> TheirRow? {
        isDeletion ? nil : TheirRow(version: version, values: values, changed: slots, torn: torn)
    }
}

/// The other side's row in a merge.
package struct TheirRow: Sendable {
    package let version: RowVersion
    package let values: [StoredValue]
    /// The slots that the other side may have changed.
    package let changed: SlotSet
    /// The slots in conflict even if the other side's value equals the base.
    package let torn: SlotSet

    package init(
        version: RowVersion, values: [StoredValue], changed: SlotSet, torn: SlotSet = SlotSet()
    ) {
        self.version = version
        self.values = values
        self.changed = changed
        self.torn = torn
    }
}

extension RowEdit {
    /// Returns the change that remains after a resolution, still on its own base.
    ///
    /// Nil if nothing remains.
    package func applying(_ resolution: Resolution, over theirs: TheirRow?) -> RowEdit? {
        switch resolution.fate {
        case .conflict, .drop: return nil
        case .keep, .undelete: break
        }
        if isDeletion { return self }
        var edit = self
        edit.slots = resolution.kept
        for (slot, value) in resolution.decided {
            if !edit.slots.contains(slot) { edit.base[slot] = theirs?.values[slot] ?? values[slot] }
            edit.values[slot] = value
            edit.slots.insert(slot)
        }
        return edit
    }

    /// Returns the same change, based on the other side's row.
    package func rebased(on theirs: TheirRow) -> RowEdit {
        var edit = self
        edit.version = theirs.version
        edit.values = theirs.values
        edit.base = theirs.values
        slots.forEach { edit.values[$0] = values[$0] }
        return edit
    }

    /// Returns the combination of the parent's change and this change of its child.
    ///
    /// Conflicts between the two must be resolved already: if both changed a slot, the
    /// child's value wins.
    package func composed(over parent: RowEdit) -> RowEdit {
        if parent.isDeletion { return isDeletion ? parent : undeleting(parent) }
        if isDeletion {
            var edit = self
            if parent.kind == .inserted {
                edit.kind = .cancelled
            } else {
                edit.version = parent.version
            }
            return edit
        }
        var edit = parent
        slots.forEach { slot in
            if !parent.slots.contains(slot) { edit.base[slot] = base[slot] }
            edit.values[slot] = values[slot]
            edit.slots.insert(slot)
        }
        return edit
    }

    private func undeleting(_ parent: RowEdit) -> RowEdit {
        var edit = self
        edit.version = parent.version
        if parent.kind == .cancelled {
            edit.kind = .inserted
            edit.slots = SlotSet(all: values.count)
        }
        return edit
    }
}
