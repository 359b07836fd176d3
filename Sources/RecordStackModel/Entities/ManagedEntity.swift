/// A class whose objects are rows.
///
/// `ManagedObject` and all its subclasses conform. A stack takes no other type that does.
public protocol ManagedEntity: AnyObject, SendableMetatype {
    /// What the entity is called and which properties it has.
    static var entityDescription: EntityDescription { get }
    /// The object's ID, which it has from its creation.
    var objectID: ManagedObjectID { get }
}
