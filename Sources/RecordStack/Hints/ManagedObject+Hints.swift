public import Foundation
public import RecordStackGraph

// Names from other libraries. Each is unavailable, and its message gives the name in RecordStack.
extension ManagedObject {
    /// Exists only for its error message.
    @available(
        *, unavailable,
        message:
            "An object is made in a context: try TheType.create(in: context, …), with its values as arguments."
    )
    public convenience init() { cannotBeCalled() }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message:
            "A context saves all of its objects: try await context.save(), or make the change in stack.saveWithBlock { context in … }."
    )
    public final func save() throws { cannotBeCalled() }

    /// Exists only for its error message.
    @available(*, unavailable, message: "An object is deleted with try object.delete().")
    public final func destroy() throws { cannotBeCalled() }

    /// Exists only for its error message.
    @available(*, unavailable, message: "An object is deleted with try object.delete().")
    public final func remove() throws { cannotBeCalled() }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Exists only for its error message.
    @available(*, unavailable, message: "An object is deleted with try object.delete().")
    public final func mr_deleteEntity() throws { cannotBeCalled() }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Exists only for its error message.
    @available(*, unavailable, message: "An object is deleted with try object.delete().")
    public final func MR_deleteEntity() throws { cannotBeCalled() }
}

extension ManagedEntity where Self: ManagedObject {
    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "The object of an ID is try TheType.existing(id, in: context); that of a value is try TheType.findFirst(by: \\.name, value, in: context)."
    )
    public static func find(_ id: Int, in context: ManagedObjectContext? = nil) throws -> Self? {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "The object of an ID is try TheType.existing(id, in: context); that of a value is try TheType.findFirst(by: \\.name, value, in: context)."
    )
    public static func find(id: Int, in context: ManagedObjectContext? = nil) throws -> Self? {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "The object of an ID is try TheType.existing(id, in: context); that of a value is try TheType.findFirst(by: \\.name, value, in: context)."
    )
    public static func find(_ id: String, in context: ManagedObjectContext? = nil) throws -> Self? {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "The object of an ID is try TheType.existing(id, in: context); that of a value is try TheType.findFirst(by: \\.name, value, in: context)."
    )
    public static func find(id: String, in context: ManagedObjectContext? = nil) throws -> Self? {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "The object of an ID is try TheType.existing(id, in: context); that of a value is try TheType.findFirst(by: \\.name, value, in: context)."
    )
    public static func find(_ id: UUID, in context: ManagedObjectContext? = nil) throws -> Self? {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "The object of an ID is try TheType.existing(id, in: context); that of a value is try TheType.findFirst(by: \\.name, value, in: context)."
    )
    public static func find(id: UUID, in context: ManagedObjectContext? = nil) throws -> Self? {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "All objects are try TheType.find(in: context)."
    )
    public static func fetchAll(in context: ManagedObjectContext? = nil) throws -> [Self] {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "All objects are try TheType.find(in: context)."
    )
    public static func fetchAll(_ context: ManagedObjectContext) throws -> [Self] {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "One object is try TheType.findFirst(in: context) { $0.name == value }."
    )
    public static func fetchOne(in context: ManagedObjectContext? = nil) throws -> Self? {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "One object is try TheType.findFirst(in: context) { $0.name == value }."
    )
    public static func fetchOne(_ context: ManagedObjectContext) throws -> Self? {
        cannotBeCalled()
    }

    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "All objects are try TheType.find(in: context)."
    )
    public static func findAll(in context: ManagedObjectContext? = nil) throws -> [Self] {
        cannotBeCalled()
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "All objects are try TheType.find(in: context)."
    )
    public static func mr_findAll(in context: ManagedObjectContext? = nil) throws -> [Self]? {
        cannotBeCalled()
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "All objects are try TheType.find(in: context)."
    )
    public static func MR_findAll() throws -> [Self]? { cannotBeCalled() }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "An object is made with try TheType.create(in: context, …)."
    )
    public static func mr_createEntity(in context: ManagedObjectContext? = nil) throws -> Self? {
        cannotBeCalled()
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Exists only for its error message.
    @available(
        *, unavailable,
        message: "An object is made with try TheType.create(in: context, …)."
    )
    public static func MR_createEntity() throws -> Self? { cannotBeCalled() }

    /// Exists only for its error message.
    @available(*, unavailable, renamed: "findFirstOrCreate(by:_:in:)")
    public static func findOrCreate<Value>(
        by keyPath: KeyPath<Self, Value>, _ value: Value, in context: ManagedObjectContext? = nil
    ) throws -> Self { cannotBeCalled() }

    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "A predicate becomes a filter: matching: Filter(#Predicate<TheType> { … })."
    )
    public static func find(
        matching predicate: Predicate<Self>, in context: ManagedObjectContext? = nil
    ) throws -> [Self] { cannotBeCalled() }

    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "A predicate becomes a filter: matching: Filter(#Predicate<TheType> { … })."
    )
    public static func findFirst(
        matching predicate: Predicate<Self>, in context: ManagedObjectContext? = nil
    ) throws -> Self? { cannotBeCalled() }

    /// Exists only for its error message.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message: "A predicate becomes a filter: matching: Filter(#Predicate<TheType> { … })."
    )
    public static func count(
        matching predicate: Predicate<Self>, in context: ManagedObjectContext? = nil
    ) throws -> Int { cannotBeCalled() }
}
