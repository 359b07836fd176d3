import RecordStackModel

/// Reads between two operations, and sets back what was committed since the last one.
///
/// Of open rows, of which no commit says how they were, the context's loaded objects tell: they are left as they are, and lists
/// that are loaded agree with them. Other open rows are read as they are stored.
final class BehindReader: ForwardingReader {
    private let reader: any StoreReader
    private let history: RowHistory
    private let context: ManagedObjectContext
    private var model: ManagedObjectModel { context.coordinator.model }

    init(_ reader: any StoreReader, before history: RowHistory, in context: ManagedObjectContext) {
        self.reader = reader
        self.history = history
        self.context = context
    }

    var statistics: StoreStatistics { reader.statistics }

    func rows(_ request: StoreRequest, into sink: any RowSink) throws {
        let hierarchy = model.modelEntities[request.entity].hierarchy
        try StoreAnswer(.rows(request), from: reader).setBack { values, key, version in
            if let shown = shownRow(key, hierarchy) { return shown.rowVersion }
            if history.isOpen(key, hierarchy: hierarchy) {
                context.shown.rowsAhead.insert(key, hierarchy: hierarchy)
            }
            return history.setBack(&values, of: key, hierarchy: hierarchy, version: version)
        }.give(to: sink)
    }

    func members(_ request: MemberRequest, into sink: any MemberSink) throws {
        try members(request).give(to: sink)
    }

    func memberCount(_ request: MemberRequest) throws -> Int { try members(request).memberCount }

    func hasLink(_ pair: LinkPair, in linkage: Int) throws -> Bool {
        try history.pairs(of: linkage)[pair] ?? shownPair(pair, in: linkage)
            ?? reader.hasLink(pair, in: linkage)
    }

    func reader(of entity: Int?) throws -> any StoreReader { reader }

    func end() { reader.end() }
}

// MARK: Members

extension BehindReader {
    private func members(_ request: MemberRequest) throws -> StoreAnswer {
        let answer = try StoreAnswer(.members(request), from: reader)
        let owners = Set(request.owners)
        switch request.source {
        case .slot(let slot, of: let entity, let isOrdered):
            let order = isOrdered ? model.order(ofMembersBy: slot, entity: entity) : nil
            let old = oldOwners(at: slot, of: entity)
            return answer.withMembers { members in
                var known: [LinkPair: Int64] = [:]
                for member in members {
                    known[LinkPair(first: member.owner, second: member.key)] = member.position
                }
                members.removeAll { old[$0.key] != nil }
                for case (let key, let owner?) in old where owners.contains(owner) {
                    let position = known[LinkPair(first: owner, second: key)]
                    members.append(
                        .init(key: key, owner: owner, position: isOrdered ? position ?? .max : 0))
                }
                if let order { setBack(&members, in: order, .first) }
            }
        case .links(let linkage, let end, let isOrdered):
            let old = oldPairs(of: linkage, owners, end)
            return answer.withMembers { members in
                let known = Set(members.map { LinkPair($0.owner, $0.key, from: end) })
                members.removeAll { old[LinkPair($0.owner, $0.key, from: end)] == false }
                for case (let pair, true) in old where !known.contains(pair) {
                    members.append(
                        .init(
                            key: pair.key(end.other), owner: pair.key(end),
                            position: isOrdered ? .max : 0))
                }
                if isOrdered { setBack(&members, in: linkage, end) }
            }
        }
    }

    /// Gives members the places that they had. Those whose places nobody knows stand behind the others.
    private func setBack(_ members: inout [StoreAnswer.Member], in linkage: Int, _ end: LinkEnd) {
        var last: [Int64: Int64] = [:]
        for index in members.indices {
            let member = members[index]
            let row = history.places(of: LinkPair(member.owner, member.key, from: end), in: linkage)
            // A row that another program inserted has a null position, which reads as 0.
            if let row { members[index].position = row.position(end) ?? 0 }
            if members[index].position != .max {
                last[member.owner] = max(last[member.owner] ?? 0, members[index].position)
            }
        }
        for index in members.indices where members[index].position == .max {
            members[index].position = (last[members[index].owner] ?? 0) + 1
        }
    }
}

extension ManagedObjectModel {
    /// The linkage that keeps the order of the members that a to-one relationship refers to.
    fileprivate func order(ofMembersBy slot: Int, entity: Int) -> Int? {
        linkages.firstIndex {
            $0.storage == .column(slot: slot) && areKin($0.second.entity, entity)
        }
    }
}

// MARK: What the context shows of open rows

extension BehindReader {
    /// The object of an open row that shows the row as it was.
    private func shownRow(_ key: Int64, _ hierarchy: Int) -> ManagedObject? {
        guard history.isOpen(key, hierarchy: hierarchy) else { return nil }
        return context.tables[hierarchy].object(key).flatMap { $0.showsRow ? $0 : nil }
    }

    /// - Returns: the old owners by the member's key; nil for a row that was not there.
    private func oldOwners(at slot: Int, of entity: Int) -> [Int64: Int64?] {
        var owners = history.owners(at: slot, of: entity)
        let table = context.table(of: entity)
        let kinds = model.modelEntities[entity].kinds
        let shown = history.openKeys(hierarchy: table.hierarchy)?.compactMap { table.object($0) }
        for object in shown ?? table.map.objects()
        where object.showsRow && kinds.contains(context.entityIndex(of: object)) {
            owners[object.keyValue] = .some(object.storedKey(at: slot))
        }
        return owners
    }

    /// - Parameter owners: the keys at an end.
    /// - Returns: whether pairs of the owners were there.
    private func oldPairs(
        of linkage: Int, _ owners: Set<Int64>, _ end: LinkEnd
    ) -> [LinkPair: Bool] {
        var pairs = history.pairs(of: linkage).filter { owners.contains($0.key.key(end)) }
        if let open = history.openPairs(of: linkage) {
            for pair in open where owners.contains(pair.key(end)) {
                pairs[pair] = shownPair(pair, in: linkage)
            }
            return pairs
        }
        for side in sides(of: linkage) where side.end != end || side.linkage.isSymmetric {
            for member in context.loadedMembers.owners(of: side.relation) {
                for owner in owners {
                    let pair = LinkPair(owner, member, from: end)
                    pairs[pair] = shownPair(pair, in: linkage) ?? pairs[pair]
                }
            }
        }
        return pairs
    }

    /// Whether a loaded list says that an open pair is there; nil if none says anything.
    private func shownPair(_ pair: LinkPair, in linkage: Int) -> Bool? {
        if history.openPairs(of: linkage)?.contains(pair) == false { return nil }
        for side in sides(of: linkage) {
            var pairs = [pair]
            if side.linkage.isSymmetric { pairs.append(pair.reversed) }
            for pair in pairs {
                let owner = context.tables[side.hierarchy].object(pair.key(side.end))
                if let list = owner?.recordValue?.members[side.relationship] {
                    return list.contains(pair.key(side.end.other))
                }
            }
        }
        return nil
    }

    private func sides(of linkage: Int) -> [LinkSide] {
        let linkage = model.linkages[linkage]
        return [LinkEnd.first, .second].compactMap { context.coordinator.model.side(linkage, $0) }
    }
}

extension ManagedObject {
    /// True if it shows its row as its context has last heard of it.
    fileprivate var showsRow: Bool {
        has(ObjectFlags.stored)
            && !has(ObjectFlags.fault | ObjectFlags.differs | ObjectFlags.deleted)
    }
}
