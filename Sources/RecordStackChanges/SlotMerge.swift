/// The source of the row that a context shows below an unsaved change.
package enum RowOrigin: Sendable, Hashable {
    /// A commit of another context.
    case others
    /// A save of the context's own changes.
    case ownSave
    /// The store, because the program has requested a refresh.
    case refresh
    /// The parent's row, without a change of the slot in the parent.
    ///
    /// The parent's change was saved or rolled back, or there never was one.
    case parentRow
    /// The parent's unsaved change, which the save or push compares with the child's. Also a row
    /// whose commit the context merges later: either way, the change stays as it is now.
    case parentEdit
}

/// The merge of one changed slot of an unsaved object with a newer row.
///
/// It returns an outcome, which `CommitMerger.apply` records in the object. It resolves no
/// conflict.
///
/// ```swift
/// let merge = SlotMerge(isSame: false, isBase: false)
/// merge.outcome(over: .others)     // .conflicts
/// ```
package struct SlotMerge: Sendable {
    package enum Outcome: Sendable, Hashable {
        /// Ends the change: the object takes the row's value.
        case ends
        /// Keeps the change as it is.
        case stays
        /// Keeps the change and ends a recorded conflict: the row's value is the base again.
        case fits
        /// Keeps the change and bases it on the row's value.
        case rebases
        /// Keeps the change, in conflict with the row's value.
        case conflicts
    }

    /// Whether the row's value equals the changed value.
    package var isSame: Bool
    /// Whether the row's value equals the base of the change.
    package var isBase: Bool
    /// True if the slot still has the value that the save captured.
    ///
    /// If the save captured no value, the slot must still have the value before the change.
    package var isAcknowledged = false
    /// True if both sides have cleared a reference to a deleted object.
    package var isCleared = false
    /// True if the object has a recorded conflict on the slot.
    package var hasConflict = false
    /// True if the recorded conflict persists whatever value the row has.
    ///
    /// The change was made on a row of another commit, or on a change that was discarded.
    package var isTorn = false
    /// True if the change is based on a change of the parent that was discarded.
    ///
    /// The row's value is then not the base of the change, even if the two are equal.
    package var isBaseLost = false
    /// True if the change must stay.
    ///
    /// A save is writing another value, or an ancestor's change hides the row.
    package var mustStay = false

    package init(isSame: Bool, isBase: Bool) {
        (self.isSame, self.isBase) = (isSame, isBase)
    }

    package func outcome(over origin: RowOrigin) -> Outcome {
        if !mustStay && ends(over: origin) { return .ends }
        switch origin {
        case .ownSave, .refresh: return .rebases
        case .others where !isBase: return .conflicts
        // A torn conflict stays, and its recorded value becomes the row's value.
        case .others: return isTorn ? .conflicts : .fits
        case .parentRow: return showsBase ? .stays : .conflicts
        case .parentEdit: return isBaseLost || isTorn ? .conflicts : .stays
        }
    }

    private var showsBase: Bool { isBase && !hasConflict && !isBaseLost }

    private func ends(over origin: RowOrigin) -> Bool {
        if isAcknowledged { return true }
        // Setting an equal value is still a separate change, unless the context has
        // saved the value.
        switch origin {
        case .ownSave, .refresh: return isSame
        case .others: return isSame && (isCleared || isBase)
        case .parentRow: return isSame && (isCleared || showsBase)
        case .parentEdit: return isSame && isCleared
        }
    }
}
