import RecordStackModel

extension ManagedObjectContext {
    /// The same in this context and its ancestors, before their changes are captured, and what was
    /// given up while it was being written.
    /// - Parameter onlyHeld: true if only registered objects have to be current.
    func repairBeforeCapture(onlyHeld: Bool = false) throws {
        try shown.judgeRowsAheadInChain()
        // An operation of its own puts the ancestors in order as well.
        if repair.isNeeded || parentContext != nil { try upToDate(onlyHeld: onlyHeld) {} }
        try forEachDown { try $0.repair.repairPairs() }
        forEachDown { $0.repair.dropGivenUp() }
    }

    var ownDeletions: [ManagedObject] {
        tables.flatMap { table in
            table.dirtyObjects.filter { $0.isToDelete && !$0.has(ObjectFlags.inserted) }
        }
    }
}
