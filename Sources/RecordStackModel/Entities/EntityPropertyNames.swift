/// Stands for an entity in `@Entity(identity: \.email)`, where the entity itself cannot be named
/// yet: the compiler would go in circles.
///
/// Programs only write key paths of it; the macro turns them into the entity's own.
@dynamicMemberLookup
public struct EntityPropertyNames {
    /// A property by its name.
    public subscript(dynamicMember name: String) -> EntityPropertyNames { self }
}
