public import RecordStackGraph
public import RecordStackModel

/// An entity with hooks that run when its objects are imported.
///
/// ```swift
/// extension Person: Importable {
///     class func shouldImport(_ row: ImportRow) -> Bool { row["deleted"] != true }
///     func didImport(_ row: ImportRow) { fullName = "\(firstName) \(lastName)" }
/// }
/// ```
///
/// The hooks run in the context's isolation, for rows of the entity and for objects of the entity
/// that are nested in other rows. Before the import looks for the object of a row, it calls
/// `importDiscriminator`, `importIdentity(of:)` and `shouldImport(_:)`, in this order. After it has
/// found or created the object, it calls `willImport(_:)`, sets the values, and calls
/// `didImport(_:)`. If a hook throws, the import ends.
///
/// In an import into a stack, a batch that conflicts with another import runs again, and its hooks
/// run again, too. If an entity has hooks, the import also creates an ``ImportRow`` for each row of
/// the entity, which costs a few microseconds.
///
/// If a superentity conforms and its subentities override a static method, declare the method as
/// `class func`.
public protocol Importable: ManagedObject {
    /// The rule that determines the subentity of a row. Nil if all rows belong to this entity.
    static var importDiscriminator: ImportDiscriminator? { get }

    /// Returns an identity that you compute from the values of the row, or nil.
    ///
    /// If you return nil, the import reads the identity like any other value. The identity
    /// attribute may be declared `.notImported`. The import calls this method as soon as it has
    /// read the row. At this point, ``ImportRow/path`` is empty even for a nested object.
    static func importIdentity(of row: ImportRow) throws -> ImportValue?

    /// Returns true to import a row, and false to decline it.
    ///
    /// At this point, the import has not looked for or created the object. If you return false, the
    /// report counts the row as declined.
    static func shouldImport(_ row: ImportRow) throws -> Bool

    /// Called after the object is found or created, and before its values are set.
    func willImport(_ row: ImportRow) throws

    /// Called after the object has the values of the row and its related objects.
    func didImport(_ row: ImportRow) throws
}

extension Importable {
    /// The default implementation, which is nil: all rows belong to this entity.
    public static var importDiscriminator: ImportDiscriminator? { nil }

    /// The default implementation, which returns nil: the identity is read like any other value.
    public static func importIdentity(of row: ImportRow) throws -> ImportValue? { nil }

    /// The default implementation, which returns true.
    public static func shouldImport(_ row: ImportRow) throws -> Bool { true }

    /// The default implementation, which does nothing.
    public func willImport(_ row: ImportRow) throws {}

    /// The default implementation, which does nothing.
    public func didImport(_ row: ImportRow) throws {}
}
