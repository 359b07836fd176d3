/// Connects the entities of a model and rejects declarations that do not fit together.
struct ModelResolver {
    let entities: [EntityDescription]
    let stores: StoreAssignment
    var modelEntities: [ModelEntity] = []
    var hierarchies: [Hierarchy] = []
    var relations: [ModelRelation] = []
    var joinTables: [JoinTable] = []
    let indexes: IdentityTable
    /// The entities' names.
    private(set) var names = NameTable()

    init(entities: [EntityDescription], stores: StoreAssignment) {
        self.entities = entities
        self.stores = stores
        indexes = IdentityTable(entities.map(\.typeIdentity))
    }

    mutating func resolve() throws {
        var tables = TableNames()
        try checkEntityNames(&tables)
        assignHierarchies()
        try assignStores()
        try checkAbstractEntities()
        try resolveRelationships()
        for index in entities.indices { collectReferences(from: index) }
        for index in entities.indices { collectDeletionRules(of: index) }
        try makeJoinTables(&tables)
        for hierarchy in hierarchies {
            try checkColumns(of: hierarchy)
            try checkWidth(of: hierarchy)
        }
    }

    /// The names of tables, with their owners.
    ///
    /// Names that differ only in case count as equal.
    struct TableNames {
        private var names = NameTable()
        private var owners: [String] = []

        /// - Returns: the owner that already has the name; nil if the name is new.
        mutating func insert(_ name: String, of owner: String) -> String? {
            if let other = names.insert(name.lowercased()) { return owners[other] }
            owners.append(owner)
            return nil
        }
    }

    private mutating func checkEntityNames(_ tables: inout TableNames) throws {
        for entity in entities {
            if let problem = entity.problems.first { throw Self.misuse(entity, problem) }
            // Names are part of the URIs of objects. Unicode scalars, because a slash and a
            // combining mark after it are one Character.
            if entity.name.isEmpty
                || entity.name.unicodeScalars.contains(where: {
                    $0 == "/" || $0 == ":" || $0 == "\0"
                })
            {
                throw Self.misuse(
                    entity,
                    "An entity cannot be named “\(entity.name)”. Write a name that is not empty and "
                        + "has no /, no : and no NUL.")
            }
            if names.insert(entity.name) != nil {
                throw Self.misuse(
                    entity, "Two entities are named \(entity.name). Rename one of them.")
            }
            try checkPropertyNames(of: entity)
            try checkRules(of: entity)
            if entity.superentity == nil { try checkTable(of: entity, &tables) }
        }
    }

    /// Checks that the property names of an entity are distinct and not empty.
    ///
    /// Values and messages use these names, even if a column has another name.
    private func checkPropertyNames(of entity: EntityDescription) throws {
        var names = NameTable()
        for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
            if name.isEmpty {
                throw Self.misuse(
                    entity, "A property of \(entity.name) has an empty name. Give it one.")
            }
            if names.insert(name) != nil {
                throw Self.misuse(
                    entity,
                    "Two properties of \(entity.name) are named \(name). Rename one of them.",
                    property: name)
            }
        }
    }

    private func checkRules(of entity: EntityDescription) throws {
        for attribute in entity.attributes {
            guard let problem = attribute.problems.first else { continue }
            throw Self.misuse(
                entity, "\(entity.name).\(attribute.name) \(problem)", property: attribute.name)
        }
    }

    private func checkTable(
        of entity: EntityDescription, _ tables: inout TableNames
    ) throws {
        let table = entity.storedName
        if Self.isReserved(table) || Self.belongsToSQLite(table) {
            throw Self.misuse(
                entity,
                "\(entity.name) would be stored in a table named “\(table)”: names that are empty, "
                    + "have a NUL, or begin with an underscore, sqlite_ or pragma_, and json_each and "
                    + "json_tree are reserved. Give the table another name with @Entity(.stored(as:))."
            )
        }
        if let other = tables.insert(table, of: entity.name) {
            throw Self.misuse(
                entity,
                "\(other) and \(entity.name) would share the table \(table), because names that differ "
                    + "in case alone, or in how Unicode writes a letter, are one. Give one of them another name with "
                    + "@Entity(.stored(as:)).")
        }
    }

    private mutating func assignHierarchies() {
        var hierarchyOfEntity = [Int](repeating: -1, count: entities.count)
        for (index, entity) in entities.enumerated() {
            let root = entity.root
            // Completing a model adds every superentity, so the root is in the model.
            let rootIndex = indexes[root.typeIdentity]!
            if hierarchyOfEntity[rootIndex] < 0 {
                hierarchyOfEntity[rootIndex] = hierarchies.count
                hierarchies.append(
                    Hierarchy(index: hierarchies.count, root: rootIndex, entities: []))
            }
            let hierarchy = hierarchyOfEntity[rootIndex]
            hierarchies[hierarchy].entities.append(index)
            modelEntities.append(
                ModelEntity(index: index, description: entity, hierarchy: hierarchy))
        }
        for index in entities.indices {
            modelEntities[index].kinds = entities.indices.filter {
                entities[$0].isKind(of: entities[index])
            }
        }
    }

    private mutating func collectReferences(from index: Int) {
        for relationship in entities[index].relationships {
            // An inherited relationship is counted once, for the entity that declares it.
            guard let slot = relationship.slot,
                slot >= (entities[index].superentity?.slots.count ?? 0)
            else { continue }
            let destination = modelEntities[index].relationships[relationship.index].destination
            let reference = ModelReference(
                entity: index, slot: slot, relationship: relationship.index)
            let related = entities.indices.filter {
                entities[$0].isKind(of: entities[destination])
                    || entities[destination].isKind(of: entities[$0])
            }
            for entity in related { modelEntities[entity].references.append(reference) }
        }
    }

    private func checkColumns(of hierarchy: Hierarchy) throws {
        var columns = NameTable()
        for index in hierarchy.entities {
            let inherited = entities[index].superentity?.slots.count ?? 0
            for slot in entities[index].slots.dropFirst(inherited) {
                if Self.isReserved(slot.storedName) {
                    throw Self.misuse(
                        entities[index],
                        "\(entities[index].name).\(slot.name) is stored as \(slot.storedName): "
                            + "names that are empty, have a NUL or begin with an underscore are reserved. "
                            + "Give it another with .stored(as:).", property: slot.name)
                }
                let key = slot.storedName.lowercased()
                if let column = columns.insert(key) {
                    let other = owner(ofColumn: column, in: hierarchy)
                    throw Self.misuse(
                        entities[index],
                        "\(entities[index].name).\(slot.name) and \(other.entity).\(other.property)"
                            + " would share the column \(slot.storedName), because names that differ in "
                            + "case alone, or in how Unicode writes a letter, are one. Give one of "
                            + "them another name with .stored(as:).", property: slot.name)
                }
            }
        }
    }

    /// Returns the entity and the property of a hierarchy's column.
    private func owner(
        ofColumn column: Int, in hierarchy: Hierarchy
    ) -> (entity: String, property: String) {
        let all = hierarchy.entities.flatMap { index in
            let inherited = entities[index].superentity?.slots.count ?? 0
            return entities[index].slots.dropFirst(inherited).map {
                (entities[index].name, $0.name)
            }
        }
        return all[column]
    }

    /// Checks that the table is not wider than SQLite allows.
    private func checkWidth(of hierarchy: Hierarchy) throws {
        let own = hierarchy.entities.count > 1 ? 3 : 2
        let width = hierarchy.entities.reduce(0) { width, index in
            width + entities[index].slots.count - (entities[index].superentity?.slots.count ?? 0)
        }
        if width + own <= Self.mostColumns { return }
        let root = entities[hierarchy.root]
        let whose = hierarchy.entities.count > 1 ? "\(root.name) and its subentities" : root.name
        throw Self.misuse(
            root,
            "\(whose) would have \(width) attributes and to-one relationships in one table, which has room "
                + "for \(Self.mostColumns - own). Move some to an entity of their own, or keep them "
                + "in a Codable value.")
    }

    private static var mostColumns: Int { 2_000 }

    static func isReserved(_ name: String) -> Bool {
        name.isEmpty || name.utf8.first == UInt8(ascii: "_") || name.utf8.contains(0)
    }

    /// Whether a table's name is reserved by SQLite.
    ///
    /// SQLite refuses names with its own prefix. A table with the name of a table-valued function
    /// would hide the function, which the store's queries use.
    static func belongsToSQLite(_ table: String) -> Bool {
        let name = table.lowercased().utf8
        return name.starts(with: "sqlite_".utf8) || name.starts(with: "pragma_".utf8)
            || name.elementsEqual("json_each".utf8) || name.elementsEqual("json_tree".utf8)
    }

    static func misuse(
        _ entity: EntityDescription, _ message: String, property: String? = nil
    ) -> RecordStackError {
        RecordStackError(.misuse, message, entity: entity.name, property: property)
    }
}
