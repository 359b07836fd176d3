import RecordStackGraph
public import RecordStackModel

/// A rule that determines the entity of a row from a value in the row.
///
/// ```swift
/// extension Animal: Importable {
///     static var importDiscriminator: ImportDiscriminator? {
///         ImportDiscriminator("kind", ["dog": Dog.self, "cat": Cat.self])
///     }
/// }
/// ```
public struct ImportDiscriminator: Sendable {
    /// The key path of the value: keys and indexes separated by dots, as in `.imported(from:)`.
    public let keyPath: String
    /// The entity for each value. A number or a Bool is compared by its text in the source.
    public let entities: [String: any ManagedEntity.Type]

    /// Creates a discriminator from a key path and the entities for its values.
    public init(_ keyPath: String, _ entities: [String: any ManagedEntity.Type]) {
        self.keyPath = keyPath
        self.entities = entities
    }
}

/// The mappings of the entities to which a row may belong.
final class ImportKinds {
    let location: JSONLocation
    private let keyPath: String
    // `StoredValue` compares the texts by their bytes.
    private let mappings: [StoredValue: Kind]

    /// An unowned mapping, because a kind's mapping may be the one that owns these kinds.
    private struct Kind {
        // The importer keeps all of its mappings alive.
        unowned let mapping: ImportMapping
    }

    /// Creates the kinds of a discriminator.
    ///
    /// - Parameter entity: the entity that declares the discriminator or inherits it.
    /// - Throws: ``RecordStackError/Code/misuse`` for an entity of another hierarchy.
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

    /// Returns the mapping for a value; nil if the value names no entity.
    func mapping(for value: String) -> ImportMapping? { mappings[.text(value)]?.mapping }

    /// Returns the reason why a row belongs to no entity of the discriminator.
    func refusal(of found: ImportValue?) -> String {
        let known = mappings.keys.compactMap { String(storedValue: $0) }.sorted()
            .map { "“\($0)”" }.joined(separator: ", ")
        guard let found else { return "\(keyPath) is missing, which is one of \(known)." }
        return "\(keyPath) is \(found.excerpt), none of \(known)."
    }
}
