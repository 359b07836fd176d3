import RecordStackModel

/// The mappings of an import: the entity's own, and those of what its relationships lead to.
final class ImportMappings {
    private var known: [ObjectIdentifier: ImportMapping] = [:]
    private let options: ImportOptions

    init(_ options: ImportOptions) {
        self.options = options
    }

    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format that cannot be read.
    func mapping(of entity: EntityDescription) throws -> ImportMapping {
        if let mapping = known[entity.typeIdentity] { return mapping }
        let mapping = try ImportMapping(entity: entity, options)
        // Before its relationships, which may lead back.
        known[entity.typeIdentity] = mapping
        try mapping.addRelations(options) { try self.mapping(of: $0) }
        return mapping
    }
}
