/// The life-cycle hooks that a class overrides.
///
/// Contexts check this value once for each entity, not for each object, so a class without hooks
/// pays nothing. The `@Entity` macro generates the value. If you write an entity by hand, declare
/// the value yourself. A hook that the value does not contain is never called.
///
/// ```swift
/// override class var lifeCycleHooks: LifeCycleHooks { super.lifeCycleHooks.union([.willSave]) }
///
/// override func willSave() {
///     if email != email.lowercased() { email = email.lowercased() }
/// }
/// ```
public struct LifeCycleHooks: OptionSet, Sendable, Hashable {
    /// The hooks as bits.
    public let rawValue: UInt16

    /// Creates a set of hooks from bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The hook `awakeFromInsert()`.
    public static let awakeFromInsert = LifeCycleHooks(rawValue: 1 << 0)
    /// The hook `awakeFromFetch()`. Accessors that you write by hand have to use ``AwakingAccess``.
    public static let awakeFromFetch = LifeCycleHooks(rawValue: 1 << 1)
    /// The hook `willSave()`.
    public static let willSave = LifeCycleHooks(rawValue: 1 << 2)
    /// The hook `didSave()`.
    public static let didSave = LifeCycleHooks(rawValue: 1 << 3)
    /// The hook `prepareForDeletion()`.
    public static let prepareForDeletion = LifeCycleHooks(rawValue: 1 << 4)
    /// The hook `validateForInsert()`.
    public static let validateForInsert = LifeCycleHooks(rawValue: 1 << 5)
    /// The hook `validateForUpdate()`.
    public static let validateForUpdate = LifeCycleHooks(rawValue: 1 << 6)
    /// The hook `validateForDelete()`.
    public static let validateForDelete = LifeCycleHooks(rawValue: 1 << 7)

    static let validation: LifeCycleHooks = [
        .validateForInsert, .validateForUpdate, .validateForDelete,
    ]
    /// The hooks that are called for a deletion.
    static let deletion: LifeCycleHooks = [
        .prepareForDeletion, .validateForDelete, .willSave, .didSave,
    ]
    /// The hooks that are called for an update.
    static let update: LifeCycleHooks = [.validateForUpdate, .willSave, .didSave]
}
