/// The kind of access that most entities use, in which accessors call no hook.
///
/// Generated code uses it. See ``AwakingAccess`` for the other kind.
public enum PlainAccess {}

/// The kind of access for an entity that overrides `awakeFromFetch()`.
///
/// Accessors of this kind call the hook, if it is due, before they return or set a value. The
/// `@Entity` macro generates such accessors. If you write an entity by hand, and the entity or its
/// superentity overrides the hook, write the accessors as follows:
///
/// ```swift
/// var name: String {
///     get {
///         willAccessValue(AwakingAccess.self)
///         return _name
///     }
///     set {
///         willSetValue(AwakingAccess.self)
///         willChangeValue(at: 0, from: _name)
///         _name = newValue
///     }
/// }
/// ```
///
/// Reading such a property costs a few nanoseconds more than reading a property with
/// ``PlainAccess``. If only a subentity overrides the hook, the properties that it inherits have
/// plain accessors. If you reach an object of the subentity through a relationship, you can read
/// these properties before the hook is called. To prevent that, override the hook in the
/// superentity as well, even with an empty body.
public enum AwakingAccess {}

// The plain accessors promise to release nothing that a reader can see. A program's own code can
// promise no such thing: it may release the very object through which the reader came. The plain
// accessors therefore call no hook. Only classes that the compiler knows to have such code use the
// accessors without the promise. A class with the wrong accessors breaks nothing: its hook is
// called later (see `wake()`).
extension ManagedObject {
    /// The kind of access that the class's accessors use.
    ///
    /// Generated code uses it. A class that overrides `awakeFromFetch()` declares `RecordAccess` as
    /// ``AwakingAccess``, and its subclasses inherit that declaration.
    public typealias RecordAccess = PlainAccess

    /// Loads the object's values if necessary. Generated getters call this method first.
    @inlinable @inline(__always)
    public final func willAccessValue(_ access: PlainAccess.Type) { willAccessValue() }

    /// Loads the object's values if necessary, and calls `awakeFromFetch()` if it is due.
    ///
    /// Generated getters call this method first.
    @inlinable
    public final func willAccessValue(_ access: AwakingAccess.Type) {
        if bitsValue & ObjectFlags.unready != 0 { wake() }
    }

    /// Does nothing, because `willChangeValue(at:from:)` loads the object in a plain setter.
    ///
    /// Generated setters call this method first.
    @inlinable @inline(__always)
    public final func willSetValue(_ access: PlainAccess.Type) {}

    /// Loads the object's values if necessary, and calls `awakeFromFetch()` if it is due.
    ///
    /// The hook must run before the setter, because it could otherwise replace the new value.
    /// Generated setters call this method first.
    @inlinable
    public final func willSetValue(_ access: AwakingAccess.Type) { willAccessValue(access) }
}
