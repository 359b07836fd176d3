import RecordStackModel

/// Merges inserted and updated rows, one after the other.
///
/// The common cases, which are also the fastest, are handled here, and the other cases object by
/// object in other files. The common cases retain no objects: the map holds the objects, and
/// releases none of them meanwhile.
extension CommitMerger {
    /// Merges the insertions of an entity.
    ///
    /// Usually they are this context's own, and nothing has changed since.
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

    /// Merges the updates of an entity.
    ///
    /// Usually, an object shows only its row and has missed no commit, so it reads only the saved
    /// slots. In the other common case, the save is the context's own, and nothing has changed
    /// since.
    func mergeUpdates(_ changes: EntityChanges, in table: EntityTable, from source: ChangeOrigin) {
        if changes.updates.isEmpty { return }
        let lender = RowLender(width: changes.updated.width)
        let leavesMembers = loadedMembers.isEmpty
        let mayBeDone = source.isOfAuthorAlone && table.discarded == nil
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
    /// Turns a new object into a stored one if its row was inserted as the object shows it.
    ///
    /// - Returns: whether the object shows exactly the inserted row.
    fileprivate final func acknowledge(
        _ row: Int, of saved: RowBatch, _ comparer: borrowing RowComparer,
        _ lender: borrowing RowLender
    ) -> Bool {
        // New objects with more state than their written slots are handled elsewhere.
        guard bits & ObjectFlags.state == ObjectFlags.plainNew, recordValue == nil,
            comparer.isRow(row, of: saved, { write(to: &$0) })
        else { return false }
        apply(.rowInsertedAsShown)
        rowVersion = .first
        writtenValue = 0
        readWhatIsReadOtherwise(row, of: saved, lender)
        return true
    }

    /// Ends the changes of a stored object if exactly these changes were saved.
    ///
    /// An object that is based on another context's changes is not handled here.
    ///
    /// - Returns: whether the changes have ended.
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

    /// Whether exactly these slots are written, and all of them are below 64.
    private final func hasWrittenOnly(_ slots: SlotSet) -> Bool {
        writtenValue == slots.lowBits && !slots.hasHighSlots
            && recordValue?.writtenHigh.isEmpty ?? true
    }

    /// Loads the values that the store reads differently: a NaN as null, and −0.0 as 0.0.
    private final func readWhatIsReadOtherwise(
        _ row: Int, of saved: RowBatch, _ lender: borrowing RowLender
    ) {
        let cells = saved.cells(ofRow: row)
        var slots = SlotSet()
        for slot in 0..<saved.width where !cells[slot].isReadAsWritten { slots.insert(slot) }
        if !slots.isEmpty { loadValues(lender.row(row, of: saved, slots: slots), slots: slots) }
    }

    /// Reads the saved slots if the object shows its row in the version before the update.
    ///
    /// - Parameter leavesMembers: whether no inverse relationship is loaded.
    /// - Returns: whether the object has read the slots.
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
