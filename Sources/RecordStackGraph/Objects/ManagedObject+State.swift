public import RecordStackModel

extension ManagedObject {
    /// The object's ID, which never changes. Reading it is cheap.
    public final var objectID: ManagedObjectID {
        anchor.coordinator.objectID(of: self)
    }

    /// The object's state: pending, persistent, deleted or detached.
    public final var objectState: ObjectState {
        if isDetached { return .detached }
        if bits & ObjectFlags.deleted != 0 { return .deleted }
        return bits & ObjectFlags.stored != 0 ? .persistent : .pending
    }

    /// The context that the object belongs to; nil if the object is detached.
    public final var managedObjectContext: ManagedObjectContext? {
        bits & ObjectFlags.detached != 0 ? nil : anchor.context
    }

    /// Whether the object's values are not loaded yet.
    public final var isFault: Bool { bits & ObjectFlags.fault != 0 }

    final var isDetached: Bool {
        bits & ObjectFlags.detached != 0 || anchor.context == nil
    }

    /// Whether the next save deletes the object; false if another context has deleted it.
    final var isToDelete: Bool {
        let flags = ObjectFlags.dirty | ObjectFlags.deleted
        return bits & (flags | ObjectFlags.orphaned) == flags
    }

    final func has(_ flag: UInt64) -> Bool { bits & flag != 0 }

    /// Whether this context or an ancestor will re-insert the object's deleted row.
    ///
    /// Such an object has a row version, which no new object has.
    final var awaitsReinsertion: Bool {
        has(ObjectFlags.inserted | ObjectFlags.inheritsEdits) && !has(ObjectFlags.stored)
            && rowVersion != .noRow
    }

    /// Whether this context will re-insert the object's deleted row.
    final var isToReinsert: Bool { awaitsReinsertion && has(ObjectFlags.inserted) }

    /// Whether a row of a version is a re-inserted one, which replaces the object's deleted row.
    final func isReinserted(in version: RowVersion) -> Bool {
        awaitsReinsertion || has(ObjectFlags.orphaned) && version.isReinsertion(since: rowVersion)
    }

    /// A topmost context's knowledge of an object's row in the store.
    enum KnownRow {
        /// The store has no row of the object.
        case none
        /// ``ManagedObject/rowValue(at:)`` returns the row's values.
        case values
        /// The store may have a row whose values the context has not read.
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

    /// The row version of the object's values.
    final var rowVersion: RowVersion {
        get { RowVersion(column: Int64(bitPattern: bits >> ObjectFlags.versionShift)) }
        set { setVersionBits(newValue) }
    }

    /// Loads the object if it is a fault.
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` if the row is gone. Throws
    ///   ``RecordStackError/Code/closed`` if the stack was closed, or if the context was reset or
    ///   is gone. Also throws the store's errors.
    public final func load() throws {
        defer { if awaitsAwake { wake() } }
        guard isFault else { return }
        guard let context = managedObjectContext else {
            throw absent(
                "Its values cannot be loaded.",
                as: has(ObjectFlags.gone) ? .notFound : .closed)
        }
        try context.loadFault(self)
    }

    /// Returns a snapshot of the object's current values, which can leave the context.
    ///
    /// - Parameter includesMembers: True to load and keep the members that join tables keep.
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
