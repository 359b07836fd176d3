extension EntityDescription: CustomStringConvertible {
    /// The entity's name, and the names and types of its properties.
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
    /// The name and the type, such as `age: Int?`.
    public var description: String { "\(name): \(type.name)\(isOptional ? "?" : "")" }
}

extension RelationshipDescription: CustomStringConvertible {
    /// The name and the destination, such as `team: Team?` or `tags: many Tag`.
    public var description: String {
        "\(name): " + (isToMany ? "many \(destination.name)" : "\(destination.name)?")
    }
}

extension ManagedObjectModel: CustomStringConvertible {
    /// The entities, one on each line.
    public var description: String {
        modelEntities.map { $0.description.description }.joined(separator: "\n")
    }
}
