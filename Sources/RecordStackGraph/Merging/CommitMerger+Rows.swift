import RecordStackModel

/// The rows that were inserted and updated, one after the other. The usual cases, and the fastest, are done
/// here; whatever else there is, object by object, elsewhere.
///
/// Objects are not retained for the usual cases: the map holds them, and lets go of nothing while this goes on.
extension CommitMerger {
    /// Takes in the insertions of an entity. Usually they are this context's own, and nothing was changed since.
    func mergeInsertions(
        _ changes: EntityChanges, in table: EntityTable, from source: ChangeOrigin
    ) {
        if changes.insertedKeys.isEmpty { return }
        let mayBeDone = source.isAcknowledgement && changes.reinsertedVersions.isEmpty
        let comparer = RowComparer(width: changes.inserted.width)
        let lender = RowLender(width: changes.inserted.width)
        for (row, key) in changes.insertedKeys.enumerated() {
            guard let found = table.map.find(key) else {
                context.members.memberKeysFollow(insertionOf: key, in: changes, row: row)
                continue
            }
            if mayBeDone
                && found._withUnsafeGuaranteedRef({
                    $0.acknowledge(row, of: changes.inserted, comparer, lender)
                })
            {
                continue
            }
            let object = found.takeUnretainedValue()
            if let version = changes.reinsertedVersions[key] {
                mergeReinsertion(of: object, changes, row, version: version, from: source)
            } else {
                mergeInsertion(of: object, changes, row, from: source)
            }
        }
    }

    /// Takes in the updates of an entity. Usually an object shows nothing but its row, which has missed nothing: it
    /// reads the slots that were saved, and no more. Or the save is the context's own, and nothing was changed since.
    func mergeUpdates(_ changes: EntityChanges, in table: EntityTable, from source: ChangeOrigin) {
        if changes.updates.isEmpty { return }
        let lender = RowLender(width: changes.updated.width)
        let leavesMembers = loadedMembers.isEmpty
        let mayBeDone = source.isOfAuthorAlone && table.givenUp == nil
        for row in changes.updates.indices {
            guard let found = table.map.find(changes.updates.key(at: row)) else {
                context.members.memberKeysFollow(changes.updates[row], in: changes, row: row)
                continue
            }
            let isDone = found._withUnsafeGuaranteedRef {
                $0.follow(changes, row: row, through: lender, leavesMembers: leavesMembers)
                    || mayBeDone && $0.acknowledge(changes, row: row, lender)
            }
            if isDone { continue }
            merge(
                changes.updates[row], of: changes, row: row, into: found.takeUnretainedValue(),
                from: source)
        }
    }
}

extension ManagedObject {
    /// Becomes an object of the store if it is a new one that was written, and shows what was written still.
    /// - Returns: whether it was.
    fileprivate final func acknowledge(
        _ row: Int, of saved: RowBatch, _ comparer: borrowing RowComparer,
        _ lender: borrowing RowLender
    ) -> Bool {
        // What else is kept of a new object, beyond its written slots, is looked at elsewhere.
        guard bits & ObjectFlags.state == ObjectFlags.plainNew, recordValue == nil,
            comparer.isRow(row, of: saved, { write(to: &$0) })
        else { return false }
        apply(.rowInsertedAsShown)
        rowVersion = .first
        writtenValue = 0
        readWhatIsReadOtherwise(row, of: saved, lender)
        return true
    }

    /// Ends the changes of a stored object if they are those that were saved, and it rests on nobody else's.
    /// - Returns: whether it was.
    fileprivate final func acknowledge(
        _ changes: EntityChanges, row: Int, _ lender: borrowing RowLender
    ) -> Bool {
        let (update, saved) = (changes.updates[row], changes.updated)
        guard bits & ObjectFlags.state == ObjectFlags.stored | ObjectFlags.dirty,
            rowVersion == update.version, hasWrittenOnly(update.slots),
            let record = recordValue, record.baseOrigins.isEmpty
        else { return false }
        let cells = saved.cells(ofRow: row)
        var (isShown, readOtherwise) = (true, SlotSet())
        update.slots.forEach {
            if !cells[$0].stores(storedValue(at: $0)) { isShown = false }
            if !cells[$0].isReadAsWritten { readOtherwise.insert($0) }
        }
        if !isShown { return false }
        tellIfWatched()
        rowVersion = update.version.next
        writtenValue = 0
        apply(.cleaned)
        record.forgetChanges()
        if !readOtherwise.isEmpty {
            loadValues(
                lender.row(row, of: saved, slots: readOtherwise), slots: readOtherwise)
        }
        return true
    }

    /// Whether the written slots are these, all of them below 64.
    private final func hasWrittenOnly(_ slots: SlotSet) -> Bool {
        writtenValue == slots.lowBits && !slots.hasHighSlots
            && recordValue?.writtenHigh.isEmpty ?? true
    }

    /// A NaN is written as null, and −0.0 as 0.0: the object shows what it would read.
    private final func readWhatIsReadOtherwise(
        _ row: Int, of saved: RowBatch, _ lender: borrowing RowLender
    ) {
        let cells = saved.cells(ofRow: row)
        var slots = SlotSet()
        for slot in 0..<saved.width where !cells[slot].isReadAsWritten { slots.insert(slot) }
        if !slots.isEmpty { loadValues(lender.row(row, of: saved, slots: slots), slots: slots) }
    }

    /// Reads what was saved of the object if it is as its row was before.
    /// - Parameter leavesMembers: whether no relationship that refers back is loaded.
    /// - Returns: whether it was.
    fileprivate final func follow(
        _ changes: EntityChanges, row: Int, through lender: borrowing RowLender,
        leavesMembers: Bool
    ) -> Bool {
        let update = changes.updates[row]
        guard bits & ObjectFlags.state == ObjectFlags.stored, rowVersion == update.version else {
            return false
        }
        rowVersion = update.version.next
        if leavesMembers {
            loadValues(
                lender.row(row, of: changes.updated, slots: update.slots), slots: update.slots)
        } else {
            loadValues(changes.updated, row: row, slots: update.slots)
        }
        return true
    }
}
