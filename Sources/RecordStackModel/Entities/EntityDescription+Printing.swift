extension EntityDescription: CustomStringConvertible {
    /// The entity and the types of its properties.
    ///
    /// For example: `Person (email: String, age: Int?, team: Team?, tags: many Tag)`.
    public var description: String {
        let properties =
            attributes.map(\.description)
            + relationships.map(\.description)
        return "\(name) (\(properties.joined(separator: ", ")))"
    }
}

extension AttributeDescription: CustomStringConvertible {
    /// The name and the type: `age: Int?`.
    public var description: String { "\(name): \(type.name)\(isOptional ? "?" : "")" }
}

extension RelationshipDescription: CustomStringConvertible {
    /// The name and the destination: `team: Team?`, `tags: many Tag`.
    public var description: String {
        "\(name): " + (isToMany ? "many \(destination.name)" : "\(destination.name)?")
    }
}

extension ManagedObjectModel: CustomStringConvertible {
    /// The entities, one per line.
    public var description: String {
        modelEntities.map { $0.description.description }.joined(separator: "\n")
    }
}
