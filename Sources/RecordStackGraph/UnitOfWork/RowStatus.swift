/// A context's knowledge of an object's row, and what it will do with the row, as flags.
///
/// The flags are part of the object's state word. Only events change them. An event says what has
/// happened, not which flags it changes, so this file determines which combinations exist.
///
/// ```swift
/// if object.apply(.broughtToLight).contains(.shows) { reenterMemberKeys(object) }
/// ```
package struct RowStatus: Hashable, Sendable {
    private(set) var flags: UInt64

    init(flags: UInt64) { self.flags = flags & ObjectFlags.mask }

    /// Something that happens to an object or to its row.
    package enum Event: CaseIterable, Sendable {
        // Values

        /// The object shows a row that was read from SQLite.
        case rowRead
        /// The values are loaded, from any source.
        case valuesLoaded
        /// The values were dropped. They are loaded again when they are next read.
        case valuesDropped

        // Changes in this context

        /// A property was changed, or the object is about to be deleted.
        case edited
        /// The context or an ancestor deletes the object.
        case deleted
        /// The deletion was undone, or it was not this context's.
        case undeleted
        /// The object has nothing to save any more.
        case cleaned
        /// The context has pushed its changes of the object and inherits them from its parent now.
        case pushed

        // Saves

        /// The row was inserted, or an insertion of it by another context was found.
        case rowInserted
        /// The row was inserted as it shows, and nothing has changed since.
        ///
        /// The event is ``rowInserted`` and ``cleaned`` at once.
        case rowInsertedAsShown
        /// The store has a row of the object after all.
        case rowFound
        /// A deleted row was re-inserted, and the object shows it.
        case rowReinserted
        /// Another context re-inserted the row before this one, and the policy took its values.
        case gaveWayToReinserted
        /// The context is going to re-insert the object's deleted row.
        case reinserting
        /// The store has no row of the object until an ancestor re-inserts it.
        case rowAwaited

        // Deletions elsewhere

        /// Another context or an ancestor has deleted the object, which has changes here.
        case orphaned
        /// Another context or an ancestor has not deleted the object after all.
        case broughtToLight
        /// The object's changes were discarded in favor of an ancestor's deletion.
        case agreedToDeletion

        // Ancestors' changes

        /// The object shows an ancestor's change.
        case inheritedEdits
        /// The object does not show an ancestor's change any more.
        case inheritanceEnded

        // The end

        /// Nothing is left of the object.
        case gone
        /// The context forgot all its objects.
        case forgotten

        // The dirty list, which may hold the object for a while after it has nothing to save

        case enteredDirtyList
        case leftDirtyList

        // Running hooks

        case awakening
        case awakeBegan
        case awakeEnded
        case preparingBegan
        case preparingEnded
        case validatingBegan
        case validatingEnded
    }

    /// The consequences of an event for the object's context.
    package struct Effects: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The object was deleted and shows again.
        ///
        /// It becomes a member of the relationships that its values refer to.
        package static let shows = Effects(rawValue: 1)
        /// The object showed and is deleted, so it leaves all relationships.
        package static let hides = Effects(rawValue: 2)
        /// The object has changes that conflict with a deletion elsewhere.
        package static let orphans = Effects(rawValue: 4)
    }

    /// Changes the flags according to an event.
    @inline(__always)
    @discardableResult
    package mutating func apply(_ event: Event) -> Effects {
        let before = flags
        switch event {
        case .rowRead: change(adding: ObjectFlags.stored, removing: ObjectFlags.fault)
        case .valuesLoaded: change(removing: ObjectFlags.fault)
        case .valuesDropped: change(adding: ObjectFlags.fault)
        case .edited:
            // An edit does not turn an ancestor's deletion into one of this context: it orphans the
            // object.
            let isDeleted = flags & ObjectFlags.deleted != 0
            change(adding: ObjectFlags.dirty | (isDeleted ? ObjectFlags.orphaned : 0))
        case .deleted: change(adding: ObjectFlags.deleted)
        case .undeleted: change(removing: ObjectFlags.deleted)
        case .cleaned: change(removing: ObjectFlags.dirty)
        case .pushed: change(removing: ObjectFlags.dirty | ObjectFlags.inserted)
        case .rowInserted: change(adding: ObjectFlags.stored, removing: ObjectFlags.inserted)
        case .rowInsertedAsShown:
            change(
                adding: ObjectFlags.stored, removing: ObjectFlags.inserted | ObjectFlags.dirty)
        case .rowFound: change(adding: ObjectFlags.stored)
        case .rowReinserted:
            change(
                adding: ObjectFlags.stored, removing: ObjectFlags.inserted | Self.deletedOrOrphaned)
        case .gaveWayToReinserted:
            change(
                adding: ObjectFlags.stored,
                removing: ObjectFlags.inserted | ObjectFlags.inheritsEdits)
        case .reinserting:
            change(
                adding: ObjectFlags.inserted,
                removing: ObjectFlags.stored | ObjectFlags.inheritsEdits | Self.deletedOrOrphaned)
        case .rowAwaited: change(removing: ObjectFlags.stored)
        case .orphaned: change(adding: Self.deletedOrOrphaned)
        case .broughtToLight: change(removing: Self.deletedOrOrphaned)
        case .agreedToDeletion:
            change(removing: ObjectFlags.dirty | ObjectFlags.orphaned)
        case .inheritedEdits: change(adding: ObjectFlags.inheritsEdits)
        case .inheritanceEnded: change(removing: ObjectFlags.inheritsEdits)
        case .gone:
            change(
                adding: ObjectFlags.detached | ObjectFlags.gone, removing: ObjectFlags.differs)
        case .forgotten:
            change(
                adding: ObjectFlags.detached | ObjectFlags.reset, removing: ObjectFlags.differs)
        case .enteredDirtyList: change(adding: ObjectFlags.inDirtyList)
        case .leftDirtyList: change(removing: ObjectFlags.inDirtyList)
        case .awakening: change(adding: ObjectFlags.awaitingAwake)
        case .awakeBegan: change(adding: ObjectFlags.waking, removing: ObjectFlags.awaitingAwake)
        case .awakeEnded: change(removing: ObjectFlags.waking)
        case .preparingBegan: change(adding: ObjectFlags.preparing)
        case .preparingEnded: change(removing: ObjectFlags.preparing)
        case .validatingBegan: change(adding: ObjectFlags.validating)
        case .validatingEnded: change(removing: ObjectFlags.validating)
        }
        return Self.effects(from: before, to: flags)
    }

    private static var deletedOrOrphaned: UInt64 { ObjectFlags.deleted | ObjectFlags.orphaned }

    @inline(__always)
    private mutating func change(adding added: UInt64 = 0, removing removed: UInt64 = 0) {
        flags = flags & ~removed | added
    }

    @inline(__always)
    private static func effects(from before: UInt64, to after: UInt64) -> Effects {
        var effects: Effects = []
        let (added, removed) = (after & ~before, before & ~after)
        if removed & ObjectFlags.deleted != 0 { effects.insert(.shows) }
        if added & ObjectFlags.deleted != 0 { effects.insert(.hides) }
        if added & ObjectFlags.orphaned != 0 { effects.insert(.orphans) }
        return effects
    }
}

// MARK: Initial states

extension RowStatus {
    /// A new object, in the dirty list of its context.
    package static var new: RowStatus {
        RowStatus(flags: ObjectFlags.inserted | ObjectFlags.dirty | ObjectFlags.inDirtyList)
    }

    /// An object that is created from a row, with the row's values.
    static var ofRow: RowStatus { RowStatus(flags: ObjectFlags.stored) }

    /// An object of a row, without values. The row may be gone.
    static var fault: RowStatus { RowStatus(flags: ObjectFlags.stored | ObjectFlags.fault) }

    /// An object of no context and without values, for a row that is gone.
    static var detachedFault: RowStatus {
        RowStatus(flags: ObjectFlags.stored | ObjectFlags.fault | ObjectFlags.detached)
    }

    /// An object of no context, without a row and without values.
    static var detached: RowStatus { RowStatus(flags: ObjectFlags.detached) }

    /// Returns the status of a child's object for an object that its parent has changed.
    static func inheriting(from origin: RowStatus) -> RowStatus {
        RowStatus(flags: ObjectFlags.inheritsEdits | origin.flags & ObjectFlags.stored)
    }
}

// MARK: Possible combinations

extension RowStatus {
    /// Whether an object can have these flags, between two operations or during one.
    package var isPossible: Bool {
        func has(_ flags: UInt64) -> Bool { self.flags & flags == flags }
        // The store has no row that is still to insert.
        if has(ObjectFlags.inserted | ObjectFlags.stored) { return false }
        // An orphaned object does not show.
        if has(ObjectFlags.orphaned) && !has(ObjectFlags.deleted) { return false }
        // A detached object has no changes for its context, and was detached for one reason at
        // most.
        let reasons = ObjectFlags.gone | ObjectFlags.reset
        if !has(ObjectFlags.detached) { return flags & reasons == 0 }
        return flags & ObjectFlags.differs == 0 && !has(reasons)
    }
}

// MARK: Names

extension RowStatus {
    private static var named: [(flag: UInt64, name: String)] {
        [
            (ObjectFlags.fault, "fault"), (ObjectFlags.inserted, "inserted"),
            (ObjectFlags.deleted, "deleted"), (ObjectFlags.dirty, "dirty"),
            (ObjectFlags.inheritsEdits, "inheritsEdits"), (ObjectFlags.stored, "stored"),
            (ObjectFlags.detached, "detached"), (ObjectFlags.orphaned, "orphaned"),
            (ObjectFlags.inDirtyList, "inDirtyList"), (ObjectFlags.awaitingAwake, "awaitingAwake"),
            (ObjectFlags.waking, "waking"), (ObjectFlags.preparing, "preparing"),
            (ObjectFlags.validating, "validating"), (ObjectFlags.gone, "gone"),
            (ObjectFlags.reset, "reset"),
        ]
    }

    /// The names of the flags, except for ``ObjectFlags/watched``.
    package var names: [String] {
        Self.named.filter { flags & $0.flag != 0 }.map(\.name)
    }

    package init(names: [String]) {
        let known = Self.named.filter { names.contains($0.name) }
        self.init(flags: known.reduce(0) { $0 | $1.flag })
    }
}
