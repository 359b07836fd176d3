import RecordStackModel

// A child copies its parent's dirty objects: all of them at first, later only those that have
// changed in the parent.
extension ParentView {
    /// Updates a child's table from its parent's.
    /// - Parameter onlyHeld: true if only registered objects have to be current.
    /// - Returns: true if the parent has changed since the last call.
    func synchronize(
        _ table: EntityTable, with above: EntityTable, of parent: ManagedObjectContext,
        onlyHeld: Bool
    ) throws -> Bool {
        // While a save runs, the edits that belong to the child can change without a change in the
        // parent.
        if context.mayBeSaved || !above.hasDiffering {
            table.followed = nil
            try synchronizeAll(table, with: above)
            return true
        }
        let pending = try parent.queries.pendingRows(of: above)
        if let followed = table.followed, followed.pending === pending,
            followed.drains == context.merger.drains,
            let keys = pending.changes(since: followed.position)
        {
            let own = ownEdits(of: table, since: followed)
            // A single edit between two requests is common, and it needs no set.
            let all = own.isEmpty && keys.count < 2 ? Array(keys) : Set(keys).union(own).sorted()
            if !all.isEmpty { try synchronize(all, of: table, with: above) }
            table.followed?.catchUp(with: table.pending)
            return !keys.isEmpty
        }
        if onlyHeld && table.map.count < pending.keys.count {
            table.followed = nil
            let held = table.map.objects().map(\.keyValue) + table.deletedAbove
            try synchronize(held, of: table, with: above)
            return true
        }
        try synchronizeAll(table, with: above)
        pending.beginHistory()
        table.followed = FollowedTable(
            pending: pending, drains: context.merger.drains, own: table.pending)
        return true
    }

    /// Returns the keys of inherited objects on which the child has made or undone an edit since.
    private func ownEdits(of table: EntityTable, since followed: FollowedTable) -> [Int64] {
        if table.inheriting.isEmpty { return [] }
        if let changes = followed.ownChanges(in: table) {
            return changes.filter { key in
                table.object(key)?.has(ObjectFlags.inheritsEdits) == true
            }
        }
        return table.dirtyObjects.filter { $0.has(ObjectFlags.inheritsEdits) }.map(\.keyValue)
    }

    private func synchronizeAll(_ table: EntityTable, with above: EntityTable) throws {
        let deletedBefore = table.deletedAbove
        table.setDeletedAbove(above.deletedAbove.filter { table.object($0) == nil })
        for key in above.deletedAbove { if let mine = table.object(key) { hide(mine, in: table) } }
        var hasReverted = false
        for object in table.inheriting where object.has(ObjectFlags.inheritsEdits) {
            if Self.shows(object.keyValue, above) { continue }
            hasReverted = true
            revert(object, in: table)
        }
        for object in above.differing { takeOver(object, into: table) }
        for key in table.deletedAbove.subtracting(deletedBefore) { didDeleteAbove(key, in: table) }
        // Members are reloaded, because the code does not track which objects the parent's edits
        // relate.
        if hasReverted || above.hasDiffering || !deletedBefore.isSubset(of: table.deletedAbove) {
            context.members.forgetOwners(ofMembersIn: table)
        }
        table.pruneInheriting()
        table.pruneDirtyObjects()
    }

    private func synchronize(
        _ keys: [Int64], of table: EntityTable, with above: EntityTable
    ) throws {
        var hasReverted = false
        for key in keys {
            let mine = table.object(key)
            if let origin = above.object(key), origin.has(ObjectFlags.differs) {
                let wasDeletedAbove = table.deletedAbove.contains(key)
                if wasDeletedAbove && !origin.has(ObjectFlags.deleted) {
                    table.noteUndeletedAbove(key)
                }
                takeOver(origin, into: table)
                if !wasDeletedAbove && table.deletedAbove.contains(key) {
                    didDeleteAbove(key, in: table)
                }
            } else if above.deletedAbove.contains(key) {
                if let mine {
                    hide(mine, in: table)
                } else if !table.deletedAbove.contains(key) {
                    table.noteDeletedAbove(key)
                    didDeleteAbove(key, in: table)
                }
            } else {
                table.noteUndeletedAbove(key)
                guard let mine, mine.has(ObjectFlags.inheritsEdits) else { continue }
                hasReverted = true
                revert(mine, in: table)
            }
        }
        context.members.forgetOwners(ofMembersIn: table)
        if !hasReverted { return }
        table.pruneInheriting()
        table.pruneDirtyObjects()
    }

    /// Whether a table hides or changes the row of a key.
    private static func shows(_ key: Int64, _ above: EntityTable) -> Bool {
        above.deletedAbove.contains(key) || above.object(key)?.has(ObjectFlags.differs) == true
    }

    /// Shows the stored row again after the parent has saved or rolled back its edit.
    private func revert(_ object: ManagedObject, in table: EntityTable) {
        object.apply(.inheritanceEnded)
        if object.has(ObjectFlags.dirty) {
            if object.isToDelete { return dropValuesOfDeleted(object, in: table) }
            if object.has(ObjectFlags.orphaned) { showAgain(object) }
            table.needingRebase.append(object)
            return
        }
        object.apply(.undeleted)
        if object.has(ObjectFlags.stored) {
            turnIntoFault(object)
        } else {
            context.merger.detach(object, in: table)
            context.repair.deletedKeys[table.hierarchy, default: []].insert(object.keyValue)
        }
    }

    /// Makes the next operation compare every object with the parent.
    ///
    /// Called after inherited objects have changed in a way that the parent's history does not
    /// contain.
    func followAnew() {
        for table in tables { table.followed = nil }
    }
}
