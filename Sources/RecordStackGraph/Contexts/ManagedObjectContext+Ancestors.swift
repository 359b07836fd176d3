import RecordStackModel

// A context sees the unsaved changes of its ancestors, which share its isolation, as they are when
// an operation begins.
extension ManagedObjectContext {
    /// Takes in what was committed, and what the ancestors have changed since.
    func synchronizeWithAncestors() throws {
        guard let parent else { return }
        drainInbox()
        parent.drainInbox()
        try parent.synchronizeWithAncestors()
        for (table, above) in zip(tables, parent.tables)
        where above.hasDiffering || !table.overlaid.isEmpty || !table.hidden.isEmpty {
            table.hidden = above.hidden
            revertOverlays(in: table, above: above)
            for object in above.differing { takeOver(object, into: table) }
            table.pruneOverlaid()
        }
    }

    /// Objects whose ancestor's changes were saved or rolled back show the store again.
    private func revertOverlays(in table: EntityTable, above: EntityTable) {
        for object in table.overlaid where object.has(ObjectFlags.overlaid) {
            if let origin = above.object(object.keyValue), origin.has(ObjectFlags.differs) {
                continue
            }
            object.bits &= ~(ObjectFlags.overlaid | ObjectFlags.deleted)
            if object.has(ObjectFlags.stored) {
                turnIntoFault(object)
            } else {
                leaveMemberKeys(object)
                forgetMembers(of: object)
                table.unregister(object)
            }
        }
    }

    /// Shows an ancestor's object, as it is now, in this context.
    private func takeOver(_ origin: ManagedObject, into table: EntityTable) {
        let mine = table.object(origin.keyValue)
        if origin.has(ObjectFlags.deleted) {
            hide(mine, key: origin.keyValue, in: table)
            return
        }
        guard let mine else {
            _ = makeOverlay(of: origin, in: table)
            return
        }
        if mine.has(ObjectFlags.deleted) && !mine.has(ObjectFlags.overlaid) { return }
        mine.bits &= ~ObjectFlags.deleted
        takeValues(of: origin, into: mine, table: table)
    }

    /// Gives an object the values of an ancestor's changed one, but for those written here.
    func takeValues(
        of origin: ManagedObject, into mine: ManagedObject, table: EntityTable
    ) {
        mine.bits = mine.bits | origin.bits & ObjectFlags.stored
        if !mine.has(ObjectFlags.listed) { markOverlaid(mine, in: table) }
        copyUnwritten(from: origin, to: mine)
    }

    private func hide(_ mine: ManagedObject?, key: Int64, in table: EntityTable) {
        guard let mine else {
            table.hidden.insert(key)
            return
        }
        if mine.has(ObjectFlags.listed) || mine.has(ObjectFlags.deleted) { return }
        leaveMemberKeys(mine)
        markOverlaid(mine, in: table)
        mine.bits |= ObjectFlags.deleted
    }

    private func markOverlaid(_ object: ManagedObject, in table: EntityTable) {
        if object.has(ObjectFlags.overlaid) { return }
        object.bits |= ObjectFlags.overlaid
        table.overlaid.append(object)
    }

    /// Makes this context's object of an ancestor's changed one.
    func makeOverlay(of origin: ManagedObject, in table: EntityTable) -> ManagedObject {
        let batch = Self.row(of: origin)
        let seed = ObjectSeed(
            anchor: Unmanaged.passUnretained(anchor), key: origin.keyValue,
            version: origin.rowVersion,
            flags: ObjectFlags.overlaid | origin.bits & ObjectFlags.stored)
        let object = batch.withRow(0) { type(of: origin).make(row: $0, seed: seed) }
        table.register(object)
        table.overlaid.append(object)
        enterMemberKeys(object)
        return object
    }

    /// What was written here stays; everything else is as it is above.
    private func copyUnwritten(from origin: ManagedObject, to mine: ManagedObject) {
        let batch = Self.row(of: origin)
        var slots = SlotSet(all: batch.width)
        mine.writtenSlots.forEach { slots.remove($0) }
        let wasFault = mine.isFault
        mine.bits &= ~ObjectFlags.fault
        mine.rowVersion = origin.rowVersion
        mine.load(batch, row: 0, slots: slots)
        if wasFault { enterMemberKeys(mine) }
    }

    /// The values of an object as a row.
    static func row(of object: ManagedObject) -> RowBatch {
        object.willAccessValue()
        let batch = RowBatch(width: type(of: object).slotCount)
        batch.append { object.write(to: &$0) }
        return batch
    }

    /// Gives up an object's values, which are loaded again when they are next read.
    func turnIntoFault(_ object: ManagedObject) {
        leaveMemberKeys(object)
        forgetMembers(of: object)
        object.writtenValue = 0
        object.recordValue = nil
        object.bits |= ObjectFlags.fault
        object.rowVersion = 0
    }
}
