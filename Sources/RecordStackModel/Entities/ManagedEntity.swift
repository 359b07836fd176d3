/// A class whose objects are stored as rows.
///
/// `ManagedObject` and its subclasses conform to the protocol. Do not declare conformance for other
/// types, because a stack rejects them.
public protocol ManagedEntity: AnyObject, SendableMetatype {
    /// The entity's name and properties.
    static var entityDescription: EntityDescription { get }
    /// The object's ID, which does not change after the object is created.
    var objectID: ManagedObjectID { get }
}
