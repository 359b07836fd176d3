/// Which life-cycle hooks a class overrides.
///
/// A class that has no hooks pays nothing for them, because contexts look here, once for an entity, and
/// not at its objects. The `@Entity` macro says which of them stand in the class; an entity written by
/// hand says it itself, and one that it leaves out is not called:
///
/// ```swift
/// override class var lifeCycleHooks: LifeCycleHooks { super.lifeCycleHooks.union([.willSave]) }
///
/// override func willSave() {
///     if email != email.lowercased() { email = email.lowercased() }
/// }
/// ```
public struct LifeCycleHooks: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt16

    /// The hooks of some bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// `awakeFromInsert()`.
    public static let awakeFromInsert = LifeCycleHooks(rawValue: 1 << 0)
    /// `awakeFromFetch()`. The accessors of an entity written by hand name ``AwakingAccess``.
    public static let awakeFromFetch = LifeCycleHooks(rawValue: 1 << 1)
    /// `willSave()`.
    public static let willSave = LifeCycleHooks(rawValue: 1 << 2)
    /// `didSave()`.
    public static let didSave = LifeCycleHooks(rawValue: 1 << 3)
    /// `prepareForDeletion()`.
    public static let prepareForDeletion = LifeCycleHooks(rawValue: 1 << 4)
    /// `validateForInsert()`.
    public static let validateForInsert = LifeCycleHooks(rawValue: 1 << 5)
    /// `validateForUpdate()`.
    public static let validateForUpdate = LifeCycleHooks(rawValue: 1 << 6)
    /// `validateForDelete()`.
    public static let validateForDelete = LifeCycleHooks(rawValue: 1 << 7)

    static let validation: LifeCycleHooks = [
        .validateForInsert, .validateForUpdate, .validateForDelete,
    ]
    /// Those that hear of a deletion.
    static let deletion: LifeCycleHooks = [
        .prepareForDeletion, .validateForDelete, .willSave, .didSave,
    ]
    /// Those that hear of an update.
    static let update: LifeCycleHooks = [.validateForUpdate, .willSave, .didSave]
}
