public import RecordStackGraph
public import RecordStackModel

/// An entity that takes part in its own import.
///
/// ```swift
/// extension Person: Importable {
///     class func shouldImport(_ row: ImportRow) -> Bool { row["deleted"] != true }
///     func didImport(_ row: ImportRow) { fullName = "\(firstName) \(lastName)" }
/// }
/// ```
///
/// The hooks run in the context's isolation, for rows of the entity and for its objects nested in
/// other rows. Before an object is looked for, they run in this order: `importDiscriminator`,
/// `importIdentity(of:)`, `shouldImport(_:)`. With the object, `willImport(_:)` runs before it gets
/// its values, and `didImport(_:)` after that. If a hook throws, the import ends.
///
/// In an import into a stack, a batch that conflicts with another import runs again, and so do its
/// hooks. The rows of an entity with hooks are also read into an ``ImportRow``, which costs some
/// microseconds for each row. Imports without hooks do not pay that cost.
///
/// If a superentity conforms and its subentities override a static method, declare the method
/// as `class func`.
public protocol Importable: ManagedObject {
    /// The rule that determines the subentity of a row. Nil if all rows are of this entity.
    static var importDiscriminator: ImportDiscriminator? { get }

    /// Returns the value of the identity, if it is computed from several values of the row.
    ///
    /// Return nil to find the identity like any other value. The attribute may be
    /// `.notImported`. The import calls this method as soon as it has read the row, before the
    /// path of the row is known.
    static func importIdentity(of row: ImportRow) throws -> ImportValue?

    /// Returns true to import a row, and false to decline it.
    ///
    /// At this time, no object has been looked for or created. The report counts the row as
    /// declined if you return false.
    static func shouldImport(_ row: ImportRow) throws -> Bool

    /// Called after the object is found or created, and before it gets the values of the row.
    func willImport(_ row: ImportRow) throws

    /// Called when the object has the values of the row and its related objects.
    func didImport(_ row: ImportRow) throws
}

extension Importable {
    /// The default, nil: all rows are of this entity.
    public static var importDiscriminator: ImportDiscriminator? { nil }

    /// The default, which returns nil: the identity is found like any other value.
    public static func importIdentity(of row: ImportRow) throws -> ImportValue? { nil }

    /// The default, which returns true.
    public static func shouldImport(_ row: ImportRow) throws -> Bool { true }

    /// The default, which does nothing.
    public func willImport(_ row: ImportRow) throws {}

    /// The default, which does nothing.
    public func didImport(_ row: ImportRow) throws {}
}
