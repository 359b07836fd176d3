/// A class whose objects are rows of the store.
///
/// `ManagedObject` and its subclasses conform to it. Do not conform other types: a stack
/// does not accept them.
public protocol ManagedEntity: AnyObject, SendableMetatype {
    /// The entity's name and properties.
    static var entityDescription: EntityDescription { get }
    /// The object's ID, which it has from its creation.
    var objectID: ManagedObjectID { get }
}
