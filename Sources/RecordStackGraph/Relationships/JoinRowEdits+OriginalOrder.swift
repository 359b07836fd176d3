import RecordStackModel

// A restored original order is not a change, however it was restored.
extension JoinRowEdits {
    /// Drops the moves of an owner's members if the members are in their original order again.
    ///
    /// The moves stay if a member was added or removed here, if a member's original position is
    /// unknown, or if a member is out of order. The check ends at the first such member, so a loop
    /// of moves stays linear.
    ///
    /// - Parameter returning: A member whose reference a setter is restoring to the owner that its
    ///   row refers to.
    /// - Returns: True if any moves were dropped.
    @discardableResult
    func takeBackOrder(
        of owner: ManagedObject, _ list: inout MemberKeys, _ joinTable: Int, _ end: LinkEnd,
        returning: Int64? = nil
    ) -> Bool {
        let partners = links[joinTable].partners(of: owner.keyValue, end)
        if partners.isEmpty { return false }
        let joinRow = { JoinRow(owner.keyValue, $0, from: end) }
        let original = { self.links[joinTable][joinRow($0)]?.original?.position(end) }
        if list.isKnownToBeReordered(original) { return false }
        for key in partners {
            let isMove = isMove(joinRow(key), in: joinTable, end, isReinserted: key == returning)
            guard isMove, list.stands(key, inOrderOf: original) else { return false }
        }
        guard partners.allSatisfy({ canForget(joinRow($0), in: joinTable) }) else { return false }
        for key in partners {
            guard var edit = links[joinTable][joinRow(key)], let old = edit.original?.position(end)
            else { continue }
            edit.takeBack(end)
            list.insert(key, position: old)
            links[joinTable][joinRow(key)] = edit.isTakenBack ? nil : edit
        }
        return true
    }

    /// Drops the moves at both ends of a join row if they have restored the original order.
    ///
    /// Only loaded relationships are checked.
    func takeBackOrders(of row: LinkChanges.Row, in joinTable: JoinTable) {
        for end in [LinkEnd.first, .second] where joinTable.end(end).isOrdered {
            guard let side = model.side(joinTable, end) else { continue }
            takeBackOrder(side, by: tables[side.hierarchy].object(row.joinRow.key(end)))
        }
    }

    /// Drops the moves in one object's relationship if they have restored the original order.
    ///
    /// - Parameter owner: This context's object, or a child's, whose list is checked.
    /// - Returns: True if any moves were dropped; nil if no list is loaded.
    @discardableResult
    private func takeBackOrder(_ side: LinkSide, by owner: ManagedObject?) -> Bool? {
        guard let owner, let record = owner.recordValue,
            var list = record.members[side.relationship]
        else { return nil }
        // Taken out of the record, so that the list has one reference and changes in place.
        record.members[side.relationship] = nil
        defer { record.members[side.relationship] = list }
        return takeBackOrder(of: owner, &list, side.joinTable.index, side.end)
    }

    /// Drops the moves that a child has pushed if they have restored the original order.
    ///
    /// If this context has not loaded a list, it uses the child's list, because the child has no
    /// changes left.
    func takeBackOrders(of changes: [LinkChanges], from child: ManagedObjectContext) {
        for changes in changes {
            let joinTable = model.joinTables[changes.joinTable]
            let joinRows = changes.removed + (changes.added + changes.moved).map(\.joinRow)
            for end in [LinkEnd.first, .second] where joinTable.end(end).isOrdered {
                guard let side = model.side(joinTable, end) else { continue }
                for key in Set(joinRows.map { $0.key(end) }) {
                    takeBackOrder(of: key, side, from: child)
                }
            }
        }
    }

    private func takeBackOrder(of key: Int64, _ side: LinkSide, from child: ManagedObjectContext) {
        let below = child.tables[side.hierarchy].object(key)
        if let isTakenBack = takeBackOrder(side, by: tables[side.hierarchy].object(key)) {
            // The child's list still has the positions of the dropped moves.
            if isTakenBack { below.map(child.members.forgetMembers) }
        } else if takeBackOrder(side, by: below) == nil {
            dropTakenBack(of: key, in: side.joinTable.index, side.end)
        }
    }

    /// Drops the edits of an owner's members if all of them have their original positions again.
    ///
    /// Members with new positions may also be in the original order, but only a list could show
    /// that, and none is loaded.
    private func dropTakenBack(of owner: Int64, in joinTable: Int, _ end: LinkEnd) {
        let joinRows = links[joinTable].joinRows(of: owner, end)
        let isTakenBack = joinRows.allSatisfy { joinRow in
            links[joinTable][joinRow]?.isTakenBack == true && isMove(joinRow, in: joinTable, end)
                && canForget(joinRow, in: joinTable)
        }
        if isTakenBack { for joinRow in joinRows { links[joinTable][joinRow] = nil } }
    }

    /// Returns the positions of a join row before a child changed it, as far as they are known.
    ///
    /// A child's edit over an ancestor's edit does not show them if the ancestor's edit has changed
    /// since.
    func positionsBefore(
        _ joinRow: JoinRow, in joinTable: JoinTable, from child: ManagedObjectContext?
    ) -> LinkEdit.OriginalPositions? {
        if let shown = shownPositions(of: joinRow, in: joinTable) { return shown }
        guard hadPositions(joinRow, in: joinTable), let child,
            let edit = child.joinRowEdits.links[joinTable.index][joinRow],
            !child.joinRowEdits.isStale(edit, of: joinRow, in: joinTable.index)
        else { return nil }
        return edit.original
    }

    /// True if an edit only changes the positions of a join row, from known positions.
    private func isMove(
        _ joinRow: JoinRow, in joinTable: Int, _ end: LinkEnd, isReinserted: Bool = false
    ) -> Bool {
        guard let edit = links[joinTable][joinRow],
            isReinserted || hadPositions(joinRow, in: model.joinTables[joinTable])
        else { return false }
        return edit.kind == .moved && !edit.isUncertain && edit.original?.position(end) != nil
            && !isStale(edit, of: joinRow, in: joinTable)
    }

    /// Keeps the position that a join row has without this context's edit, unless it is known.
    func noteOriginal(_ position: Int64, of joinRow: JoinRow, in joinTable: Int, _ end: LinkEnd) {
        guard let edit = links[joinTable][joinRow], edit.kind != .added,
            edit.original?.position(end) == nil
        else { return }
        var original = edit.original ?? LinkEdit.OriginalPositions()
        original.set(position, end)
        links[joinTable].noteOriginal(original, of: joinRow)
    }

    /// Whether a member had a position in an order before this context's changes.
    ///
    /// If members keep their owner's key, a member that has come from another owner has no position
    /// yet and stands after the other members.
    func hadPosition(_ key: Int64, in relationship: ModelRelationship) -> Bool {
        guard case .members(let slot, _) = relationship.storage,
            let member = table(of: relationship.destination).object(key),
            member.has(ObjectFlags.dirty)
        else { return true }
        return !member.has(ObjectFlags.inserted) && !member.changedSlots.contains(slot)
    }

    /// Whether a join row had positions before its edit.
    ///
    /// It had none if its member's row keeps the key of another owner.
    private func hadPositions(_ joinRow: JoinRow, in joinTable: JoinTable) -> Bool {
        guard let side = model.side(joinTable, .first) else { return true }
        return hadPosition(joinRow.second, in: relationship(of: side))
    }

    /// Returns a join row's positions in the loaded relationships of its objects.
    ///
    /// Nil if none is loaded.
    func shownPositions(
        of joinRow: JoinRow, in joinTable: JoinTable
    ) -> LinkEdit.OriginalPositions? {
        var positions: LinkEdit.OriginalPositions?
        for end in [LinkEnd.first, .second] where joinTable.end(end).isOrdered {
            guard let side = model.side(joinTable, end),
                hadPosition(joinRow.key(end.other), in: relationship(of: side)),
                let list = tables[side.hierarchy].object(joinRow.key(end))?.recordValue?
                    .members[side.relationship],
                let position = list.position(of: joinRow.key(end.other))
            else { continue }
            positions = positions ?? LinkEdit.OriginalPositions()
            positions?.set(position, end)
        }
        return positions
    }

    private func relationship(of side: LinkSide) -> ModelRelationship {
        let declared = model.relations[side.relation]
        return model.modelEntities[declared.entity].relationships[side.relationship]
    }

    /// Records the positions that another context has saved for a join row with an edit here.
    func noteSavedPositions(_ row: LinkChanges.Row, in joinTable: Int) {
        guard links[joinTable].knowsPositions(of: row.joinRow) else { return }
        // An ancestor's edit of the join row hides the store's positions from this context.
        if above?.edit(of: row.joinRow, in: joinTable) != nil { return }
        if let position = row.position { links[joinTable].moveLeft(row.joinRow, to: position) }
        guard let edit = links[joinTable][row.joinRow], edit.kind != .added else { return }
        var original = edit.original ?? LinkEdit.OriginalPositions()
        if let position = row.position { original.set(position, .first) }
        if let position = row.inversePosition { original.set(position, .second) }
        links[joinTable].noteOriginal(original, of: row.joinRow)
    }
}
