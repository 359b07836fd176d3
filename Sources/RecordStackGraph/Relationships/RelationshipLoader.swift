import RecordStackModel

/// Loads what relationships refer to, and keeps what is loaded along until somebody may have come to it.
final class RelationshipLoader: ContextPart {
    /// How often members were loaded one owner at a time, by relationship.
    private var memberLoads: [Int: Int] = [:]
    /// How often faults were loaded one by one, by entity.
    var faultLoads: [Int: Int] = [:]
    /// How often it was done since the last fetch, where that is of interest.
    var singleLoads: [SingleLoad: Int] = [:]
    /// Where the last fault came from that a to-one relationship made.
    var faultOrigin: FaultOrigin?
    /// The owners whose members were loaded together, by relationship, until the next operation.
    private var batches: [Int: [MemberBatch]] = [:]
    /// Objects that stand for rows which are gone, until the next operation: a collection shows the same one each time.
    var placeholders: [PlaceholderKey: ManagedObject] = [:]
    /// What is done when objects are loaded one by one.
    var strictLoading = StrictLoading.off
    /// What was loaded along with requests whose objects somebody may still hold.
    private var prefetched: [PrefetchedObjects] = []

    /// Lets go of what was loaded for the properties that were read since the last operation.
    @inline(__always)
    func forgetBatches() {
        if !batches.isEmpty { batches = [:] }
    }

    @inline(__always)
    func forgetPlaceholders() {
        if !placeholders.isEmpty { placeholders = [:] }
    }

    /// A fetch begins: objects that are loaded one by one from now on are its own.
    func beginCountingSingleLoads() {
        if !singleLoads.isEmpty { singleLoads = [:] }
    }
}

// MARK: Prefetching

extension RelationshipLoader {
    /// What older requests have loaded along is held by the program alone.
    private static let mostPrefetches = 64

    func keep(_ objects: PrefetchedObjects) {
        if prefetched.count == Self.mostPrefetches { prefetched.removeFirst() }
        prefetched.append(objects)
    }

    func forgetPrefetched() { prefetched = [] }

    /// Lets go of what was loaded along with objects that nobody holds any more.
    func releasePrefetched() {
        for index in prefetched.indices.reversed() {
            let table = tables[prefetched[index].hierarchy]
            if !prefetched[index].isWanted(in: table) { prefetched.remove(at: index) }
        }
    }
}

// MARK: Members

extension RelationshipLoader {
    /// Loads the keys of a to-many relationship's members, and keeps them up to date from then on.
    ///
    /// Where members are asked for owner by owner, those of other objects that the context holds are
    /// loaded along, more of them each time.
    func loadMembers(of owner: ManagedObject, _ relationship: Int) throws -> MemberKeys {
        let model = coordinator.model
        let entity = entityIndex(of: owner)
        let known = model.modelEntities[entity].relationships[relationship]
        if owner.has(ObjectFlags.deleted) { return MemberKeys(isOrdered: false) }
        // Nobody can have related another object to one that is not stored.
        let isStored = owner.has(ObjectFlags.stored)
        let siblings = siblings(of: owner, relationship, known.relation)
        // In the order of their keys, in which the store answers.
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

    /// Objects of the same entity, stored or new as the owner is, whose members are not loaded either: none the first time,
    /// eight times as many each time after that. Of new ones nothing is read, but all that was changed is looked
    /// through.
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
        // Hardly any are left: the next one comes alone again.
        if found.count * 8 < wanted { memberLoads[counter] = 0 }
        return found
    }

    /// The objects of members' keys, those that are missing loaded with one statement, and those of
    /// other owners whose keys were loaded along with these.
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
        // Held until the caller has them, and those of the batch until the next operation.
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

    /// Whether two objects have a join row. Runs one statement, unless that is known already.
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
            // A move does not say whether the row is there.
            case .moved, nil: continue
            }
        }
        let areStored = owner.has(ObjectFlags.stored) && member.has(ObjectFlags.stored)
        if !areStored { return false }
        return try context.withReader { try $0.hasLink(joinRow, in: side.joinTable.index) }
    }

    /// How many members a relationship has, without loading their keys where the store knows.
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

/// Owners whose members were loaded together. Somebody who goes through them comes to all of them, so
/// what was loaded stays until then.
struct MemberBatch {
    let owners: [ManagedObject]
    private let keys: Set<Int64>
    var members: [ManagedObject] = []

    /// So many members are loaded with one statement, and those of the last owner among them.
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
