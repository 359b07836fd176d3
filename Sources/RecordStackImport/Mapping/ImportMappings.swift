import RecordStackModel

/// The mappings of an import: the entity's own, and those of its relationships' destinations.
final class ImportMappings {
    private var known: [ObjectIdentifier: ImportMapping] = [:]
    private let options: ImportOptions
    private let hooks: ImportHooks

    init(_ options: ImportOptions, _ hooks: ImportHooks) {
        self.options = options
        self.hooks = hooks
    }

    var all: some Sequence<ImportMapping> { known.values }

    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format that cannot be read.
    func mapping(of entity: EntityDescription) throws -> ImportMapping {
        if let mapping = known[entity.typeIdentity] { return mapping }
        let mapping = try ImportMapping(entity: entity, options, hooks)
        // Before its relationships, whose destinations may refer back.
        known[entity.typeIdentity] = mapping
        try mapping.addRelations { try self.mapping(of: $0) }
        return mapping
    }

    /// The relation that an object is waiting in.
    func relation(at location: ForwardReference.Location) -> ImportMapping.Relation? {
        let mapping = known.values.first { $0.entity.name == location.entity }
        return mapping?.relations[location.relation]
    }

    /// Whether there are relationships of which silence takes something away.
    var clearsAbsent: Bool {
        all.contains { $0.relations.contains { $0.rules.absent != .leave } }
    }

    /// Finds out what concerns mappings together, when there are all of them.
    func finish() throws {
        let hasComposite = all.contains(where: \.hasCompositeIdentity)
        for mapping in all {
            mapping.root.freeze(mapping.attributes)
            mapping.composite.areAnyComposite = hasComposite
            mapping.composite.refersToComposite = hasComposite && !mapping.relations.isEmpty
            mapping.composite.hasReferences = all.contains { !$0.relations.isEmpty }
            if !mapping.hasCompositeIdentity { continue }
            for slot in mapping.entity.identitySlots {
                guard let index = mapping.relation(at: slot) else { continue }
                mapping.relations[index].destination.composite.isPartOfComposite = true
            }
        }
        try checkProfile()
    }

    private func checkProfile() throws { try options.profile?.check(among: all.map(\.entity)) }
}

extension ImportProfile {
    /// - Throws: ``RecordStackError/Code/misuse`` where nothing declares anything for the profile.
    func check(among entities: [EntityDescription]) throws {
        var others: Set<String> = []
        for entity in entities {
            let declared =
                entity.attributes.map(\.options.imports) + entity.relationships.map(\.imports)
            if declared.contains(where: { $0.profiles[self] != nil }) { return }
            others.formUnion(declared.flatMap(\.profiles.keys).map(\.rawValue))
        }
        let known = others.sorted().joined(separator: ", ")
        throw RecordStackError(
            .misuse,
            "No property declares anything for the import profile “\(self)”. "
                + (known.isEmpty
                    ? "None declares a profile at all, as .imported(from: \"key\", profile: …) would."
                    : "There are: \(known)."))
    }

    /// The same for an entity and all entities that its relationships reach.
    func check(from entity: EntityDescription) throws {
        var found: [EntityDescription] = [entity]
        var known: Set = [entity.typeIdentity]
        var next = 0
        while next < found.count {
            for relationship in found[next].relationships
            where known.insert(relationship.destination.typeIdentity).inserted {
                found.append(relationship.destination)
            }
            next += 1
        }
        try check(among: found)
    }
}
