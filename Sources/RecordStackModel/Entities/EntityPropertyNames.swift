/// The property names of an entity, for key paths such as the one in `@Entity(identity: \.email)`.
///
/// An argument of the macro cannot name the entity itself, because that would be circular for the
/// compiler. The macro replaces the key paths with those of the entity.
@dynamicMemberLookup
public struct EntityPropertyNames {
    /// Returns the root again, so that a key path can name any property.
    public subscript(dynamicMember name: String) -> EntityPropertyNames { self }
}
