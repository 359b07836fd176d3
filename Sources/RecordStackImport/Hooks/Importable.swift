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
/// The hooks are called for rows of the entity and for objects of it that are nested in other rows, in the context's
/// isolation, in this order: which entity, by what it is known, whether at all; then, with the object, before and
/// after it has its values. One that throws ends the import. Into a stack, a batch that met another import is imported
/// again, and its hooks are called again. What no hook asks for is never made: the row of an
/// entity with hooks is read into an ``ImportRow``, which costs some microseconds.
///
/// A superentity that conforms declares the methods that its subentities override, as `class func`.
public protocol Importable: ManagedObject {
    /// Which of the entities that inherit from this one a row is of. Without, all rows are of this one.
    static var importDiscriminator: ImportDiscriminator? { get }

    /// The value of the identity, where it is computed of several values of the row; nil where it is found as other
    /// values are. The attribute may be `.notImported`. Called as soon as the row is read, when its path is not known yet.
    static func importIdentity(of row: ImportRow) throws -> ImportValue?

    /// Whether a row is imported. Nothing was made or looked for yet. A row that is not is counted as declined.
    static func shouldImport(_ row: ImportRow) throws -> Bool

    /// Called before the object, which was found or made, is given the values of the row.
    func willImport(_ row: ImportRow) throws

    /// Called when the object has the values of the row and its related objects.
    func didImport(_ row: ImportRow) throws
}

extension Importable {
    /// None: all rows are of this entity.
    public static var importDiscriminator: ImportDiscriminator? { nil }

    /// None: the identity is found as other values are.
    public static func importIdentity(of row: ImportRow) throws -> ImportValue? { nil }

    /// Yes.
    public static func shouldImport(_ row: ImportRow) throws -> Bool { true }

    /// Does nothing.
    public func willImport(_ row: ImportRow) throws {}

    /// Does nothing.
    public func didImport(_ row: ImportRow) throws {}
}
