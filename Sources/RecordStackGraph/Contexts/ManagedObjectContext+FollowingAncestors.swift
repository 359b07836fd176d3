import RecordStackModel

/// Until where a table has followed its parent's, whose changes are told by what is known of it.
struct FollowedTable {
    weak var pending: PendingRows?
    let position: Int
    /// How often the context had taken in what was committed.
    let drains: Int
}

// What the parent shows is taken over object by object: all of them the first time, and those that it has changed since
// from then on.
extension ManagedObjectContext {
    /// - Returns: whether anything was changed above since the last time.
    func synchronize(
        _ table: EntityTable, with above: EntityTable, of parent: ManagedObjectContext,
        onlyHeld: Bool
    ) throws -> Bool {
        // A save that is under way decides of each object anew what is a change of this context.
        if mayBeSaved {
            table.followed = nil
            try synchronizeAll(table, with: above)
            return true
        }
        if !above.hasDiffering {
            table.followed = nil
            try synchronizeAll(table, with: above)
            return true
        }
        let pending = try lendingReader(to: parent) { try parent.pendingRows(of: above) }
        if let followed = table.followed, followed.pending === pending, followed.drains == drains,
            let keys = pending.changes(since: followed.position)
        {
            table.followed = FollowedTable(
                pending: pending, position: pending.position, drains: drains)
            // What was changed here on top of it may have been taken back.
            let own =
                table.overlaid.isEmpty ? [] : table.listed.filter { $0.has(ObjectFlags.overlaid) }
            if keys.isEmpty && own.isEmpty { return false }
            let keys = Set(keys).union(own.map(\.keyValue))
            try lendingReader(to: parent) {
                try synchronize(keys.sorted(), of: table, with: above)
            }
            return true
        }
        if onlyHeld && table.map.count < pending.keys.count {
            table.followed = nil
            let held = table.map.objects()
            try lendingReader(to: parent) {
                try synchronize(held.map(\.keyValue), of: table, with: above)
            }
            return true
        }
        try lendingReader(to: parent) { try synchronizeAll(table, with: above) }
        pending.beginHistory()
        table.followed = FollowedTable(
            pending: pending, position: pending.position, drains: drains)
        return true
    }

    /// A second reader could not be had from a store in memory.
    private func lendingReader<Result>(
        to parent: ManagedObjectContext, _ body: () throws -> Result
    ) rethrows -> Result {
        guard parent.activeReader == nil, let activeReader else { return try body() }
        parent.activeReader = activeReader
        defer { parent.activeReader = nil }
        return try body()
    }

    private func synchronizeAll(_ table: EntityTable, with above: EntityTable) throws {
        let hiddenBefore = table.hidden
        table.setHidden(above.hidden.filter { table.object($0) == nil })
        for key in above.hidden { if let mine = table.object(key) { hide(mine, in: table) } }
        var hasReverted = false
        for object in table.overlaid where object.has(ObjectFlags.overlaid) {
            if Self.shows(object.keyValue, above) { continue }
            hasReverted = true
            revert(object, in: table)
        }
        for object in above.differing { takeOver(object, into: table) }
        for key in table.hidden.subtracting(hiddenBefore) { didHide(key, in: table) }
        // What leads where above is not followed step by step: members are loaded anew.
        if hasReverted || above.hasDiffering || !hiddenBefore.isSubset(of: table.hidden) {
            forgetOwners(ofMembersIn: table)
        }
        table.pruneOverlaid()
        table.pruneListed()
    }

    private func synchronize(
        _ keys: [Int64], of table: EntityTable, with above: EntityTable
    ) throws {
        var hasReverted = false
        for key in keys {
            let mine = table.object(key)
            if let origin = above.object(key), origin.has(ObjectFlags.differs) {
                let isHidden = table.hidden.contains(key)
                if isHidden && !origin.has(ObjectFlags.deleted) { table.unhide(key) }
                takeOver(origin, into: table)
                if !isHidden && table.hidden.contains(key) { didHide(key, in: table) }
            } else if above.hidden.contains(key) {
                if let mine {
                    hide(mine, in: table)
                } else if !table.hidden.contains(key) {
                    table.hide(key)
                    didHide(key, in: table)
                }
            } else {
                table.unhide(key)
                guard let mine, mine.has(ObjectFlags.overlaid) else { continue }
                hasReverted = true
                revert(mine, in: table)
            }
        }
        forgetOwners(ofMembersIn: table)
        if !hasReverted { return }
        table.pruneOverlaid()
        table.pruneListed()
    }

    /// Whether a table shows something of a key that the store does not have.
    private static func shows(_ key: Int64, _ above: EntityTable) -> Bool {
        above.hidden.contains(key) || above.object(key)?.has(ObjectFlags.differs) == true
    }

    /// An object whose ancestor's changes were saved or rolled back shows the store again.
    private func revert(_ object: ManagedObject, in table: EntityTable) {
        object.setStatus(removing: ObjectFlags.overlaid)
        if object.has(ObjectFlags.listed) {
            if object.isToDelete { return uncoverDeleted(object, in: table) }
            if object.has(ObjectFlags.deletedThere) { showAgain(object) }
            table.uncovered.append(object)
            return
        }
        object.setStatus(removing: ObjectFlags.deleted)
        if object.has(ObjectFlags.stored) {
            turnIntoFault(object)
        } else {
            giveUp(object, in: table)
            vanished[table.hierarchy, default: []].insert(object.keyValue)
        }
    }

    /// What was done here has nothing to do with the parent: what that shows is looked at as a whole when it is next asked.
    func followAnew() {
        for table in tables { table.followed = nil }
    }
}
