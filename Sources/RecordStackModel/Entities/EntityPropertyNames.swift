/// The property names of an entity, for key paths such as the one in `@Entity(identity: \.email)`.
///
/// An argument of the macro cannot name the entity itself, because the compiler would report a
/// circular reference. The macro replaces these key paths with key paths of the entity.
@dynamicMemberLookup
public struct EntityPropertyNames {
    /// Returns a value of the same type, so a key path can contain any property name.
    public subscript(dynamicMember name: String) -> EntityPropertyNames { self }
}
