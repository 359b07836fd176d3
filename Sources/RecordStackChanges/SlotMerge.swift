/// The source of the row that a context shows below an unsaved change.
package enum RowOrigin: Sendable, Hashable {
    /// A commit of another context.
    case others
    /// A save of the context's own changes.
    case ownSave
    /// The store, since the program asks to see its changes on the stored row.
    case refresh
    /// The parent, whose own change of the slot is gone: it was saved, rolled back or never there.
    case parentRow
    /// The parent's unsaved change. The save or push compares it with the child's.
    case parentEdit
}

/// Merges one changed slot of an unsaved object with a newer row.
///
/// Nothing is decided here: a conflict is noted and stays with the object until a save, a refresh or the program decides it.
///
/// ```swift
/// let merge = SlotMerge(isSame: false, isBase: false)
/// merge.outcome(over: .others)     // .conflicts
/// ```
package struct SlotMerge: Sendable {
    package enum Outcome: Sendable, Hashable {
        /// The change has ended: the object takes the row's value.
        case ends
        /// The change stays as it is.
        case stays
        /// The change stays, and a noted conflict has ended: the row's value is the base again.
        case fits
        /// The change stays, as a change of the row's value.
        case rebases
        /// The change stays, in conflict with the row's value.
        case conflicts
    }

    /// Whether the row's value is the changed one.
    package var isSame: Bool
    /// Whether the row's value is the one that the change was made on.
    package var isBase: Bool
    /// Whether the changed value is what was captured for the save, or, where nothing was, the value before the change.
    package var isAcknowledged = false
    /// Whether both sides have cleared a reference to a deleted object.
    package var isCleared = false
    /// Whether a conflict is noted.
    package var hasConflict = false
    /// Whether a conflict is noted that no value of the row ends, because the change was made on a row of another commit, or
    /// on a change that was given up.
    package var isTorn = false
    /// Whether the change rests on a change of the parent's that was given up: the row's value is not the one that the
    /// change was made on, even if it is equal.
    package var isBaseLost = false
    /// Whether the change must stay, because a save is writing something else or an ancestor's change lies between.
    package var mustStay = false

    package init(isSame: Bool, isBase: Bool) {
        (self.isSame, self.isBase) = (isSame, isBase)
    }

    package func outcome(over origin: RowOrigin) -> Outcome {
        if !mustStay && ends(over: origin) { return .ends }
        switch origin {
        case .ownSave, .refresh: return .rebases
        case .others where !isBase: return .conflicts
        // The noted value follows the row's.
        case .others: return isTorn ? .conflicts : .fits
        case .parentRow: return showsBase ? .stays : .conflicts
        case .parentEdit: return isBaseLost || isTorn ? .conflicts : .stays
        }
    }

    private var showsBase: Bool { isBase && !hasConflict && !isBaseLost }

    private func ends(over origin: RowOrigin) -> Bool {
        if isAcknowledged { return true }
        // Two equal values are two steps, unless the context has saved this one.
        switch origin {
        case .ownSave, .refresh: return isSame
        case .others: return isSame && (isCleared || isBase)
        case .parentRow: return isSame && (isCleared || showsBase)
        case .parentEdit: return isSame && isCleared
        }
    }
}
