import RecordStackChanges
import RecordStackModel

/// The failures and conflicts that a capture finds.
struct ValidationResult {
    /// The name of the context that is being captured.
    var context = ""
    /// True if the changes are checked. Otherwise they are captured as they are.
    var isChecking = true
    /// True if a slot with its old value counts as changed while a save writes another value.
    ///
    /// It is a change of the value that the save writes.
    var countsSetBack = false
    private var failures: [(context: String, failure: ValidationFailure)] = []
    private var conflicts: [MergeConflict] = []
    var policy = MergePolicy.error
    private var stale: [StaleRow] = []
    /// The slots that conflict with an ancestor's change, whatever the ancestor's value is.
    private(set) var tornAbove: [RowKey: SlotSet] = [:]

    /// Returns the slots of an object that count as changed.
    func slots(of object: ManagedObject) -> SlotSet {
        guard countsSetBack, let context = object.managedObjectContext else {
            return object.changedSlots
        }
        var slots = object.changedSlots
        let entity = context.entityIndex(of: object)
        object.writtenSlots.subtracting(slots).forEach { slot in
            if context.isBeingSaved(slot, of: object, entity: entity) { slots.insert(slot) }
        }
        return slots
    }

    mutating func check(
        insertions objects: ContiguousArray<ManagedObject>, _ batch: RowBatch,
        _ description: EntityDescription
    ) {
        if !isChecking { return }
        let needed = description.slotsToSet
        let (lowBits, hasHighSlots) = (needed.lowBits, needed.hasHighSlots)
        let mayBeNull = description.slotsToCheck
        let rules = description.checkedAttributes
        for (row, object) in objects.enumerated() {
            if object.writtenValue & lowBits != lowBits || hasHighSlots {
                needed.forEach { slot in
                    if !object.isWritten(slot) { fail(object, slot, description) }
                }
            }
            for slot in mayBeNull where batch.cell(row: row, slot: slot).tag == .null {
                if needed.contains(slot) && !object.isWritten(slot) { continue }
                fail(object, slot, description)
            }
            for attribute in rules where object.isSet(at: attribute.slot) {
                check(attribute, of: object, batch, row: row, description)
            }
        }
    }

    private mutating func check(
        _ attribute: AttributeDescription, of object: ManagedObject, _ batch: RowBatch, row: Int,
        _ description: EntityDescription
    ) {
        let cell = batch.cell(row: row, slot: attribute.slot)
        // The rule `required` covers missing values.
        if cell.tag == .null { return }
        let value = cell.storedValue
        for check in attribute.checks where !check.accepts(value) {
            add(check.failure(of: value, attribute, object.objectID, in: description))
        }
    }

    /// Checks all values of an object, whether or not they were changed.
    mutating func check(_ object: ManagedObject) {
        let description = type(of: object).entityDescription
        let batch = RowBatch(width: description.slots.count)
        batch.append { object.write(to: &$0) }
        if object.has(ObjectFlags.inserted) {
            check(insertions: [object], batch, description)
        } else {
            check(update: object, batch, row: 0, SlotSet(all: batch.width), description)
        }
    }

    mutating func check(
        update object: ManagedObject, _ batch: RowBatch, row: Int, _ slots: SlotSet,
        _ description: EntityDescription
    ) {
        if !isChecking { return }
        for slot in description.slotsToCheck
        where slots.contains(slot) && batch.cell(row: row, slot: slot).tag == .null {
            fail(object, slot, description)
        }
        for attribute in description.checkedAttributes where slots.contains(attribute.slot) {
            check(attribute, of: object, batch, row: row, description)
        }
    }

    private mutating func fail(
        _ object: ManagedObject, _ slot: Int, _ description: EntityDescription
    ) {
        add(
            ValidationFailure(
                entity: description, objectID: object.objectID, slot: description.slots[slot],
                rule: .required, value: .null))
    }

    mutating func add(_ failure: ValidationFailure) {
        failures.append((context, failure))
    }

    mutating func add(_ others: ValidationResult) {
        failures += others.failures
    }

    /// Checks whether an object was changed here and elsewhere.
    ///
    /// - Returns: true if the save fails because of a conflict.
    mutating func check(
        conflictsOf object: ManagedObject, entity: Int, _ description: EntityDescription
    ) -> Bool {
        if !isChecking { return false }
        if !policy.alwaysFails {
            noteStale(object, entity: entity, description)
            return false
        }
        if object.has(ObjectFlags.orphaned) {
            conflicts.append(MergeConflict(objectID: object.objectID, kind: .deletedElsewhere))
            return true
        }
        guard let record = object.recordValue, !record.conflicts.isEmpty else { return false }
        let properties = record.conflicts.compactMap { conflict -> MergeConflict.Property? in
            if isJudgedAbove(conflict, of: object) { return nil }
            let ours = object.storedValue(at: conflict.slot)
            let slot = description.slots[conflict.slot]
            return MergeConflict.Property(
                name: slot.name,
                base: record.oldValue(of: conflict.slot) ?? .null, ours: ours,
                theirs: conflict.theirs)
        }
        if properties.isEmpty { return false }
        conflicts.append(
            MergeConflict(
                objectID: object.objectID, kind: .changedOnBothSides, properties: properties))
        return true
    }

    /// True if a conflict is decided between a change and an ancestor's change, not the row.
    private func isJudgedAbove(
        _ conflict: ObjectRecord.Conflict, of object: ManagedObject
    ) -> Bool {
        !conflict.isTorn && isOverChange(conflict.slot, of: object)
    }

    private func isOverChange(_ slot: Int, of object: ManagedObject) -> Bool {
        object.has(ObjectFlags.inheritsEdits)
            && object.managedObjectContext?.parentView.isChangedAbove(slot, in: object) == true
    }

    /// Records the row below an object's changes, if other contexts have changed it, too.
    private mutating func noteStale(
        _ object: ManagedObject, entity: Int, _ description: EntityDescription
    ) {
        if object.has(ObjectFlags.orphaned) {
            // The row that an ancestor is going to delete is still in the store.
            if object.has(ObjectFlags.inheritsEdits) { return }
            stale.append(StaleRow(entity: entity, key: object.keyValue, current: nil))
            return
        }
        guard let record = object.recordValue else { return }
        let conflicts = record.conflicts.filter { conflict in
            guard conflict.isTorn, isOverChange(conflict.slot, of: object) else { return true }
            let row = RowKey(entity: entity, key: object.keyValue)
            tornAbove[row, default: SlotSet()].insert(conflict.slot)
            return false
        }
        if !record.isRemotelyModified && conflicts.isEmpty { return }
        let theirs = RowBatch(width: description.slots.count)
        theirs.append(
            values: (0..<theirs.width).map { slot in
                let conflict = conflicts.first { $0.slot == slot }
                if let conflict, !isJudgedAbove(conflict, of: object) { return conflict.theirs }
                return object.committedValue(at: slot)
            })
        var torn = SlotSet()
        for conflict in conflicts where conflict.isTorn { torn.insert(conflict.slot) }
        stale.append(
            StaleRow(
                entity: entity, key: object.keyValue, current: (object.rowVersion, theirs),
                torn: torn))
    }

    /// Returns the rows that other contexts have changed, and forgets them.
    mutating func takeStale() -> [StaleRow] {
        defer { stale = [] }
        return stale
    }

    /// Throws all failures together, if there are any.
    func throwFailures() throws {
        if !failures.isEmpty { throw RecordStackError.validation(failures) }
    }

    /// All failures, in the order in which they were found.
    var allFailures: [ValidationFailure] { failures.map(\.failure) }

    /// Throws all failures together or, if there are none, all conflicts.
    func throwIfAny() throws {
        try throwFailures()
        if !conflicts.isEmpty { throw RecordStackError.conflict(conflicts) }
    }
}

extension RecordStackError {
    /// Returns an error with the failures of one or several contexts, grouped by object.
    static func validation(
        _ found: [(context: String, failure: ValidationFailure)]
    ) -> RecordStackError {
        var contexts: [String] = []
        for (context, _) in found where !contexts.contains(context) { contexts.append(context) }
        let texts = contexts.map { context in
            let failures = grouped(found.filter { $0.context == context }.map(\.failure))
            return "The context “\(context)” cannot be saved. "
                + failures.map(\.description).joined(separator: " ")
        }
        return validation(texts.joined(separator: " "), grouped(found.map(\.failure)))
    }

    static func validation(
        _ message: String, _ failures: [ValidationFailure]
    ) -> RecordStackError {
        RecordStackError(
            .validation, message, entity: failures[0].entity, objectID: failures[0].objectID,
            property: failures[0].property, failures: failures)
    }

    /// Groups failures by object, in the order in which the objects first failed.
    private static func grouped(_ failures: [ValidationFailure]) -> [ValidationFailure] {
        var indexes: [ManagedObjectID?: Int] = [:]
        for failure in failures where indexes[failure.objectID] == nil {
            indexes[failure.objectID] = indexes.count
        }
        // The offset keeps the order of equal elements, which `sorted` does not guarantee.
        return failures.enumerated().sorted {
            (indexes[$0.element.objectID] ?? 0, $0.offset)
                < (indexes[$1.element.objectID] ?? 0, $1.offset)
        }.map(\.element)
    }

    static func conflict(_ conflicts: [MergeConflict]) -> RecordStackError {
        let list = conflicts.map(\.description).joined(separator: "\n")
        return RecordStackError(
            .conflict, entity: conflicts[0].objectID.entityName, objectID: conflicts[0].objectID,
            conflicts: conflicts
        ) { conflictAdvice(after: $0) + "\n" + list }
    }

    private static func conflictAdvice(after operation: Operation) -> String {
        let decision =
            "Decide about each property with resolveConflict(on:keeping:), or refresh or roll back these objects,"
        return switch operation {
        case .save:
            "Nothing was saved, because objects were changed elsewhere since they were read. \(decision) and save "
                + "again; or save with a merge policy."
        case .push:
            "Nothing was pushed, because objects were changed in the parent or elsewhere since they were read. "
                + "\(decision) and push again; or push with a merge policy."
        case .block:
            "Nothing was saved, because objects were changed elsewhere since they were read. The block's context is "
                + "gone, with what the block did: run the block again. Changes of the block's parent are as they "
                + "were; where the conflict is theirs, decide about it in the parent first."
        case .batch:
            "Nothing was changed, because objects were changed elsewhere at the same time. Call it again."
        }
    }
}
