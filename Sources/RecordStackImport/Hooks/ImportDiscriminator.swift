import RecordStackGraph
public import RecordStackModel

/// Says by a value of the source which entity a row is of.
///
/// ```swift
/// extension Animal: Importable {
///     static var importDiscriminator: ImportDiscriminator? {
///         ImportDiscriminator("kind", ["dog": Dog.self, "cat": Cat.self])
///     }
/// }
/// ```
public struct ImportDiscriminator: Sendable {
    /// Where in a row the value is: keys and indexes, divided by dots, as in `.imported(from:)`.
    public let keyPath: String
    /// The entities by the text of the value; numbers and Bools count as they are written.
    public let entities: [String: any ManagedEntity.Type]

    /// A discriminator of a key path and the entities for its values.
    public init(_ keyPath: String, _ entities: [String: any ManagedEntity.Type]) {
        self.keyPath = keyPath
        self.entities = entities
    }
}

/// The mappings of the entities that a row may be of.
final class ImportKinds {
    let location: JSONLocation
    private let keyPath: String
    // The values are text, which is compared by its bytes.
    private let mappings: [StoredValue: Kind]

    /// The mapping of a kind may be the one that has these kinds, and would keep itself.
    private struct Kind {
        // The importer holds on to all of its mappings.
        unowned let mapping: ImportMapping
    }

    /// - Parameter entity: the one that declares the discriminator, or one that inherits it.
    /// - Throws: misuse for an entity of another hierarchy.
    init(
        _ discriminator: ImportDiscriminator, of entity: EntityDescription,
        _ mapping: (EntityDescription) throws -> ImportMapping
    ) throws {
        keyPath = discriminator.keyPath
        location = try JSONLocation(keyPath, entity: entity)
        var mappings: [StoredValue: Kind] = [:]
        for (value, type) in discriminator.entities {
            let kind = type.entityDescription
            guard kind.root.isSame(as: entity.root) else {
                throw RecordStackError(
                    .misuse,
                    "The import discriminator of \(entity.name) names \(kind.name), which does not inherit "
                        + "from it.", entity: entity.name)
            }
            if kind.isKind(of: entity) {
                mappings[.text(value)] = Kind(mapping: try mapping(kind))
            }
        }
        self.mappings = mappings
    }

    /// The mapping for a value; nil for one that names no entity.
    func mapping(for value: String) -> ImportMapping? { mappings[.text(value)]?.mapping }

    /// Why a row is none of the entities'.
    func refusal(of found: ImportValue?) -> String {
        let known = mappings.keys.compactMap { String(storedValue: $0) }.sorted()
            .map { "“\($0)”" }.joined(separator: ", ")
        guard let found else { return "\(keyPath) is missing, which is one of \(known)." }
        return "\(keyPath) is \(found.excerpt), none of \(known)."
    }
}
