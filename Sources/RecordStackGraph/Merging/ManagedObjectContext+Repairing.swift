import RecordStackModel

extension ManagedObjectContext {
    /// Repairs this context and its ancestors before their changes are captured.
    ///
    /// The call also discards objects that were deleted while a save was inserting them.
    ///
    /// - Parameter onlyHeld: true if only registered objects have to be current.
    func repairBeforeCapture(onlyHeld: Bool = false) throws {
        try shown.judgeRowsAheadInChain()
        // The operation also brings the ancestors up to date.
        if repair.isNeeded || parentContext != nil { try upToDate(onlyHeld: onlyHeld) {} }
        try forEachDown { try $0.repair.repairOneToOnes() }
        forEachDown { $0.repair.discardInserts() }
    }

    var ownDeletions: [ManagedObject] {
        tables.flatMap { $0.dirtyObjects.filter(Self.isOwnDeletion) }
    }

    var hasOwnDeletions: Bool {
        tables.contains { $0.dirtyObjects.contains(where: Self.isOwnDeletion) }
    }

    private static func isOwnDeletion(_ object: ManagedObject) -> Bool {
        object.isToDelete && !object.has(ObjectFlags.inserted)
    }
}
