/// The state of an object in its context.
///
/// ```swift
/// let ann = try Person.create(in: context, email: "ann@example.org")    // .pending
/// try context.saveAndWait()                                              // .persistent
/// try ann.delete()                                                       // .deleted
/// try context.saveAndWait()                                              // .detached
/// ```
public enum ObjectState: Sendable, Hashable {
    /// The object is new: the store has no row for it yet.
    case pending
    /// The store has a row for the object. The object may have unsaved changes.
    case persistent
    /// The next save deletes the object, or another context has deleted its row.
    ///
    /// In the second case, the object has unsaved changes, and the next save detects a conflict.
    case deleted
    /// The object belongs to no context.
    ///
    /// Its context is gone or was reset, its row is gone, or the object was new and was discarded.
    /// You can still read attributes that were loaded. The object's relationships are empty, and
    /// the object cannot be saved.
    case detached
}

/// The flags in the low bits of an object's state word.
@usableFromInline
enum ObjectFlags {
    /// The values are not loaded.
    @inlinable static var fault: UInt64 { 1 << 0 }
    /// The context is going to insert the object's row.
    @inlinable static var inserted: UInt64 { 1 << 1 }
    /// The object is deleted: by its context, by an ancestor, or elsewhere if it is ``orphaned``.
    @inlinable static var deleted: UInt64 { 1 << 2 }
    /// The object is in its context's dirty list, which keeps it alive.
    @inlinable static var dirty: UInt64 { 1 << 3 }
    /// The object shows an ancestor's unsaved values, or its own changes are based on them.
    @inlinable static var inheritsEdits: UInt64 { 1 << 4 }
    /// The store has a row of the object, as far as its context can tell.
    @inlinable static var stored: UInt64 { 1 << 5 }
    /// The object does not belong to its context any more.
    @inlinable static var detached: UInt64 { 1 << 6 }
    /// The object was changed here and deleted elsewhere.
    ///
    /// It stays in the dirty list with its changes, does not show, and has the flag ``deleted`` as
    /// well.
    @inlinable static var orphaned: UInt64 { 1 << 7 }

    /// The object is in the array of the dirty list.
    ///
    /// Without ``dirty``, it stays there until the list is next pruned.
    static let inDirtyList: UInt64 = 1 << 8
    /// The values are loaded, and `awakeFromFetch()` is due.
    @inlinable static var awaitingAwake: UInt64 { 1 << 9 }
    /// `awakeFromFetch()` is running. Attributes that it sets do not count as changes.
    @inlinable static var waking: UInt64 { 1 << 10 }
    /// `prepareForDeletion()` is running.
    static let preparing: UInt64 = 1 << 11
    /// The object is being validated.
    static let validating: UInt64 = 1 << 12
    /// The object is detached because nothing is left of it: its row was deleted or never inserted.
    static let gone: UInt64 = 1 << 13
    /// The object is detached because its context forgot all objects.
    static let reset: UInt64 = 1 << 14
    /// The context has indexed the object and must be notified before it changes.
    @inlinable static var watched: UInt64 { 1 << 15 }
    /// The flags that say whether the values are loaded, and whether they are those of the row.
    static var state: UInt64 { 0xFF }
    /// With any of these flags, an object whose entity awakes from fetches cannot be read yet.
    @inlinable static var unready: UInt64 { fault | awaitingAwake }

    /// The index of the first bit of the row version, which takes the remaining bits of the word.
    static let versionShift: UInt64 = 16
    static let mask: UInt64 = 0xFFFF
    /// The flags that decide whether the first writes of a new object need bookkeeping.
    ///
    /// They need none if only the flags of ``plainNew`` are set among them.
    @inlinable static var plainNewMask: UInt64 {
        0xFF & ~inheritsEdits & ~stored | waking | watched
    }
    @inlinable static var plainNew: UInt64 { inserted | dirty }
    /// With any of these flags, the object's stored row is not what the object shows.
    static let differs: UInt64 = dirty | inheritsEdits
}
