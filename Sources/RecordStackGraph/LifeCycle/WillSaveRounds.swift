import RecordStackModel

/// The calls of `willSave()` before a save.
///
/// The hook of every object to save is called, and again if another hook has changed the object
/// since.
struct WillSaveRounds {
    /// More rounds than any chain of objects that depend on each other should need.
    static let most = 100

    private let contexts: [ManagedObjectContext]
    /// The state of each object when its hook was last called.
    private var seen: [ObjectIdentifier: Sighting] = [:]

    /// The values of the objects at those moments, by entity.
    private var rows: [Int: RowBatch] = [:]
    /// The new objects that existed before the first hook.
    private let known: Set<ObjectIdentifier>

    private struct Sighting {
        /// The object is retained, so that no other object takes its address.
        let object: ManagedObject
        let rows: RowBatch
        let row: Int
    }

    /// Creates the rounds of a save.
    ///
    /// - Parameter contexts: the context that is saved and its ancestors, the topmost first,
    ///   because a hook's changes show below.
    init(contexts: [ManagedObjectContext]) {
        self.contexts = contexts
        known = Set(contexts.flatMap(\.newObjects).map(ObjectIdentifier.init))
    }

    /// Deletes the objects that hooks have created, because the save has failed.
    ///
    /// The next save calls the hooks again.
    func takeBack() {
        for context in contexts {
            for object in context.newObjects where !known.contains(ObjectIdentifier(object)) {
                // Deleting an object that was never saved does not touch the store. Other changes
                // by hooks stay.
                try? object.delete()
            }
        }
    }

    /// Calls the hooks, context by context.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the hooks change objects without end.
    mutating func run() throws {
        for _ in 0..<Self.most {
            var called = false
            for context in contexts {
                let due = due(in: context)
                if due.isEmpty { continue }
                called = true
                context.coordinator.hooks.running("willSave()") {
                    for object in due { call(object, in: context) }
                }
                // The changes show in the contexts below, which come next.
                try contexts.last?.repairBeforeCapture()
            }
            if !called { return }
        }
        if let object = contexts.flatMap({ due(in: $0) }).first {
            throw endless(object)
        }
    }

    private func due(in context: ManagedObjectContext) -> [ManagedObject] {
        context.changedObjects { context.hooks[$0].contains(.willSave) }.filter(isDue)
    }

    private func isDue(_ object: ManagedObject) -> Bool {
        guard let sighting = seen[ObjectIdentifier(object)] else { return true }
        return Self.difference(sighting) != nil
    }

    private mutating func call(_ object: ManagedObject, in context: ManagedObjectContext) {
        // The hook of another object may have discarded the object, or set its changes back.
        guard object.hasChanges else { return }
        let entity = context.entityIndex(of: object)
        let rows = rows[entity] ?? RowBatch(width: type(of: object).slotCount)
        self.rows[entity] = rows
        rows.append { object.write(to: &$0) }
        seen[ObjectIdentifier(object)] = Sighting(
            object: object, rows: rows, row: rows.count - 1)
        object.willSave()
    }

    /// Returns the first slot whose value has changed since; nil if there is none.
    private static func difference(_ sighting: Sighting) -> Int? {
        (0..<sighting.rows.width).first { slot in
            let old = sighting.rows.cell(row: sighting.row, slot: slot)
            return !old.stores(sighting.object.storedValue(at: slot))
        }
    }

    private func endless(_ object: ManagedObject) -> RecordStackError {
        let description = type(of: object).entityDescription
        guard let slot = seen[ObjectIdentifier(object)].flatMap(Self.difference) else {
            return RecordStackError(
                .misuse,
                "Hooks of willSave() go on making and changing objects, after \(Self.most) rounds "
                    + "\(object.objectID). Make objects there only where they are missing.",
                entity: description.name, objectID: object.objectID)
        }
        let name = description.slots[slot].name
        return RecordStackError(
            .misuse,
            "willSave() changes \(name) of \(object.objectID) whenever it is called, and was called "
                + "\(Self.most) times. Set it only where that is called for: if "
                + "changedValues()[\"\(name)\"] == nil { … }.",
            entity: description.name, objectID: object.objectID, property: name)
    }
}

extension ManagedObjectContext {
    /// Calls `willSave()` of the objects to save, and then a body that captures the changes.
    ///
    /// If either of them throws, the objects that the hooks have created are deleted.
    func callingWillSave<Result>(_ capture: () throws -> Result) throws -> Result {
        guard coordinator.types.allHooks.contains(.willSave) else { return try capture() }
        var rounds = WillSaveRounds(contexts: chain.reversed())
        do {
            try rounds.run()
            return try capture()
        } catch {
            rounds.takeBack()
            throw error
        }
    }

    /// The objects of which the store has no row yet.
    fileprivate var newObjects: [ManagedObject] {
        tables.flatMap { table in
            table.dirtyObjects.filter { $0.has(ObjectFlags.dirty) && $0.has(ObjectFlags.inserted) }
        }
    }

    /// Returns the objects of some entities that the next save inserts, updates or deletes.
    ///
    /// The objects of a hierarchy are in the order in which they were changed.
    func changedObjects(_ isWanted: (Int) -> Bool) -> [ManagedObject] {
        tables.flatMap { table in
            let wanted = coordinator.model.hierarchies[table.hierarchy].entities.contains(
                where: isWanted)
            if !wanted { return [] as [ManagedObject] }
            return table.dirtyObjects.filter {
                $0.has(ObjectFlags.dirty) && $0.hasChanges && isWanted(entityIndex(of: $0))
            }
        }
    }
}
