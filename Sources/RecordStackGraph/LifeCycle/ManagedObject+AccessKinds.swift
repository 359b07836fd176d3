/// The kind of access that the accessors of most entities use; see ``AwakingAccess``.
///
/// Generated code uses it.
public enum PlainAccess {}

/// The kind of access for an entity that overrides `awakeFromFetch()`.
///
/// The accessors call the hook before they return or set a value. The `@Entity` macro generates
/// this access. If you write an entity by hand that overrides the hook, or whose superentity does,
/// name the access in its accessors:
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
/// Reading such a property costs a few nanoseconds more than reading another one. If a subentity
/// overrides the hook and its superentity does not, you may read the superentity's properties
/// before the hook is called. This happens if you reach the object through a relationship. To
/// prevent it, override the hook in the superentity as well, if only with an empty body.
public enum AwakingAccess {}

// The plain accessors promise to release nothing that a reader can see. A program's own code can
// promise no such thing: it may release the very object through which the reader came. The plain
// accessors therefore call no hook. Only classes that the compiler knows to have such code use the
// accessors without the promise. A class with the wrong accessors breaks nothing: its hook is
// called later (see `wake()`).
extension ManagedObject {
    /// The kind of access that the class's accessors use.
    ///
    /// Generated code uses it. A class that overrides `awakeFromFetch()` declares another type of
    /// this name, which its subclasses inherit.
    public typealias RecordAccess = PlainAccess

    /// Loads the object's values if necessary. Generated getters call it first.
    @inlinable @inline(__always)
    public final func willAccessValue(_ access: PlainAccess.Type) { willAccessValue() }

    /// Loads the object's values if necessary, and calls `awakeFromFetch()` if it is due.
    ///
    /// Generated getters call it first.
    @inlinable
    public final func willAccessValue(_ access: AwakingAccess.Type) {
        if bitsValue & ObjectFlags.unready != 0 { wake() }
    }

    /// Does nothing: a plain setter loads the object when it keeps the old value.
    ///
    /// Generated setters call it first.
    @inlinable @inline(__always)
    public final func willSetValue(_ access: PlainAccess.Type) {}

    /// Loads the object's values if necessary, and calls `awakeFromFetch()` if it is due.
    ///
    /// Otherwise the hook might run later and set another value. Generated setters call it first.
    @inlinable
    public final func willSetValue(_ access: AwakingAccess.Type) { willAccessValue(access) }
}
