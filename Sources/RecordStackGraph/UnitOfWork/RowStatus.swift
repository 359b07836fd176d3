/// What a context knows of an object's row and is to do with it: the flags of the object's word of state.
///
/// The flags change by events alone. An event says what has happened, not which flags it changes, so that this file tells
/// which combinations there are.
///
/// ```swift
/// if object.apply(.broughtToLight).contains(.shows) { reenterMemberKeys(object) }
/// ```
package struct RowStatus: Hashable, Sendable {
    private(set) var flags: UInt64

    init(flags: UInt64) { self.flags = flags & ObjectFlags.mask }

    /// What may happen to an object or to its row.
    package enum Event: CaseIterable, Sendable {
        // The values.

        /// A row that SQLite has given shows in the object.
        case rowRead
        /// The values are there, from wherever they came.
        case valuesLoaded
        /// The values were dropped, to be loaded again when they are next read.
        case valuesDropped

        // Changes made here.

        /// A property was changed, or the object is about to be deleted.
        case edited
        /// The context deletes it.
        case deleted
        /// The deletion is taken back, or was never this context's.
        case undeleted
        /// Nothing of it is to be saved any more.
        case cleaned
        /// A child has handed it over, and sees it through its parent now.
        case pushed

        // What is saved.

        /// Its row was inserted, or somebody else's insertion of it was met.
        case rowInserted
        /// Its row was inserted as it shows, and nothing was changed since: ``rowInserted`` and ``cleaned`` at once.
        case rowInsertedAsShown
        /// Its row is known to be there.
        case rowFound
        /// A row that was deleted is there again, and shows.
        case rowReinserted
        /// Another context has re-inserted the row that this context was to re-insert, and the policy took its values.
        case gaveWayToReinserted
        /// Its deleted row is to be inserted again.
        case reinserting
        /// There is no row until it is inserted again, by an ancestor.
        case rowAwaited

        // What others delete.

        /// Others have deleted it, and it has changes here.
        case orphaned
        /// Others, or an ancestor, have not deleted it after all.
        case broughtToLight
        /// Its changes were given up for the deletion, which is an ancestor's.
        case agreedToDeletion

        // The ancestors' changes.

        /// It shows an ancestor's change.
        case inheritedEdits
        /// It shows no ancestor's change any more.
        case inheritanceEnded

        // The end.

        /// Nothing is left of it.
        case gone
        /// Its context forgot all objects.
        case forgotten

        // The list of its context, which may hold it for a while after it has nothing to save.

        case enteredDirtyList
        case leftDirtyList

        // Hooks under way.

        case awakening
        case awakeBegan
        case awakeEnded
        case preparingBegan
        case preparingEnded
        case validatingBegan
        case validatingEnded
    }

    /// What an event means to the context besides.
    package struct Effects: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It was deleted and shows again: it enters the relationships that its values refer to.
        package static let shows = Effects(rawValue: 1)
        /// It showed and is deleted: it is in no relationship any more.
        package static let hides = Effects(rawValue: 2)
        /// It has changes that a deletion by others is in conflict with.
        package static let orphans = Effects(rawValue: 4)
    }

    /// Changes the flags as an event says.
    @inline(__always)
    @discardableResult
    package mutating func apply(_ event: Event) -> Effects {
        let before = flags
        switch event {
        case .rowRead: change(adding: ObjectFlags.stored, removing: ObjectFlags.fault)
        case .valuesLoaded: change(removing: ObjectFlags.fault)
        case .valuesDropped: change(adding: ObjectFlags.fault)
        case .edited:
            // What an ancestor is to delete is not deleted here by being changed.
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
        case .awakening: change(adding: ObjectFlags.asleep)
        case .awakeBegan: change(adding: ObjectFlags.waking, removing: ObjectFlags.asleep)
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

// MARK: Objects as they are made

extension RowStatus {
    /// A new object, in the list of its context.
    package static var new: RowStatus {
        RowStatus(flags: ObjectFlags.inserted | ObjectFlags.dirty | ObjectFlags.inDirtyList)
    }

    /// An object of a row whose values come with it.
    static var ofRow: RowStatus { RowStatus(flags: ObjectFlags.stored) }

    /// An object of a row, or of one that may be gone, without values.
    static var fault: RowStatus { RowStatus(flags: ObjectFlags.stored | ObjectFlags.fault) }

    /// The same of no context: it stands for a row that is gone.
    static var detachedFault: RowStatus {
        RowStatus(flags: ObjectFlags.stored | ObjectFlags.fault | ObjectFlags.detached)
    }

    /// An object without a row and without values, of no context.
    static var detached: RowStatus { RowStatus(flags: ObjectFlags.detached) }

    /// A child's object of one that its parent has changed.
    static func inheriting(from origin: RowStatus) -> RowStatus {
        RowStatus(flags: ObjectFlags.inheritsEdits | origin.flags & ObjectFlags.stored)
    }
}

// MARK: Which combinations there are

extension RowStatus {
    /// Whether an object can be so, between two operations or in the middle of one.
    package var isPossible: Bool {
        func has(_ flags: UInt64) -> Bool { self.flags & flags == flags }
        // What is to be inserted is in no store.
        if has(ObjectFlags.inserted | ObjectFlags.stored) { return false }
        // What others have deleted is not shown.
        if has(ObjectFlags.orphaned) && !has(ObjectFlags.deleted) { return false }
        // What left its context has no changes for it, and left for one reason at most.
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
            (ObjectFlags.inDirtyList, "inDirtyList"), (ObjectFlags.asleep, "asleep"),
            (ObjectFlags.waking, "waking"), (ObjectFlags.preparing, "preparing"),
            (ObjectFlags.validating, "validating"), (ObjectFlags.gone, "gone"),
            (ObjectFlags.reset, "reset"),
        ]
    }

    /// The names of the flags, but for ``ObjectFlags/watched``.
    package var names: [String] {
        Self.named.filter { flags & $0.flag != 0 }.map(\.name)
    }

    package init(names: [String]) {
        let known = Self.named.filter { names.contains($0.name) }
        self.init(flags: known.reduce(0) { $0 | $1.flag })
    }
}
