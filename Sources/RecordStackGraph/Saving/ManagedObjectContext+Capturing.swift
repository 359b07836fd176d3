import RecordStackModel

/// What a save writes: captured by value, so that the program may go on editing meanwhile.
struct SaveCapture: Sendable {
    let changes: ChangeSet
    /// The inboxes of the contexts whose changes these are.
    let origins: Set<Int>
    /// What each of them changed, where more than one did.
    let levels: [Int: CapturedLevel]
    /// The inbox of the only context that changed anything; nil where several did.
    let author: Int?
    /// The number of the last edit of pairs that went along, by inbox.
    let linkSerials: [Int: Int]
    let ticket: SaveTicket
    var options: SaveOptions = []

    /// The same save with what conflicts have made of its changes.
    func replacing(_ changes: ChangeSet) -> SaveCapture {
        SaveCapture(
            changes: changes, origins: origins, levels: levels, author: author,
            linkSerials: linkSerials, ticket: ticket, options: options)
    }

    /// The same save of a context that is used no more and need not hear of it.
    func withoutOrigins() -> SaveCapture {
        SaveCapture(
            changes: changes, origins: [], levels: [:], author: nil, linkSerials: [:],
            ticket: ticket, options: options)
    }
}

extension ManagedObjectContext {
    /// This context and its ancestors, nearest first.
    var chain: [ManagedObjectContext] {
        var chain = [self]
        while let next = chain[chain.count - 1].parent { chain.append(next) }
        return chain
    }

    /// Checks and captures the changes of this context and its ancestors.
    /// - Throws: ``RecordStackError/Code/validation`` or ``RecordStackError/Code/conflict`` with
    ///   everything that is wrong.
    func captureChain() throws -> SaveCapture {
        var findings = CaptureFindings()
        let ownFindings = try validateBeforeCapture(chain)
        let levels = chain.map { $0.captureChanges(&findings) }
        for context in chain {
            for failure in try context.countFailures() { findings.add(failure) }
        }
        findings.add(ownFindings)
        try findings.throwIfAny()
        let changed = levels.indices.filter { !levels[$0].isEmpty }
        let isOne = changed.count < 2
        let changes =
            isOne
            ? changed.first.map { levels[$0] } ?? ChangeSet()
            : try ChangeFlattener(coordinator: coordinator)
                .flatten(changed.reversed().map { levels[$0] })
        return SaveCapture(
            changes: changes, origins: Set(chain.map(\.inbox.number)),
            levels: isOne ? [:] : captured(levels),
            author: isOne ? changed.first.map { chain[$0].inbox.number } : nil,
            linkSerials: linkSerials, ticket: SaveTicket())
    }

    private var linkSerials: [Int: Int] {
        if links.isEmpty { return [:] }
        return Dictionary(
            chain.map { ($0.inbox.number, $0.linkSerial) }, uniquingKeysWith: { a, _ in a })
    }

    private func captured(_ levels: [ChangeSet]) -> [Int: CapturedLevel] {
        Dictionary(
            uniqueKeysWithValues: zip(chain, levels).map {
                ($0.inbox.number, CapturedLevel(changes: $1))
            })
    }

    /// Captures the changes of this context alone, and notes what is wrong with them.
    func captureChanges(_ findings: inout CaptureFindings) -> ChangeSet {
        findings.context = name
        var entities: [EntityChanges] = []
        for table in tables where !table.listed.isEmpty {
            let kinds = coordinator.model.hierarchies[table.hierarchy].entities
            for entity in kinds {
                let listed =
                    kinds.count == 1
                    ? table.listed : table.listed.filter { entityIndex(of: $0) == entity }
                entities.append(capture(listed, entity: entity, &findings))
            }
        }
        return ChangeSet(entities: entities, links: captureLinks())
    }

    private func captureLinks() -> [LinkChanges] {
        links.indices.compactMap { index in
            links[index].isEmpty ? nil : links[index].changes(linkage: index)
        }
    }

    private func capture(
        _ listed: ContiguousArray<ManagedObject>, entity: Int, _ findings: inout CaptureFindings
    ) -> EntityChanges {
        let description = coordinator.model.modelEntities[entity].description
        // Most saves either insert everything or nothing.
        let isAllNew = listed.allSatisfy { Self.isToInsert($0) }
        let inserted = isAllNew ? listed : listed.filter { Self.isToInsert($0) }
        var changes = EntityChanges(
            entity: entity, width: description.slots.count, insertions: inserted.count,
            updates: isAllNew ? 1 : listed.count)
        changes.insertedKeys.reserveCapacity(inserted.count)
        changes.inserted.append(rows: inserted.count) { writer in
            for object in inserted {
                object.write(to: &writer)
                changes.insertedKeys.append(object.keyValue)
            }
        }
        findings.check(insertions: inserted, changes.inserted, description)
        if isAllNew { return changes }
        var updated: ContiguousArray<ManagedObject> = []
        var isPruned = true
        for object in listed {
            let flags = object.bits & (ObjectFlags.listed | ObjectFlags.inserted)
            if flags == ObjectFlags.listed,
                isUpdated(object, noting: &changes, description, &findings)
            {
                updated.append(object)
            } else if !object.has(ObjectFlags.listed) {
                isPruned = false
            }
        }
        write(updated, into: &changes)
        for (row, object) in updated.enumerated() {
            let slots = changes.updates[row].slots
            findings.check(update: object, changes.updated, row: row, slots, description)
        }
        if !isPruned { table(of: entity).pruneListed() }
        return changes
    }

    @inline(__always)
    private static func isToInsert(_ object: ManagedObject) -> Bool {
        let flags = ObjectFlags.listed | ObjectFlags.inserted
        return object.bits & (flags | ObjectFlags.deleted) == flags
    }

    /// Notes what becomes of an object's row, but for the values.
    /// - Returns: whether it is updated.
    private func isUpdated(
        _ object: ManagedObject, noting changes: inout EntityChanges,
        _ description: EntityDescription, _ findings: inout CaptureFindings
    ) -> Bool {
        if object.isToDelete {
            changes.deletions.append(
                EntityChanges.Deletion(key: object.keyValue, version: object.rowVersion))
            return false
        }
        let slots = object.changedSlots
        if slots.isEmpty {
            // What was edited back is kept alive by nothing but the program.
            if !isWriting && !object.has(ObjectFlags.deleted) { unlist(object) }
            return false
        }
        if findings.check(conflictsOf: object, description) { return false }
        changes.updates.append(
            EntityChanges.Update(key: object.keyValue, version: object.rowVersion, slots: slots))
        return true
    }

    /// The values of the updated objects, as they are and as they were.
    private func write(
        _ objects: ContiguousArray<ManagedObject>, into changes: inout EntityChanges
    ) {
        changes.updated.append(rows: objects.count) { writer in
            for object in objects { object.write(to: &writer) }
        }
        let (updates, width) = (changes.updates, changes.bases.width)
        changes.bases.append(rows: objects.count) { writer in
            for (row, object) in objects.enumerated() {
                for slot in 0..<width {
                    if updates[row].slots.contains(slot) {
                        writer.append(object.committedValue(at: slot))
                    } else {
                        writer.appendNull()
                    }
                }
            }
        }
    }
}

/// What a capture finds wrong, all of it.
struct CaptureFindings {
    /// The name of the context that is being captured.
    var context = ""
    /// Whether it is found out what breaks rules of properties.
    var isValidating = true
    private var failures: [(context: String, failure: ValidationFailure)] = []
    private var conflicts: [MergeConflict] = []

    mutating func check(
        insertions objects: ContiguousArray<ManagedObject>, _ batch: RowBatch,
        _ description: EntityDescription
    ) {
        if !isValidating { return }
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
        // Whether there has to be a value is a rule of its own.
        if cell.tag == .null { return }
        let value = cell.storedValue
        for check in attribute.checks where !check.accepts(value) {
            add(check.failure(of: value, attribute, object.objectID, in: description))
        }
    }

    /// Looks at the whole of an object, changed or not.
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
        if !isValidating { return }
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

    mutating func add(_ others: CaptureFindings) {
        failures += others.failures
    }

    /// - Returns: whether the object was changed here and elsewhere.
    mutating func check(conflictsOf object: ManagedObject, _ description: EntityDescription) -> Bool
    {
        if object.has(ObjectFlags.deletedThere) {
            conflicts.append(MergeConflict(objectID: object.objectID, kind: .deletedThere))
            return true
        }
        guard let record = object.recordValue, !record.conflicts.isEmpty else { return false }
        let properties = record.conflicts.compactMap { conflict -> MergeConflict.Property? in
            let ours = object.storedValue(at: conflict.slot)
            if ours.isStoredSame(as: conflict.theirs) { return nil }
            return MergeConflict.Property(
                name: description.slots[conflict.slot].name,
                base: record.oldValue(of: conflict.slot) ?? .null, ours: ours,
                theirs: conflict.theirs)
        }
        if properties.isEmpty { return false }
        conflicts.append(
            MergeConflict(
                objectID: object.objectID, kind: .changedOnBothSides, properties: properties))
        return true
    }

    /// - Throws: all failures together.
    func throwFailures() throws {
        if !failures.isEmpty { throw RecordStackError.validation(failures) }
    }

    /// All failures, in the order in which they were found.
    var allFailures: [ValidationFailure] { failures.map(\.failure) }

    /// - Throws: all failures together, or, where there are none, all conflicts.
    func throwIfAny() throws {
        try throwFailures()
        if !conflicts.isEmpty { throw RecordStackError.conflict(conflicts) }
    }
}

extension RecordStackError {
    /// The failures of one or several contexts, those of an object together.
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

    /// In the order in which objects were first found at fault.
    private static func grouped(_ failures: [ValidationFailure]) -> [ValidationFailure] {
        var places: [ManagedObjectID?: Int] = [:]
        for failure in failures where places[failure.objectID] == nil {
            places[failure.objectID] = places.count
        }
        // Sorting keeps the order of what is equal only where it is told to.
        return failures.enumerated().sorted {
            (places[$0.element.objectID] ?? 0, $0.offset)
                < (places[$1.element.objectID] ?? 0, $1.offset)
        }.map(\.element)
    }

    static func conflict(_ conflicts: [MergeConflict]) -> RecordStackError {
        let list = conflicts.map(\.description).joined(separator: "\n")
        return RecordStackError(
            .conflict,
            "Nothing was saved, because objects were changed elsewhere since they were read. "
                + "Refresh or roll back these objects and save again.\n\(list)",
            entity: conflicts[0].objectID.entityName, objectID: conflicts[0].objectID,
            conflicts: conflicts)
    }
}
