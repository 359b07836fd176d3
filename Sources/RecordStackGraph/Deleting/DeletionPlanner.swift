import RecordStackModel

/// Finds the effects of deleting objects, in the operation that is under way.
///
/// If the object of a row is not registered, the planner reads only the key of the row. It loads
/// such a row only if a rule needs its values. It runs one statement for each relationship and
/// level, however many objects there are.
struct DeletionPlanner {
    struct Entry {
        let entity: Int
        let key: Int64
        /// The row's version; nil if the object is not stored or has the right version itself.
        let version: RowVersion?
        var object: ManagedObject?
    }

    let context: ManagedObjectContext
    private(set) var entries: [Entry] = []
    private(set) var nullified: [(object: ManagedObject, slot: Int)] = []
    private(set) var denials: [DeletionPlan.Denial] = []
    /// The keys of the objects to delete, by hierarchy.
    private(set) var marked: [Int: Set<Int64>] = [:]

    private var model: ManagedObjectModel { context.coordinator.model }

    /// Plans a deletion.
    ///
    /// - Parameter roots: the objects to delete, as registered objects of the context or as keys.
    init(context: ManagedObjectContext, deleting roots: [Entry]) throws {
        self.context = context
        add(roots)
        var start = 0
        while start < entries.count {
            let level = start..<entries.count
            start = entries.count
            for (entity, owners) in owners(among: level, with: { !$0.cascades.isEmpty }) {
                for relationship in model.modelEntities[entity].deletion.cascades {
                    add(try related(relationship, of: owners))
                }
            }
        }
        for (entity, owners) in owners(among: entries.indices, with: { !$0.denials.isEmpty }) {
            for relationship in model.modelEntities[entity].deletion.denials {
                try check(relationship, of: owners)
            }
        }
        try findReferences()
    }

    /// Returns the entries whose entities have delete rules of a kind, grouped by entity.
    private func owners(
        among indexes: Range<Int>, with isRuled: (DeletionRules) -> Bool
    ) -> [(entity: Int, owners: [Entry])] {
        var groups: [(entity: Int, owners: [Entry])] = []
        for index in indexes {
            let entity = entries[index].entity
            if let last = groups.indices.last, groups[last].entity == entity {
                groups[last].owners.append(entries[index])
            } else if isRuled(model.modelEntities[entity].deletion) {
                if let group = groups.firstIndex(where: { $0.entity == entity }) {
                    groups[group].owners.append(entries[index])
                } else {
                    groups.append((entity, [entries[index]]))
                }
            }
        }
        return groups
    }

    private func isMarked(_ entry: Entry) -> Bool {
        marked[model.modelEntities[entry.entity].hierarchy]?.contains(entry.key) == true
    }

    private mutating func add(_ found: [Entry]) {
        var index = 0
        while index < found.count {
            let hierarchy = model.modelEntities[found[index].entity].hierarchy
            var keys = marked.removeValue(forKey: hierarchy) ?? []
            while index < found.count,
                model.modelEntities[found[index].entity].hierarchy == hierarchy
            {
                if keys.insert(found[index].key).inserted { entries.append(found[index]) }
                index += 1
            }
            marked[hierarchy] = keys
        }
    }

    private mutating func check(_ relationship: Int, of owners: [Entry]) throws {
        if try related(relationship, of: owners).allSatisfy(isMarked) { return }
        for owner in owners {
            let blockers = try related(relationship, of: [owner]).filter { !isMarked($0) }
            if blockers.isEmpty { continue }
            denials.append(
                DeletionPlan.Denial(
                    objectID: id(of: owner),
                    property: model.modelEntities[owner.entity].description
                        .relationships[relationship].name, blockers: blockers.map(id)))
        }
    }

    private func id(of entry: Entry) -> ManagedObjectID {
        context.coordinator.objectID(entity: entry.entity, key: entry.key)
    }

    var plan: DeletionPlan {
        DeletionPlan(
            deletedIDs: entries.map(id),
            nullifications: nullified.map { object, slot in
                DeletionPlan.Nullification(
                    objectID: object.objectID,
                    property: type(of: object).entityDescription.slots[slot].name)
            }, denials: denials)
    }
}

// MARK: Objects to delete

extension DeletionPlanner {
    static func entry(_ object: ManagedObject, _ context: ManagedObjectContext) -> Entry {
        Entry(
            entity: context.entityIndex(of: object), key: object.keyValue, version: nil,
            object: object)
    }

    /// Returns the objects of a request, and loads only those that are compared in memory.
    static func roots(
        of request: StoreRequest, _ context: ManagedObjectContext, _ reader: any StoreReader
    ) throws -> [Entry] {
        guard context.queries.differs(in: request) else { return try ask(request, reader, context) }
        let view = try PendingView(context: context, request: request, reader: reader)
        if request.limit != nil || request.offset != 0 {
            return try view.objects().map { entry($0, context) }
        }
        return try context.sorted(view.matching(), by: request.sort).map { entry($0, context) }
            + view.stored.flatMap { try ask($0, reader, context) }
    }
}

// MARK: Related objects

extension DeletionPlanner {
    private func related(_ index: Int, of owners: [Entry]) throws -> [Entry] {
        // All owners are of one entity.
        let relationship = model.modelEntities[owners[0].entity].relationships[index]
        switch relationship.storage {
        case .key:
            // A to-one relationship has a slot.
            let slot = relationship.slot!
            let keys = try loaded(owners).map { $0.storedKey(at: slot) }.filter { $0 != 0 }
            return try entries(of: keys, entity: relationship.destination)
        case .members(let slot, _):
            return try rows(
                of: relationship.destination, referringTo: owners.map(\.key), by: slot)
        case .links:
            let lists = try MemberLists(
                context: context, relationship: relationship, owners: owners.map(\.key),
                isStored: true)
            let keys = owners.flatMap { lists[$0.key].keys }
            return try entries(of: keys, entity: relationship.destination)
        }
    }

    /// Returns the objects of the owners, with their values.
    private func loaded(_ owners: [Entry]) throws -> [ManagedObject] {
        let missing = owners.filter { $0.object?.isFault ?? true }
        if missing.isEmpty { return owners.compactMap(\.object) }
        let fetched = try context.queries.fetch(
            .keys(missing.map(\.key), entity: context.coordinator.rootEntity(of: owners[0].entity)),
            as: ManagedObject.self)
        return owners.compactMap(\.object).filter { !$0.isFault } + fetched
    }

    /// Returns the objects whose to-one relationship refers to one of the owners.
    private func rows(of entity: Int, referringTo owners: [Int64], by slot: Int) throws -> [Entry] {
        let path = FilterPath(slot: slot)
        let request = StoreRequest(
            entity: entity,
            filter: owners.count == 1
                ? .compare(path, .equal, .integer(owners[0]))
                : .among(path, owners.map { .integer($0) }))
        if !context.table(of: entity).hasDiffering { return try ask(request) }
        return try context.withReader { reader in
            let view = try PendingView(context: context, request: request, reader: reader)
            return try view.stored.flatMap { try Self.ask($0, reader, context) }
                + view.matching().map(entry)
        }
    }

    private func entry(_ object: ManagedObject) -> Entry { Self.entry(object, context) }

    /// Returns the existing objects with some keys, in the order of the keys.
    private func entries(of keys: [Int64], entity: Int) throws -> [Entry] {
        let table = context.table(of: entity)
        var known: [Int64: Entry] = [:]
        var asked: [Int64] = []
        for key in Set(keys) {
            if let object = table.object(key) {
                if object.has(ObjectFlags.deleted) { continue }
                if !object.isFault {
                    known[key] = entry(object)
                    continue
                }
            } else if context.isKnownToBeGone(key: key, entity: entity) {
                continue
            }
            asked.append(key)
        }
        if !asked.isEmpty {
            let root = context.coordinator.rootEntity(of: entity)
            for entry in try ask(.keys(asked.sorted(), entity: root)) { known[entry.key] = entry }
        }
        var seen: Set<Int64> = []
        return keys.filter { seen.insert($0).inserted }.compactMap { known[$0] }
    }

    /// Returns the rows of a request without loading them.
    private func ask(_ request: StoreRequest) throws -> [Entry] {
        try context.withReader { try Self.ask(request, $0, context) }
    }

    private static func ask(
        _ request: StoreRequest, _ reader: any StoreReader, _ context: ManagedObjectContext
    ) throws -> [Entry] {
        let sink = EntrySink(context: context)
        try reader.keys(request, into: sink)
        return sink.entries
    }

    /// Finds the remaining objects that refer to deleted ones, and loads them, because they change.
    private mutating func findReferences() throws {
        let owners = owners(among: entries.indices) { !$0.clearedReferences.isEmpty }
        for (entity, owners) in owners {
            for reference in model.modelEntities[entity].deletion.clearedReferences {
                try findReferences(reference, to: owners)
            }
        }
    }

    private mutating func findReferences(_ reference: ModelReference, to owners: [Entry]) throws {
        let path = FilterPath(slot: reference.slot)
        var filter: Filter.Node =
            owners.count == 1
            ? .compare(path, .equal, .integer(owners[0].key))
            : .among(path, owners.map { .integer($0.key) })
        let hierarchy = model.modelEntities[reference.entity].hierarchy
        if let gone = marked[hierarchy], gone.count > 1 || owners.count > 1 {
            let keys = FilterPath(slot: FilterPath.keySlot)
            filter = .and(filter, .not(.among(keys, gone.sorted().map { .integer($0) })))
        }
        let request = StoreRequest(entity: reference.entity, filter: filter)
        for object in try context.queries.fetch(request, as: ManagedObject.self)
        where !isMarked(entry(object)) {
            nullified.append((object, reference.slot))
        }
    }
}

/// Collects the keys, versions and entities of rows.
private final class EntrySink: RowSink {
    let context: ManagedObjectContext
    var entries: [DeletionPlanner.Entry] = []

    init(context: ManagedObjectContext) {
        self.context = context
    }

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        entries.append(
            DeletionPlanner.Entry(
                entity: entity, key: key, version: version,
                object: context.table(of: entity).object(key)))
        return false
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {}
}
