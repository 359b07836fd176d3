import RecordStackModel

/// Members by owner, as a context sees them: what the store has, what its ancestors have changed of
/// that, and what it has changed itself.
final class MemberLists: MemberSink {
    private let context: ManagedObjectContext
    private let relationship: ModelRelationship
    /// The owners, in the order of their keys, which is that of the store's answer, and their lists.
    private let owners: [Int64]
    private var lists: [MemberKeys]
    /// The owner whose members come at the moment.
    private var place = 0
    /// Rows that are not as the context shows them.
    private var hidden = KeySet()
    private var positionsOfHidden: [Int64: Int64] = [:]

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
        if case .slot = source, let pending { hidden = pending.keys }
        if isStored {
            // Nothing is merged here: reading a property does not change others.
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
        place(of: owner).map { lists[$0] } ?? MemberKeys(isOrdered: false)
    }

    /// Gives the lists to the owners' objects.
    /// - Parameter objects: in the order of their keys.
    func give(to objects: [ManagedObject], _ relationship: Int) {
        for (place, object) in objects.enumerated() {
            lists[place].assumePlaced()
            object.record.members[relationship] = lists[place]
        }
        lists = []
    }

    private func place(of owner: Int64) -> Int? {
        var (lower, upper) = (0, owners.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if owners[middle] < owner { lower = middle + 1 } else { upper = middle }
        }
        return lower < owners.count && owners[lower] == owner ? lower : nil
    }

    func member(_ member: Int64, of owner: Int64, position: Int64) {
        while place < owners.count && owners[place] < owner { place += 1 }
        // A wide look at the store finds others as well.
        guard place < owners.count, owners[place] == owner else { return }
        if !hidden.isEmpty && hidden.contains(member) {
            positionsOfHidden[member] = position
            lists[place].noteDeparted(member, position: position)
            return
        }
        lists[place].load(member, position: position)
    }

    /// Objects that differ from the store are members where they refer now.
    private func addDiffering(of pending: PendingRows, slot: Int) throws {
        let table = context.table(of: relationship.destination)
        let index = try pending.index(
            of: PendingIndex.Subject(entity: relationship.destination, slot: slot), in: table,
            context)
        for (place, owner) in owners.enumerated() {
            for key in index.keys(of: .integer(owner), in: table) {
                lists[place].enter(key, positionsOfHidden[key])
            }
        }
    }

    /// Applies unsaved moves.
    private func layOrder(_ order: Int) {
        guard context.pairs.hasEdits(of: order) else { return }
        for (place, owner) in owners.enumerated() {
            for context in context.chain.reversed() {
                for pair in context.pairs.links[order].pairs(of: owner, .first) {
                    guard let position = context.pairs.links[order][pair]?.position,
                        let old = lists[place].place(of: pair.second)
                    else { continue }
                    if context.pairs.hadPlace(pair.second, in: relationship) {
                        context.pairs.noteOriginal(
                            lists[place].position(at: old), of: pair, in: order, .first)
                    }
                    lists[place].enter(pair.second, position)
                }
            }
        }
    }

    private func layEdits(of index: Int, _ end: LinkEnd) {
        if context.pairs.hasEdits(of: index) {
            for place in owners.indices {
                for context in context.chain.reversed() {
                    lay(context, index, at: place, end)
                }
            }
        }
        let members = context.table(of: relationship.destination)
        if !members.hasDiffering { return }
        // What is to be deleted is related to nothing.
        for place in lists.indices {
            for key in lists[place].keys {
                let isGone =
                    members.object(key)?.has(ObjectFlags.deleted)
                    ?? members.deletedAbove.contains(key)
                if isGone { lists[place].remove(key) }
            }
        }
    }

    private func lay(_ level: ManagedObjectContext, _ index: Int, at place: Int, _ end: LinkEnd) {
        let isOrdered = lists[place].isOrdered
        for pair in level.pairs.links[index].pairs(of: owners[place], end) {
            let member = pair.key(end.other)
            if isOrdered, let old = lists[place].place(of: member) {
                level.pairs.noteOriginal(lists[place].position(at: old), of: pair, in: index, end)
            }
            guard let edit = level.pairs.links[index][pair] else { continue }
            if edit.kind == .removed {
                lists[place].remove(member)
            } else if edit.kind == .added || lists[place].contains(member) {
                lists[place].enter(member, edit.position(end))
            }
        }
    }
}

extension ManagedObjectModel {
    /// Whether the members of a to-many relationship have an order.
    func isOrdered(_ relationship: ModelRelationship) -> Bool {
        switch relationship.storage {
        case .links(let index, let end): linkages[index].end(end).isOrdered
        case .members(_, let order): order != nil
        case .key: false
        }
    }
}
