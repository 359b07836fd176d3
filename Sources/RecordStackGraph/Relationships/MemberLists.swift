import RecordStackModel

/// The members of several owners, as a context sees them.
///
/// A list combines the stored members, the unsaved changes of the context's ancestors, and those of
/// the context.
final class MemberLists: MemberSink {
    private let context: ManagedObjectContext
    private let relationship: ModelRelationship
    /// The owners in the order of their keys, in which the store delivers them, and their lists.
    private let owners: [Int64]
    private var lists: [MemberKeys]
    /// The index of the owner whose members the store is delivering.
    private var currentOwner = 0
    /// The rows that the context or its ancestors have changed, and their stored positions.
    private var differing = KeySet()
    private var storedPositions: [Int64: Int64] = [:]

    init(
        context: ManagedObjectContext, relationship: ModelRelationship, owners: [Int64],
        isStored: Bool
    ) throws {
        self.context = context
        self.relationship = relationship
        self.owners = owners.sorted()
        lists =
            context.coordinator.model.isOrdered(relationship)
            ? owners.map { _ in MemberKeys(isOrdered: true) }
            : Array(repeating: MemberKeys(isOrdered: false), count: owners.count)
        guard let source = context.loader.source(of: relationship) else { return }
        let members = context.table(of: relationship.destination)
        let pending = members.hasDiffering ? try context.queries.pendingRows(of: members) : nil
        if case .slot = source, let pending { differing = pending.keys }
        if isStored {
            // Nothing is merged here, because reading a property must not change other properties.
            try context.withReader {
                try $0.members(MemberRequest(source: source, owners: self.owners), into: self)
            }
        }
        switch relationship.storage {
        case .members(let slot, let order):
            if let pending { try addDiffering(of: pending, slot: slot) }
            if let order { layOrder(order) }
        case .links(let index, let end): layEdits(of: index, end)
        case .key: break
        }
    }

    subscript(owner: Int64) -> MemberKeys {
        index(of: owner).map { lists[$0] } ?? MemberKeys(isOrdered: false)
    }

    /// Gives the lists to the owners' objects.
    ///
    /// - Parameter objects: The owners, in the order of their keys.
    func give(to objects: [ManagedObject], _ relationship: Int) {
        for (index, object) in objects.enumerated() {
            lists[index].assumeAllPositionsKnown()
            object.record.members[relationship] = lists[index]
        }
        lists = []
    }

    private func index(of owner: Int64) -> Int? {
        var (lower, upper) = (0, owners.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if owners[middle] < owner { lower = middle + 1 } else { upper = middle }
        }
        return lower < owners.count && owners[lower] == owner ? lower : nil
    }

    func member(_ member: Int64, of owner: Int64, position: Int64) {
        while currentOwner < owners.count && owners[currentOwner] < owner { currentOwner += 1 }
        // A wide search of the store delivers members of further owners, too.
        guard currentOwner < owners.count, owners[currentOwner] == owner else { return }
        if !differing.isEmpty && differing.contains(member) {
            storedPositions[member] = position
            lists[currentOwner].noteDeparted(member, position: position)
            return
        }
        lists[currentOwner].load(member, position: position)
    }

    /// Adds the dirty objects to the lists of the owners to which they refer now.
    private func addDiffering(of pending: PendingRows, slot: Int) throws {
        let table = context.table(of: relationship.destination)
        let index = try pending.index(
            of: PendingIndex.Subject(entity: relationship.destination, slot: slot), in: table,
            context)
        for (ownerIndex, owner) in owners.enumerated() {
            for key in index.keys(of: .integer(owner), in: table) {
                lists[ownerIndex].enter(key, storedPositions[key])
            }
        }
    }

    /// Applies unsaved moves.
    private func layOrder(_ order: Int) {
        guard context.joinRowEdits.hasEdits(of: order) else { return }
        for (ownerIndex, owner) in owners.enumerated() {
            for context in context.chain.reversed() {
                for joinRow in context.joinRowEdits.links[order].joinRows(of: owner, .first) {
                    guard let position = context.joinRowEdits.links[order][joinRow]?.position,
                        let old = lists[ownerIndex].index(of: joinRow.second)
                    else { continue }
                    if context.joinRowEdits.hadPosition(joinRow.second, in: relationship) {
                        context.joinRowEdits.noteOriginal(
                            lists[ownerIndex].position(at: old), of: joinRow, in: order, .first)
                    }
                    lists[ownerIndex].enter(joinRow.second, position)
                }
            }
        }
    }

    private func layEdits(of index: Int, _ end: LinkEnd) {
        if context.joinRowEdits.hasEdits(of: index) {
            for ownerIndex in owners.indices {
                for context in context.chain.reversed() {
                    lay(context, index, at: ownerIndex, end)
                }
            }
        }
        let members = context.table(of: relationship.destination)
        if !members.hasDiffering { return }
        // A deleted object is related to nothing.
        for ownerIndex in lists.indices {
            for key in lists[ownerIndex].keys {
                let isGone =
                    members.object(key)?.has(ObjectFlags.deleted)
                    ?? members.deletedAbove.contains(key)
                if isGone { lists[ownerIndex].remove(key) }
            }
        }
    }

    private func lay(
        _ level: ManagedObjectContext, _ index: Int, at ownerIndex: Int, _ end: LinkEnd
    ) {
        let isOrdered = lists[ownerIndex].isOrdered
        for joinRow in level.joinRowEdits.links[index].joinRows(of: owners[ownerIndex], end) {
            let member = joinRow.key(end.other)
            if isOrdered, let old = lists[ownerIndex].index(of: member) {
                level.joinRowEdits.noteOriginal(
                    lists[ownerIndex].position(at: old), of: joinRow, in: index, end)
            }
            guard let edit = level.joinRowEdits.links[index][joinRow] else { continue }
            if edit.kind == .removed {
                lists[ownerIndex].remove(member)
            } else if edit.kind == .added || lists[ownerIndex].contains(member) {
                lists[ownerIndex].enter(member, edit.position(end))
            }
        }
    }
}

extension ManagedObjectModel {
    /// Whether a to-many relationship is ordered.
    func isOrdered(_ relationship: ModelRelationship) -> Bool {
        switch relationship.storage {
        case .links(let index, let end): joinTables[index].end(end).isOrdered
        case .members(_, let order): order != nil
        case .key: false
        }
    }
}
