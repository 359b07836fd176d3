import RecordStackModel

extension ManagedObjectContext {
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
        let siblings = isStored ? siblings(of: owner, relationship, known.relation) : []
        let owners = [owner] + siblings
        let lists = try MemberLists(
            context: self, relationship: known, owners: owners.map(\.keyValue), isStored: isStored)
        for object in owners {
            var list = lists[object.keyValue]
            list.assumePlaced()
            object.record.members[relationship] = list
            loadedMembers.add(object.keyValue, known.relation)
        }
        if !siblings.isEmpty { batches[known.relation] = MemberBatch(owners: owners) }
        return owner.record.members[relationship] ?? lists[owner.keyValue]
    }

    /// Objects of the same entity whose members are not loaded either: none the first time, eight times
    /// as many each time after that.
    private func siblings(
        of owner: ManagedObject, _ relationship: Int, _ relation: Int
    ) -> [ManagedObject] {
        let loads = memberLoads[relation, default: 0]
        memberLoads[relation] = loads + 1
        if loads == 0 { return [] }
        let wanted = 1 << min(loads * 3, 18)
        let type = Swift.type(of: owner)
        let found = table(of: entityIndex(of: owner)).map.neighbours(
            of: owner.keyValue, limit: wanted
        ) { object in
            Swift.type(of: object) == type && object !== owner
                && object.bits & (ObjectFlags.stored | ObjectFlags.deleted) == ObjectFlags.stored
                && object.recordValue?.members[relationship] == nil
        }
        // Hardly any are left: the next one comes alone again.
        if found.count * 8 < wanted { memberLoads[relation] = 0 }
        return found
    }

    /// The objects of members' keys, those that are missing loaded with one statement, and those of
    /// other owners whose keys were loaded along with these.
    func members(
        _ keys: ContiguousArray<Int64>, of owner: ManagedObject, _ relationship: Int
    ) throws -> [ManagedObject] {
        let known = coordinator.model.modelEntities[entityIndex(of: owner)]
            .relationships[relationship]
        let table = table(of: known.destination)
        var missing = ContiguousArray(keys.filter { table.object($0).map(\.isFault) ?? true })
        if missing.isEmpty { return keys.compactMap { table.object($0) } }
        let isBatch = batches[known.relation]?.contains(owner) == true
        if isBatch { addMissing(to: &missing, of: relationship, known.relation, in: table) }
        let sink = FetchSink(
            context: self, entity: known.destination, skipsDiffering: true, expected: missing.count)
        try withReader { reader in
            try reader.rows(
                .keys(Array(missing), entity: coordinator.rootEntity(of: known.destination)),
                into: sink)
        }
        // Held until the caller has them, and those of the batch until the next operation.
        let held = sink.takeResults(as: ManagedObject.self)
        if isBatch { batches[known.relation]?.members = held }
        return withExtendedLifetime(held) { keys.compactMap { table.object($0) } }
    }

    private func addMissing(
        to missing: inout ContiguousArray<Int64>, of relationship: Int, _ relation: Int,
        in table: EntityTable
    ) {
        var seen = Set(missing)
        for owner in batches[relation]?.owners ?? [] where missing.count < MemberBatch.mostMembers {
            for key in owner.recordValue?.members[relationship]?.keys ?? []
            where table.object(key).map(\.isFault) ?? true {
                if seen.insert(key).inserted { missing.append(key) }
            }
        }
    }

    /// Whether two objects are related by a link table: one statement, unless it is known already.
    func areLinked(
        _ owner: ManagedObject, _ member: ManagedObject, _ side: LinkSide
    ) throws -> Bool {
        if let known = owner.recordValue?.members[side.relationship] {
            return known.contains(member.keyValue)
        }
        let pair = LinkPair(owner.keyValue, member.keyValue, from: side.end)
        if let edit = edit(of: pair, in: side.linkage.index) { return edit.kind != .removed }
        let areStored = owner.has(ObjectFlags.stored) && member.has(ObjectFlags.stored)
        if !areStored { return false }
        return try withReader { try $0.hasLink(pair, in: side.linkage.index) }
    }

    /// How many members a relationship has, without loading their keys where the store knows.
    func countMembers(of owner: ManagedObject, _ relationship: Int) throws -> Int {
        let entity = entityIndex(of: owner)
        let known = coordinator.model.modelEntities[entity].relationships[relationship]
        let isPlain =
            !owner.has(ObjectFlags.deleted) && owner.has(ObjectFlags.stored)
            && !table(of: known.destination).hasDiffering
            && !(known.linkage.map(hasEdits) ?? false)
        guard isPlain, let source = source(of: known) else {
            return try loadMembers(of: owner, relationship).keys.count
        }
        let request = MemberRequest(source: source, owners: [owner.keyValue])
        return try withReader { try $0.memberCount(request) }
    }

    func source(of relationship: ModelRelationship) -> MemberRequest.Source? {
        switch relationship.storage {
        case .key: nil
        case .members(let slot, let order):
            .slot(slot, of: relationship.destination, isOrdered: order != nil)
        case .links(let index, let end):
            .links(index, end, isOrdered: coordinator.model.linkages[index].end(end).isOrdered)
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
    /// The linkage that keeps it, or its order.
    var linkage: Int? {
        switch storage {
        case .key: nil
        case .members(_, let order): order
        case .links(let index, _): index
        }
    }
}

/// Members by owner, as a context sees them: what the store has, what its ancestors have changed of
/// that, and what it has changed itself.
final class MemberLists: MemberSink {
    private let context: ManagedObjectContext
    private let relationship: ModelRelationship
    private var lists: [Int64: MemberKeys] = [:]
    /// Rows that are not as the context shows them.
    private var hidden: Set<Int64> = []
    private var positionsOfHidden: [Int64: Int64] = [:]
    private let isOrdered: Bool

    init(
        context: ManagedObjectContext, relationship: ModelRelationship, owners keys: [Int64],
        isStored: Bool
    ) throws {
        self.context = context
        self.relationship = relationship
        let linkages = context.coordinator.model.linkages
        switch relationship.storage {
        case .links(let index, let end): isOrdered = linkages[index].end(end).isOrdered
        case .members(_, let order): isOrdered = order != nil
        case .key: isOrdered = false
        }
        guard let source = context.source(of: relationship) else { return }
        if case .slot = source {
            hidden = Set(context.table(of: relationship.destination).differingKeys)
        }
        if isStored {
            // Nothing is merged here: reading a property does not change others.
            try context.withReader {
                try $0.members(MemberRequest(source: source, owners: keys), into: self)
            }
        }
        switch relationship.storage {
        case .members(let slot, let order): addDiffering(slot: slot, order: order, owners: keys)
        case .links(let index, let end): layEdits(of: index, end, owners: keys)
        case .key: break
        }
    }

    subscript(owner: Int64) -> MemberKeys {
        lists[owner] ?? MemberKeys(isOrdered: isOrdered)
    }

    func member(_ member: Int64, of owner: Int64, position: Int64) {
        if !hidden.isEmpty && hidden.contains(member) {
            positionsOfHidden[member] = position
            return
        }
        lists[owner, default: MemberKeys(isOrdered: isOrdered)].load(member, position: position)
    }

    private func change(_ owner: Int64, _ body: (inout MemberKeys) -> Void) {
        body(&lists[owner, default: MemberKeys(isOrdered: isOrdered)])
    }

    /// Objects that differ from the store are members where they lead now.
    private func addDiffering(slot: Int, order: Int?, owners: [Int64]) {
        let wanted = owners.count > 8 ? Set(owners) : nil
        for object in context.differingObjects(of: relationship.destination)
        where !object.has(ObjectFlags.deleted) {
            let owner = object.storedKey(at: slot)
            guard owner != 0, wanted?.contains(owner) ?? owners.contains(owner) else { continue }
            change(owner) { $0.enter(object.keyValue, positionsOfHidden[object.keyValue]) }
        }
        guard let order, context.hasEdits(of: order) else { return }
        for owner in owners {
            for context in context.chain.reversed() {
                for pair in context.links[order].pairs(of: owner, .first) {
                    guard let position = context.links[order][pair]?.position else { continue }
                    change(owner) {
                        if $0.contains(pair.second) { $0.enter(pair.second, position) }
                    }
                }
            }
        }
    }

    private func layEdits(of index: Int, _ end: LinkEnd, owners: [Int64]) {
        if context.hasEdits(of: index) {
            for owner in owners {
                for context in context.chain.reversed() {
                    lay(context.links[index], on: owner, end)
                }
            }
        }
        let members = context.table(of: relationship.destination)
        if !members.hasDiffering { return }
        // What is to be deleted is related to nothing.
        for owner in owners {
            for key in lists[owner]?.keys ?? [] {
                let isGone =
                    members.object(key)?.has(ObjectFlags.deleted) ?? members.hidden.contains(key)
                if isGone { change(owner) { $0.remove(key) } }
            }
        }
    }

    private func lay(_ edits: LinkEdits, on owner: Int64, _ end: LinkEnd) {
        for pair in edits.pairs(of: owner, end) {
            guard let edit = edits[pair] else { continue }
            let member = pair.key(end.other)
            change(owner) { list in
                if edit.kind == .removed {
                    list.remove(member)
                } else if edit.kind == .added || list.contains(member) {
                    list.enter(member, edit.position(end))
                }
            }
        }
    }
}
