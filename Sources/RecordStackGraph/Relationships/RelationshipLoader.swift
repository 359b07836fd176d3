import RecordStackModel

/// Loads the objects of relationships.
///
/// It also loads objects that the program will probably use next, and keeps them alive until then.
final class RelationshipLoader: ContextPart {
    /// The number of times that the members of a single owner were loaded, by relationship.
    private var memberLoads: [Int: Int] = [:]
    /// The number of times that a single fault was loaded, by entity.
    var faultLoads: [Int: Int] = [:]
    /// The number of single loads since the last fetch, counted only for strict loading.
    var singleLoads: [SingleLoad: Int] = [:]
    /// The to-one relationship that created the last fault.
    var faultOrigin: FaultOrigin?
    /// The owners whose members were loaded together, by relationship, until the next operation.
    private var batches: [Int: [MemberBatch]] = [:]
    /// The placeholder objects for rows that are gone, until the next operation.
    ///
    /// A collection returns the same placeholder object each time.
    var placeholders: [PlaceholderKey: ManagedObject] = [:]
    /// The response to objects that are loaded one by one.
    var strictLoading = StrictLoading.off
    /// The objects that were prefetched for requests whose results may still be in use.
    private var prefetched: [PrefetchedObjects] = []

    /// Releases the objects that property reads have loaded since the last operation.
    @inline(__always)
    func forgetBatches() {
        if !batches.isEmpty { batches = [:] }
    }

    @inline(__always)
    func forgetPlaceholders() {
        if !placeholders.isEmpty { placeholders = [:] }
    }

    /// Restarts the count of single loads when a fetch begins.
    func beginCountingSingleLoads() {
        if !singleLoads.isEmpty { singleLoads = [:] }
    }
}

// MARK: Prefetching

extension RelationshipLoader {
    /// The largest number of prefetches to keep alive.
    ///
    /// The objects of older prefetches live only as long as the program references them.
    private static let mostPrefetches = 64

    func keep(_ objects: PrefetchedObjects) {
        if prefetched.count == Self.mostPrefetches { prefetched.removeFirst() }
        prefetched.append(objects)
    }

    func forgetPrefetched() { prefetched = [] }

    /// Releases the objects that were prefetched for results that nothing references.
    func releasePrefetched() {
        for index in prefetched.indices.reversed() {
            let table = tables[prefetched[index].hierarchy]
            if !prefetched[index].isWanted(in: table) { prefetched.remove(at: index) }
        }
    }
}

// MARK: Members

extension RelationshipLoader {
    /// Loads the keys of a to-many relationship's members, and keeps them up to date.
    ///
    /// If a program reads the members owner by owner, the call also loads those of other owners
    /// that the context holds, more of them each time.
    func loadMembers(of owner: ManagedObject, _ relationship: Int) throws -> MemberKeys {
        let model = coordinator.model
        let entity = entityIndex(of: owner)
        let known = model.modelEntities[entity].relationships[relationship]
        if owner.has(ObjectFlags.deleted) { return MemberKeys(isOrdered: false) }
        // No other context can have related an object to an owner that is not stored.
        let isStored = owner.has(ObjectFlags.stored)
        let siblings = siblings(of: owner, relationship, known.relation)
        // In the order of their keys, in which the store delivers them.
        let owners =
            siblings.isEmpty ? [owner] : ([owner] + siblings).sorted { $0.keyValue < $1.keyValue }
        let lists = try MemberLists(
            context: context, relationship: known, owners: owners.map(\.keyValue),
            isStored: isStored)
        lists.give(to: owners, relationship)
        loadedMembers.add(owners, known.relation)
        if !siblings.isEmpty {
            batches[known.relation, default: []].append(MemberBatch(owners: owners))
        }
        return owner.record.members[relationship] ?? lists[owner.keyValue]
    }

    /// Returns further owners whose members are loaded together with those of one owner.
    ///
    /// They are of the same entity as the owner, and their members are not loaded. They are stored
    /// if the owner is stored, and new if it is new. The first call returns none, the next one up
    /// to eight, and each further call up to eight times as many. Loading the members of new owners
    /// reads nothing, but it searches all unsaved changes.
    private func siblings(
        of owner: ManagedObject, _ relationship: Int, _ relation: Int
    ) -> [ManagedObject] {
        let stored = owner.bits & ObjectFlags.stored
        if stored != 0 {
            noteSingleLoad(
                .toMany(entity: entityIndex(of: owner), relationship: relationship))
        }
        let counter = stored != 0 ? relation : ~relation
        let loads = memberLoads[counter, default: 0]
        memberLoads[counter] = loads + 1
        if loads == 0 { return [] }
        let wanted = 1 << min(loads * 3, 18)
        let type = Swift.type(of: owner)
        let found = table(of: entityIndex(of: owner)).map.neighbours(
            of: owner.keyValue, limit: wanted
        ) { object in
            Swift.type(of: object) == type && object !== owner
                && object.bits & (ObjectFlags.stored | ObjectFlags.deleted) == stored
                && object.recordValue?.members.contains(relationship) != true
        }
        // Hardly any owners are left, so the next one is loaded alone again.
        if found.count * 8 < wanted { memberLoads[counter] = 0 }
        return found
    }

    /// Returns the objects with members' keys, and loads the missing ones with one statement.
    ///
    /// The statement also loads the members of other owners whose keys were loaded with these.
    func members(
        _ keys: ContiguousArray<Int64>, of owner: ManagedObject, _ relationship: Int
    ) throws -> [ManagedObject] {
        let known = model.modelEntities[entityIndex(of: owner)]
            .relationships[relationship]
        let table = table(of: known.destination)
        var missing = ContiguousArray(keys.filter { table.object($0).map(\.isFault) ?? true })
        if missing.isEmpty { return keys.compactMap { table.object($0) } }
        let batchIndex = batches[known.relation]?.firstIndex { $0.contains(owner) }
        if let batchIndex, let batch = batches[known.relation]?[batchIndex] {
            addMissing(to: &missing, of: relationship, batch, in: table)
        }
        let sink = FetchSink(
            context: context, entity: known.destination, skipsDiffering: true,
            expected: missing.count)
        try context.withReader { reader in
            try reader.rows(
                .keys(Array(missing), entity: coordinator.rootEntity(of: known.destination)),
                into: sink)
        }
        // Kept alive until the caller has the objects, and in a batch until the next operation.
        let held = sink.takeResults(as: ManagedObject.self)
        if let batchIndex { batches[known.relation]?[batchIndex].members += held }
        return withExtendedLifetime(held) { keys.compactMap { table.object($0) } }
    }

    private func addMissing(
        to missing: inout ContiguousArray<Int64>, of relationship: Int, _ batch: MemberBatch,
        in table: EntityTable
    ) {
        var seen = Set(missing)
        for owner in batch.owners where missing.count < MemberBatch.mostMembers {
            for key in owner.recordValue?.members.keys(relationship) ?? []
            where table.object(key).map(\.isFault) ?? true {
                if seen.insert(key).inserted { missing.append(key) }
            }
        }
    }

    /// Returns true if two objects have a join row.
    ///
    /// Runs one statement unless the answer is known.
    func areLinked(
        _ owner: ManagedObject, _ member: ManagedObject, _ side: LinkSide
    ) throws -> Bool {
        if let known = owner.recordValue?.members[side.relationship] {
            return known.contains(member.keyValue)
        }
        let joinRow = JoinRow(owner.keyValue, member.keyValue, from: side.end)
        for context in context.chain {
            switch context.joinRowEdits.links[side.joinTable.index][joinRow]?.kind {
            case .added: return true
            case .removed: return false
            // A move does not show whether the row exists.
            case .moved, nil: continue
            }
        }
        let areStored = owner.has(ObjectFlags.stored) && member.has(ObjectFlags.stored)
        if !areStored { return false }
        return try context.withReader { try $0.hasLink(joinRow, in: side.joinTable.index) }
    }

    /// Returns the number of members, without loading their keys if the store can count them.
    func countMembers(of owner: ManagedObject, _ relationship: Int) throws -> Int {
        let entity = entityIndex(of: owner)
        let known = model.modelEntities[entity].relationships[relationship]
        let isPlain =
            !owner.has(ObjectFlags.deleted) && owner.has(ObjectFlags.stored)
            && !table(of: known.destination).hasDiffering
            && !(known.joinTable.map(context.joinRowEdits.hasEdits) ?? false)
        guard isPlain, let source = source(of: known) else {
            return try loadMembers(of: owner, relationship).keys.count
        }
        let request = MemberRequest(source: source, owners: [owner.keyValue])
        return try context.withReader { try $0.memberCount(request) }
    }

    func source(of relationship: ModelRelationship) -> MemberRequest.Source? {
        switch relationship.storage {
        case .key: nil
        case .members(let slot, let order):
            .slot(slot, of: relationship.destination, isOrdered: order != nil)
        case .links(let index, let end):
            .links(index, end, isOrdered: model.joinTables[index].end(end).isOrdered)
        }
    }
}

/// Owners whose members were loaded together.
///
/// A loop over the owners reaches all of them, so the batch keeps the loaded members alive until
/// then.
struct MemberBatch {
    let owners: [ManagedObject]
    private let keys: Set<Int64>
    var members: [ManagedObject] = []

    /// The number of members in a statement after which no further owner is included.
    static let mostMembers = 32_768

    init(owners: [ManagedObject]) {
        self.owners = owners
        keys = Set(owners.map(\.keyValue))
    }

    func contains(_ owner: ManagedObject) -> Bool { keys.contains(owner.keyValue) }
}

extension ModelRelationship {
    /// The index of the join table that keeps the relationship or its order.
    var joinTable: Int? {
        switch storage {
        case .key: nil
        case .members(_, let order): order
        case .links(let index, _): index
        }
    }
}
