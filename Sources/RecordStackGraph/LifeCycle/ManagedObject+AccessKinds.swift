/// How the accessors of most entities look after their object; see ``AwakingAccess``. Generated code.
public enum PlainAccess {}

/// How the accessors of an entity look after their object that overrides `awakeFromFetch()`: they call
/// the hook before they let anybody see a value.
///
/// The `@Entity` macro makes use of it by itself. An entity written by hand that overrides the hook, or
/// whose superentity does, names it in its accessors:
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
/// Reading such a property costs a few nanoseconds more than others. Where a subentity overrides the hook
/// and its superentity does not, the superentity's properties may be read before the hook was called, if
/// the object was met through a relationship: let the superentity override it, too, if only to do nothing.
public enum AwakingAccess {}

// The plain accessors promise to release nothing that a reader can see. A program's own code can promise
// no such thing: it may let go of the very object that the reader came through. So no hook is called
// there; and the accessors that promise nothing are those of classes which the compiler knows to have such
// code. A class that names the wrong ones breaks nothing: its hook comes later (see `wake()`).
extension ManagedObject {
    /// How the properties of the class are accessed. Generated code: a class that overrides
    /// `awakeFromFetch()` declares another one of this name, which its subclasses then have.
    public typealias RecordAccess = PlainAccess

    /// Loads the object if its values are not there yet. Generated getters call it first.
    @inlinable @inline(__always)
    public final func willAccessValue(_ access: PlainAccess.Type) { willAccessValue() }

    /// Loads the object if its values are not there yet, and calls `awakeFromFetch()` if it is due.
    /// Generated getters call it first.
    @inlinable
    public final func willAccessValue(_ access: AwakingAccess.Type) {
        if bitsValue & ObjectFlags.unready != 0 { wake() }
    }

    /// Nothing: a plain setter loads the object where it keeps the old value. Generated setters call it
    /// first.
    @inlinable @inline(__always)
    public final func willSetValue(_ access: PlainAccess.Type) {}

    /// Loads the object if its values are not there yet, and calls `awakeFromFetch()` if it is due, which
    /// might otherwise come later and set another value. Generated setters call it first.
    @inlinable
    public final func willSetValue(_ access: AwakingAccess.Type) { willAccessValue(access) }
}
