import RecordStackModel

/// The columns of the tables that hold each entity's slots.
struct TableMap: Sendable {
    struct Column: Sendable {
        let name: String
        let slot: SlotDescription
        /// The entity that declares the slot, and below it the slot's index in that entity.
        let entity: Int
        let index: Int
    }

    struct Table: Sendable {
        let name: String
        let hierarchy: Hierarchy
        /// The columns after the system columns, those of the root entity first.
        let columns: [Column]
        var isPolymorphic: Bool { hierarchy.isPolymorphic }
    }

    let model: ManagedObjectModel
    /// The part of the model that the store keeps.
    let part: StorePart
    /// The tables of all hierarchies, including those that another store keeps.
    let tables: [Table]
    /// For each entity, the index in its table of each slot's column.
    let columnsOfSlots: [[Int]]

    init(model: ManagedObjectModel, part: StorePart = .everything) {
        self.model = model
        self.part = part
        var columnsOfSlots: [[Int]] = Array(repeating: [], count: model.modelEntities.count)
        tables = model.hierarchies.map { hierarchy in
            var columns: [Column] = []
            // A superentity precedes its subentities, whatever the order of the model.
            let entities = hierarchy.entities.sorted {
                Self.depth(of: $0, in: model) < Self.depth(of: $1, in: model)
            }
            for entity in entities {
                let description = model.modelEntities[entity].description
                let inherited = description.superentity.flatMap { model.index(of: $0) }
                var columnIndexes = inherited.map { columnsOfSlots[$0] } ?? []
                for (index, slot) in description.slots.enumerated().dropFirst(columnIndexes.count) {
                    columnIndexes.append(columns.count)
                    columns.append(
                        Column(name: slot.storedName, slot: slot, entity: entity, index: index))
                }
                columnsOfSlots[entity] = columnIndexes
            }
            return Table(
                name: model.modelEntities[hierarchy.root].description.storedName,
                hierarchy: hierarchy,
                columns: columns)
        }
        self.columnsOfSlots = columnsOfSlots
    }

    private static func depth(of entity: Int, in model: ManagedObjectModel) -> Int {
        var depth = 0
        var current = model.modelEntities[entity].description.superentity
        while let next = current {
            depth += 1
            current = next.superentity
        }
        return depth
    }

    /// The tables that the store has.
    var kept: [Table] { tables.filter { part.has($0.hierarchy) } }

    /// The join tables that the store keeps. A join table never relates objects of two stores.
    var keptJoinTables: [JoinTable] {
        model.joinTables.filter { joinTable in
            part.has(model.hierarchies[model.modelEntities[joinTable.first.entity].hierarchy])
        }
    }

    func table(of entity: Int) -> Table { tables[model.modelEntities[entity].hierarchy] }

    func width(of entity: Int) -> Int { columnsOfSlots[entity].count }

    func columnName(entity: Int, slot: Int) -> String {
        slot == FilterPath.keySlot
            ? SystemColumn.key : table(of: entity).columns[columnsOfSlots[entity][slot]].name
    }

    /// Returns the columns of a table that keep positions in the order of a relationship.
    func positionColumns(of table: Table) -> [String] {
        model.joinTables.compactMap { joinTable in
            guard case .column(let slot) = joinTable.storage,
                model.modelEntities[joinTable.second.entity].hierarchy == table.hierarchy.index
            else { return nil }
            return positionColumn(entity: joinTable.second.entity, slot: slot)
        }
    }

    /// Returns the column that keeps a member's position in the order of its owner's relationship.
    ///
    /// No property's column begins with an underscore.
    func positionColumn(entity: Int, slot: Int) -> String {
        "_\(columnName(entity: entity, slot: slot))_position"
    }

    /// Whether the entity shares its table with rows of entities that are not its kinds.
    func needsEntityFilter(_ entity: Int) -> Bool {
        model.modelEntities[entity].kinds.count < table(of: entity).hierarchy.entities.count
    }

    /// Returns the entities whose rows are requested; nil if these are all entities of the table.
    func wantedKinds(of request: StoreRequest) -> [Int]? {
        let kinds = model.kinds(of: request)
        return kinds.count < table(of: request.entity).hierarchy.entities.count ? kinds : nil
    }
}
