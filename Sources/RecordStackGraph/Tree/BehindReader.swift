import RecordStackModel

/// Reads between two operations, and reverts what was committed since the first operation.
///
/// Commits carry no old values of *open* rows: see ``RowHistory``. If the context has an open row's
/// object loaded, the reader leaves the object as it is, and the lists that it loads agree with the
/// object. It returns all other open rows as they are stored.
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

    func hasLink(_ joinRow: JoinRow, in joinTable: Int) throws -> Bool {
        try history.joinRows(of: joinTable)[joinRow] ?? isInLoadedList(joinRow, in: joinTable)
            ?? reader.hasLink(joinRow, in: joinTable)
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
                var known: [JoinRow: Int64] = [:]
                for member in members {
                    known[JoinRow(first: member.owner, second: member.key)] = member.position
                }
                members.removeAll { old[$0.key] != nil }
                for case (let key, let owner?) in old where owners.contains(owner) {
                    let position = known[JoinRow(first: owner, second: key)]
                    members.append(
                        .init(key: key, owner: owner, position: isOrdered ? position ?? .max : 0))
                }
                if let order { setBack(&members, in: order, .first) }
            }
        case .links(let joinTable, let end, let isOrdered):
            let old = oldJoinRows(of: joinTable, owners, end)
            return answer.withMembers { members in
                let known = Set(members.map { JoinRow($0.owner, $0.key, from: end) })
                members.removeAll { old[JoinRow($0.owner, $0.key, from: end)] == false }
                for case (let joinRow, true) in old where !known.contains(joinRow) {
                    members.append(
                        .init(
                            key: joinRow.key(end.other), owner: joinRow.key(end),
                            position: isOrdered ? .max : 0))
                }
                if isOrdered { setBack(&members, in: joinTable, end) }
            }
        }
    }

    /// Restores the former positions of members.
    ///
    /// Members without a known former position go to the end of the list.
    private func setBack(_ members: inout [StoreAnswer.Member], in joinTable: Int, _ end: LinkEnd) {
        var last: [Int64: Int64] = [:]
        for index in members.indices {
            let member = members[index]
            let row = history.formerPositions(
                of: JoinRow(member.owner, member.key, from: end), in: joinTable)
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
    /// Returns the index of the join table that orders the members of a to-one slot.
    fileprivate func order(ofMembersBy slot: Int, entity: Int) -> Int? {
        joinTables.firstIndex {
            $0.storage == .column(slot: slot) && areKin($0.second.entity, entity)
        }
    }
}

// MARK: Objects of open rows

extension BehindReader {
    /// Returns the loaded object of an open row, if the object shows the row as it was.
    private func shownRow(_ key: Int64, _ hierarchy: Int) -> ManagedObject? {
        guard history.isOpen(key, hierarchy: hierarchy) else { return nil }
        return context.tables[hierarchy].object(key).flatMap { $0.showsRow ? $0 : nil }
    }

    /// Returns the old owners of members.
    ///
    /// - Returns: the old owners by the member's key; nil for a row that did not exist.
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

    /// Returns, for the owners' join rows, whether each existed before.
    ///
    /// - Parameter owners: the keys at one end of the join rows.
    private func oldJoinRows(
        of joinTable: Int, _ owners: Set<Int64>, _ end: LinkEnd
    ) -> [JoinRow: Bool] {
        var joinRows = history.joinRows(of: joinTable).filter { owners.contains($0.key.key(end)) }
        if let open = history.openJoinRows(of: joinTable) {
            for joinRow in open where owners.contains(joinRow.key(end)) {
                joinRows[joinRow] = isInLoadedList(joinRow, in: joinTable)
            }
            return joinRows
        }
        for side in sides(of: joinTable) where side.end != end || side.joinTable.isSymmetric {
            for member in context.loadedMembers.owners(of: side.relation) {
                for owner in owners {
                    let joinRow = JoinRow(owner, member, from: end)
                    joinRows[joinRow] = isInLoadedList(joinRow, in: joinTable) ?? joinRows[joinRow]
                }
            }
        }
        return joinRows
    }

    /// Whether a loaded list contains an open join row.
    ///
    /// Nil if the join row is not open, or if no such list is loaded.
    private func isInLoadedList(_ joinRow: JoinRow, in joinTable: Int) -> Bool? {
        if history.openJoinRows(of: joinTable)?.contains(joinRow) == false { return nil }
        for side in sides(of: joinTable) {
            var joinRows = [joinRow]
            if side.joinTable.isSymmetric { joinRows.append(joinRow.reversed) }
            for joinRow in joinRows {
                let owner = context.tables[side.hierarchy].object(joinRow.key(side.end))
                if let list = owner?.recordValue?.members[side.relationship] {
                    return list.contains(joinRow.key(side.end.other))
                }
            }
        }
        return nil
    }

    private func sides(of joinTable: Int) -> [LinkSide] {
        let joinTable = model.joinTables[joinTable]
        return [LinkEnd.first, .second].compactMap { context.coordinator.model.side(joinTable, $0) }
    }
}

extension ManagedObject {
    /// Whether the object shows nothing but its row, as of the last merge of its context.
    fileprivate var showsRow: Bool {
        has(ObjectFlags.stored)
            && !has(ObjectFlags.fault | ObjectFlags.differs | ObjectFlags.deleted)
    }
}
