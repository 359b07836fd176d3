/// Where an object stands in its life.
///
/// ```swift
/// let ann = try Person.create(in: context, email: "ann@example.org")    // .pending
/// try context.saveAndWait()                                              // .persistent
/// try ann.delete()                                                       // .deleted
/// try context.saveAndWait()                                              // .detached
/// ```
public enum ObjectState: Sendable, Hashable {
    /// New: the store does not have it yet.
    case pending
    /// In the store, whether or not it was changed since.
    case persistent
    /// To be deleted by the next save; or deleted elsewhere while it has changes here, which the
    /// next save reports as a conflict.
    case deleted
    /// Of no context any more: its context is gone or was reset, or its row is gone. Attributes
    /// that were loaded can still be read; relationships are empty, and nothing can be saved.
    case detached
}

/// The flags in the low bits of an object's word of state.
@usableFromInline
enum ObjectFlags {
    /// The values are not loaded.
    @inlinable static var fault: UInt64 { 1 << 0 }
    /// The context is to insert it.
    @inlinable static var inserted: UInt64 { 1 << 1 }
    /// The context is to delete it.
    @inlinable static var deleted: UInt64 { 1 << 2 }
    /// It stands in its context's list of changed objects, which keeps it alive.
    @inlinable static var dirty: UInt64 { 1 << 3 }
    /// Its values are, or are made of, an ancestor's unsaved ones.
    @inlinable static var inheritsEdits: UInt64 { 1 << 4 }
    /// The store has a row of it, as far as its context knows.
    @inlinable static var stored: UInt64 { 1 << 5 }
    /// It does not belong to its context any more.
    @inlinable static var detached: UInt64 { 1 << 6 }
    /// It was changed here and deleted elsewhere. It is shown no more, stands in the list with its
    /// changes, and has the flag ``deleted`` as well.
    @inlinable static var orphaned: UInt64 { 1 << 7 }

    /// It stands in the array of its context's list, with ``dirty`` or until that is next pruned.
    static let inDirtyList: UInt64 = 1 << 8
    /// Its values are loaded, and `awakeFromFetch()` is due.
    @inlinable static var asleep: UInt64 { 1 << 9 }
    /// `awakeFromFetch()` is being called, whose settings of attributes are no changes.
    @inlinable static var waking: UInt64 { 1 << 10 }
    /// `prepareForDeletion()` is being called.
    static let preparing: UInt64 = 1 << 11
    /// It is being validated.
    static let validating: UInt64 = 1 << 12
    /// It was given up because there is nothing left of it: its row was deleted, or never made.
    static let gone: UInt64 = 1 << 13
    /// It was given up because its context forgot all objects.
    static let reset: UInt64 = 1 << 14
    /// The context has indexed the object and must be told before it changes.
    @inlinable static var watched: UInt64 { 1 << 15 }
    /// What says whether the values are there, and are those of the row.
    static var state: UInt64 { 0xFF }
    /// With any of these, an object whose entity awakes from fetches cannot be read yet.
    @inlinable static var unready: UInt64 { fault | asleep }

    /// The version of the row stands in the bits from here on.
    static let versionShift: UInt64 = 16
    static let mask: UInt64 = 0xFFFF
    /// A new object with none of the other flags needs no bookkeeping for its first writes.
    @inlinable static var plainNewMask: UInt64 {
        0xFF & ~inheritsEdits & ~stored | waking | watched
    }
    @inlinable static var plainNew: UInt64 { inserted | dirty }
    /// With any of these, the row of the object in the store is not what the object shows.
    static let differs: UInt64 = dirty | inheritsEdits
}
