import RecordStackModel

/// A store's description of the model for which it was created.
struct StoreDescription: Decodable, Equatable {
    struct Column: Decodable, Equatable {
        let name: String
        let type: String
        let storage: String
        let isOptional: Bool
        let isUnique: Bool
        /// The collation of the index; nil without an index.
        let index: String?
        /// The destination of a relationship.
        let destination: String?
        /// Whether the inverse relationship has an order, which is kept beside the column.
        ///
        /// Nil means false.
        let isOrdered: Bool?
    }

    /// A join table.
    struct Link: Decodable, Equatable {
        struct End: Decodable, Equatable {
            let column: String
            let entity: String
            let isOrdered: Bool
        }

        let table: String
        let first: End
        let second: End
    }

    struct Entity: Decodable, Equatable {
        let name: String
        let superentity: String?
        /// The name of the table.
        let table: String
        /// The columns that the entity declares, without inherited ones.
        let columns: [Column]
        /// The columns of the entity's rules and indexes, except those that its attributes declare.
        let unique: [[String]]
        let indexed: [[String]]
    }

    let entities: [Entity]
    /// The join tables, sorted by name; nil if there are none.
    let links: [Link]?

    /// Describes a model. Everything is sorted by name, so the program's order has no effect.
    init(_ tables: TableMap) {
        let model = tables.model
        let kept = model.modelEntities.filter {
            tables.part.has(model.hierarchies[$0.hierarchy])
        }
        entities = kept.map(\.description).map { description in
            let inherited = description.superentity?.slots.count ?? 0
            let columns = description.slots.dropFirst(inherited).map { slot in
                Column(
                    name: slot.storedName, type: slot.type.name,
                    storage: slot.type.storage.rawValue, isOptional: slot.isOptional,
                    isUnique: slot.isUnique, index: slot.index?.sqlText,
                    destination: slot.relationship.map {
                        description.relationships[$0].destination.name
                    }, isOrdered: Self.isOrdered(slot, of: description, in: model))
            }
            return Entity(
                name: description.name, superentity: description.superentity?.name,
                table: description.storedName, columns: columns.sorted { $0.name < $1.name },
                unique: Self.names(
                    description.uniqueGroups.filter { group in
                        group.slots.count > 1 || !description.slots[group.slots[0]].isUnique
                    }, description),
                indexed: Self.names(description.indexGroups, description))
        }.sorted { $0.name < $1.name }
        let links = tables.keptJoinTables.compactMap { Link($0, in: model) }
        self.links = links.isEmpty ? nil : links.sorted { $0.table < $1.table }
    }

    private static func isOrdered(
        _ slot: SlotDescription, of entity: EntityDescription, in model: ManagedObjectModel
    ) -> Bool? {
        // Most models have no join tables.
        if model.joinTables.isEmpty || slot.relationship == nil { return nil }
        let isKept = model.joinTables.contains { joinTable in
            guard case .column(let slotIndex) = joinTable.storage else { return false }
            let member = model.modelEntities[joinTable.second.entity].description
            return entity.isKind(of: member)
                && entity.slots[slotIndex].storedName == slot.storedName
        }
        return isKept ? true : nil
    }

    /// Returns the columns of an entity's own groups.
    private static func names(
        _ groups: [SlotGroup], _ entity: EntityDescription
    ) -> [[String]] {
        groups.filter { $0.owner == entity.name }
            .map { $0.slots.map { entity.slots[$0].storedName } }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns the part of a program's model that the store has already, as the program writes it.
    func known(of wanted: StoreDescription) -> StoreDescription {
        StoreDescription(
            entities: entities.compactMap { old in
                wanted.entity(named: old.name).map { $0.part(knownTo: old) }
            },
            links: links.map { known in
                known.compactMap { old in wanted.links?.first { $0.table == old.table } }
            })
    }

    private init(entities: [Entity], links: [Link]?) {
        self.entities = entities
        self.links = links
    }

    /// Returns the differences between the store and a program's model, in sentences.
    ///
    /// - Parameter reasons: the reasons why columns cannot be added, by entity and column.
    func differences(
        from wanted: StoreDescription, reasons: [String: String] = [:]
    ) -> [String] {
        let mine = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        let theirs = Dictionary(uniqueKeysWithValues: wanted.entities.map { ($0.name, $0) })
        var lines: [String] = []
        for name in Set(mine.keys).union(theirs.keys).sorted() {
            switch (mine[name], theirs[name]) {
            case (let stored?, let wanted?): lines += stored.differences(from: wanted, reasons)
            case (nil, _?): lines.append("\(name) is new in the model")
            default: lines.append("\(name) is in the store only")
            }
        }
        return lines + linkDifferences(from: wanted)
    }

    private func linkDifferences(from wanted: StoreDescription) -> [String] {
        let mine = Dictionary(uniqueKeysWithValues: (links ?? []).map { ($0.table, $0) })
        let theirs = Dictionary(uniqueKeysWithValues: (wanted.links ?? []).map { ($0.table, $0) })
        return Set(mine.keys).union(theirs.keys).sorted().compactMap { name in
            switch (mine[name], theirs[name]) {
            case (let stored?, let wanted?) where stored != wanted:
                "the table \(name) is \(wanted.summary), in the store \(stored.summary)"
            case (let stored?, nil): "the table \(name) (\(stored.summary)) is in the store only"
            case (nil, let wanted?): "the table \(name) (\(wanted.summary)) is new in the model"
            default: nil
            }
        }
    }
}

extension StoreDescription.Link {
    /// Describes a join table. Nil if it only keeps an order in its members' rows.
    fileprivate init?(_ joinTable: JoinTable, in model: ManagedObjectModel) {
        guard case .table(let name) = joinTable.storage else { return nil }
        table = name
        first = End(joinTable.first, in: model)
        second = End(joinTable.second, in: model)
    }

    fileprivate var summary: String {
        "\(first.isOrdered ? "an ordered" : "a") relation of \(first.entity) to \(second.entity)"
            + (second.isOrdered ? ", ordered on both sides" : "")
    }
}

extension StoreDescription.Link.End {
    fileprivate init(_ end: JoinTable.End, in model: ManagedObjectModel) {
        column = end.column
        entity = model.modelEntities[end.entity].name
        isOrdered = end.isOrdered
    }
}

extension StoreDescription.Entity {
    fileprivate func part(knownTo old: Self) -> Self {
        let names = Set(old.columns.map(\.name))
        return Self(
            name: name, superentity: superentity, table: table,
            columns: columns.filter { names.contains($0.name) }, unique: unique, indexed: indexed)
    }

    fileprivate func differences(from wanted: Self, _ reasons: [String: String]) -> [String] {
        var lines: [String] = []
        if superentity != wanted.superentity {
            lines.append(
                "\(name) inherits from \(wanted.superentity ?? "nothing"), in the store from "
                    + (superentity ?? "nothing"))
        }
        if table != wanted.table {
            lines.append("\(name) is stored in \(wanted.table), in the store in \(table)")
        }
        lines += Self.differences("unique", name, unique, wanted.unique)
        lines += Self.differences("indexed", name, indexed, wanted.indexed)
        let mine = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0) })
        let theirs = Dictionary(uniqueKeysWithValues: wanted.columns.map { ($0.name, $0) })
        for column in Set(mine.keys).union(theirs.keys).sorted() {
            switch (mine[column], theirs[column]) {
            case (let stored?, let wanted?) where stored != wanted:
                lines.append(
                    "\(name).\(column) is \(wanted.summary), in the store \(stored.summary)")
            case (nil, _?):
                let reason = reasons["\(name).\(column)"].map { ", and \($0)" } ?? ""
                lines.append("\(name).\(column) is new in the model\(reason)")
            case (_?, nil): lines.append("\(name).\(column) is in the store only")
            default: break
            }
        }
        return lines
    }

    private static func differences(
        _ rule: String, _ name: String, _ stored: [[String]], _ wanted: [[String]]
    ) -> [String] {
        let added = wanted.filter { !stored.contains($0) }.map {
            "\(name) is \(rule) by \($0.joined(separator: ", ")), in the store it is not"
        }
        return added
            + stored.filter { !wanted.contains($0) }.map {
                "\(name) is \(rule) by \($0.joined(separator: ", ")) in the store only"
            }
    }
}

extension StoreDescription.Column {
    var summary: String {
        let rules = [
            isOptional ? "optional" : nil, isUnique ? "unique" : nil,
            index.map { $0 == Collation.binary.sqlText ? "indexed" : "indexed by \($0)" },
            isOrdered == true ? "ordered at the other side" : nil,
        ].compactMap { $0 }
        return ([destination.map { "a reference to \($0)" } ?? type] + rules).joined(separator: " ")
    }
}
