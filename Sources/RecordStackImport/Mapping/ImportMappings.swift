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

    /// Returns the mapping of an entity, created if necessary.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format
    ///   that is not valid.
    func mapping(of entity: EntityDescription) throws -> ImportMapping {
        if let mapping = known[entity.typeIdentity] { return mapping }
        let mapping = try ImportMapping(entity: entity, options, hooks)
        // The mapping is stored before its relationships are added, because destinations
        // may refer back.
        known[entity.typeIdentity] = mapping
        try mapping.addRelations { try self.mapping(of: $0) }
        return mapping
    }

    /// Returns the relation at the location of a forward reference.
    func relation(at location: ForwardReference.Location) -> ImportMapping.Relation? {
        let mapping = known.values.first { $0.entity.name == location.entity }
        return mapping?.relations[location.relation]
    }

    /// Whether an absent key clears any relationship.
    var clearsAbsent: Bool {
        all.contains { $0.relations.contains { $0.rules.absent != .leave } }
    }

    /// Completes the mappings with the facts that depend on all mappings.
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
    /// Checks that some property of the entities declares something for the profile.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if no property does.
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

    /// Checks the profile for an entity and all entities that its relationships reach.
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
