public import RecordStackModel

extension ManagedObject {
    /// The object's identity, final from its birth. Making one costs little.
    public final var objectID: ManagedObjectID {
        anchor.coordinator.objectID(of: self)
    }

    /// Where the object stands in its life.
    public final var objectState: ObjectState {
        if isDetached { return .detached }
        if bits & ObjectFlags.deleted != 0 { return .deleted }
        return bits & ObjectFlags.stored != 0 ? .persistent : .pending
    }

    /// The context that the object belongs to; nil when it is detached.
    public final var managedObjectContext: ManagedObjectContext? {
        bits & ObjectFlags.detached != 0 ? nil : anchor.context
    }

    /// Whether the values are still to be loaded.
    public final var isFault: Bool { bits & ObjectFlags.fault != 0 }

    final var isDetached: Bool {
        bits & ObjectFlags.detached != 0 || anchor.context == nil
    }

    /// Whether its context is to delete it; not one that was deleted elsewhere.
    final var isToDelete: Bool {
        let flags = ObjectFlags.dirty | ObjectFlags.deleted
        return bits & (flags | ObjectFlags.orphaned) == flags
    }

    final func has(_ flag: UInt64) -> Bool { bits & flag != 0 }

    /// Whether its row was deleted by others and is to be inserted again, by its context or an ancestor's, on whose object
    /// it rests: it has a version, as no new object has one.
    final var awaitsReinsertion: Bool {
        has(ObjectFlags.inserted | ObjectFlags.inheritsEdits) && !has(ObjectFlags.stored)
            && rowVersion != .noRow
    }

    /// The same where its own context is to do so.
    final var isToReinsert: Bool { awaitsReinsertion && has(ObjectFlags.inserted) }

    /// Whether a row of that version is another one than the object's, which was deleted and inserted again.
    final func isReinserted(in version: RowVersion) -> Bool {
        awaitsReinsertion || has(ObjectFlags.orphaned) && version.isReinsertion(since: rowVersion)
    }

    /// The state of an object's row in the store, as far as a context without a parent knows it.
    enum KnownRow {
        /// The store has no row of the object.
        case none
        /// ``ManagedObject/rowValue(at:)`` returns the row's values.
        case values
        /// The store may have a row, with values that the context has not read.
        case unknown
    }

    final var knownRow: KnownRow {
        let special =
            ObjectFlags.orphaned | ObjectFlags.inserted | ObjectFlags.inheritsEdits
            | ObjectFlags.fault
        if bits & special == 0 {
            return recordValue?.isStale == true ? .unknown : .values
        }
        if has(ObjectFlags.orphaned) || awaitsReinsertion { return .none }
        if has(ObjectFlags.inserted) { return rowVersion == .noRow ? .none : .unknown }
        return .unknown
    }

    /// The version of the row that the values are of.
    final var rowVersion: RowVersion {
        get { RowVersion(column: Int64(bitPattern: bits >> ObjectFlags.versionShift)) }
        set { setVersionBits(newValue) }
    }

    /// Loads the values if they are not there yet.
    /// - Throws: ``RecordStackError/Code/notFound`` where the row is gone,
    ///   ``RecordStackError/Code/closed`` where the stack was closed, or the context was reset or is gone, or what the store
    ///   says.
    public final func load() throws {
        defer { if isAsleep { wake() } }
        guard isFault else { return }
        guard let context = managedObjectContext else {
            throw absent(
                "Its values cannot be loaded.",
                as: has(ObjectFlags.gone) ? .notFound : .closed)
        }
        try context.loadFault(self)
    }

    /// The values of the object as they are now, to take out of the context.
    /// - Parameter includesMembers: whether to keep the members of relationships that are kept in tables of their own,
    ///   which are loaded then.
    package final func makeSnapshot<Entity: ManagedEntity>(
        includesMembers: Bool = false
    ) throws -> Snapshot<Entity> {
        try load()
        let description = Self.entityDescription
        if has(ObjectFlags.inserted) {
            for slot in description.slotsToSet.slots where !isWritten(slot) {
                let failure = ValidationFailure(
                    entity: description, objectID: objectID, slot: description.slots[slot],
                    rule: .required, value: .null)
                throw RecordStackError(
                    .validation, "There is no snapshot yet. \(failure)", objectID: objectID,
                    property: failure.property, failures: [failure])
            }
        }
        return Snapshot(
            objectID: objectID, entity: description,
            values: description.slots.indices.map { storedValue(at: $0) },
            members: includesMembers ? snapshotMembers() : [])
    }
}
