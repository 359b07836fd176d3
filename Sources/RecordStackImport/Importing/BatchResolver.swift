import RecordStackGraph
import RecordStackModel

/// Finds the objects of a batch's rows, with one query for each entity, and sets their values.
final class BatchResolver {
    let context: ManagedObjectContext
    let mapping: ImportMapping
    let objects: ImportedObjects
    // @exclusivity(unchecked): one import uses a resolver, in one isolation, and no access runs
    // code of the program.

    @exclusivity(unchecked) var report = ImportReport()
    /// The current path in the row.
    @exclusivity(unchecked) var path = ImportPath()
    /// The IDs of the objects that have rows; nil if they are not recorded.
    @exclusivity(unchecked) var seen: SeenObjects?
    /// Members that their owners have removed, to be deleted unless another object takes them.
    @exclusivity(unchecked) var abandoned: [ObjectIdentifier: ManagedObject] = [:]
    /// References to keys that no object has yet, by location.
    @exclusivity(unchecked) var waiting: [ForwardReference.Location: [ForwardReference]] = [:]
    /// The order of members, for locations at which a reference waits.
    @exclusivity(unchecked) var orders: [ForwardReference.Location: MemberOrder] = [:]
    /// The locations of the current row at which references wait.
    @exclusivity(unchecked) var waitingOfRow: [ForwardReference.Location] = []
    /// The key of the latest forward reference.
    @exclusivity(unchecked) var lastWaiting: ForwardKey?
    /// The locations of references from earlier batches, which are kept outside the resolver.
    @exclusivity(unchecked) var earlierLocations: Set<ForwardReference.Location> = []
    /// Those of the earlier locations whose relationships later rows have set.
    @exclusivity(unchecked) var supersededLocations: Set<ForwardReference.Location> = []
    /// Objects that the import created from a key alone. Their first full row treats them as new.
    @exclusivity(unchecked) var unfinished: Set<ManagedObjectID> = []
    /// The relations set from the other side; nil if an absent key never clears a relationship.
    @exclusivity(unchecked) var inverseAssignments: InverseAssignments?
    /// Memory for the old values of objects while rows are compared with them.
    @exclusivity(unchecked) private var scratch = ByteArena()

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - clearsAbsent: true if an absent key clears some relationship.
    ///   - callsHooks: true if the import calls code of the program.
    init(
        context: ManagedObjectContext, mapping: ImportMapping, clearsAbsent: Bool, callsHooks: Bool
    ) {
        self.context = context
        inverseAssignments = clearsAbsent ? InverseAssignments() : nil
        self.mapping = mapping
        objects = ImportedObjects(context, callsHooks: callsHooks)
    }

    enum Outcome { case inserted, updated, unchanged }

    func resolve(_ rows: [StagedRow]) throws {
        objects.beginBatch()
        for row in rows { try note(row) }
        try objects.prepare()
        try prepareComposite(rows)
        try loadMembers(of: rows)
        scratch = ByteArena()
        for row in rows {
            let result = try object(of: row)
            if seen != nil { see(result?.object, row) }
            if !waitingOfRow.isEmpty { tellWaiting(result?.outcome) }
            switch result?.outcome {
            case .inserted: report.inserted += 1
            case .updated: report.updated += 1
            case .unchanged: report.unchanged += 1
            case nil where row.isDeclined: report.declined += 1
            case nil: report.skipped += 1
            }
        }
    }

    /// Records the object of a row, so that objects without a row can be deleted.
    private func see(_ object: ManagedObject?, _ row: StagedRow) {
        if let object {
            seen?.ids.insert(object.objectID)
        } else if row.key == nil && !row.isDeclined && seen?.unknownRow == nil {
            seen?.unknownRow = row.number
        }
    }

    /// Records an object that the source mentions, also in another row or by its key alone.
    func see(_ object: ManagedObject) {
        if seen == nil { return }
        if type(of: object).entityDescription.isKind(of: mapping.entity) {
            seen?.ids.insert(object.objectID)
        }
    }

    /// Deletes members that were removed for deletion, unless an object has taken them since.
    func deleteAbandoned() throws {
        defer { abandoned = [:] }
        for member in abandoned.values.sorted(by: { $0.objectID.key < $1.objectID.key })
        where member.objectState != .deleted && member.objectState != .detached {
            try member.delete()
        }
    }

    /// Sets the values of a row in one object, whatever the row's identity.
    func resolve(_ row: StagedRow, for object: ManagedObject) throws {
        objects.beginBatch()
        row.edit { $0.object = object }
        try note(row)
        row.edit { ($0.key, $0.keyIndex) = (nil, nil) }
        try objects.prepare()
        try prepareComposite([row])
        if row.isDeclined { return report.declined += 1 }
        guard !isRefused(row), isKind(object, of: row.mapping, row),
            let outcome = try apply(row, to: object)
        else { return report.skipped += 1 }
        if !waitingOfRow.isEmpty { tellWaiting(outcome) }
        if outcome == .unchanged { report.unchanged += 1 } else { report.updated += 1 }
    }

    /// Requests the object of a row and the objects to which it refers.
    private func note(_ row: StagedRow) throws {
        let mapping = row.mapping
        if mapping.hooks.seeRows, try !isWanted(row) { return row.edit { $0.isDeclined = true } }
        // If the program names the object of the row, the object has its identity already.
        if !mapping.identityDefaults.isEmpty && row.object == nil { row.takeIdentityDefaults() }
        if let key = row.key ?? row.simpleKey {
            let index = try objects.objects(of: mapping)?.want(key)
            row.edit { ($0.key, $0.keyIndex) = (key, index) }
        }
        try forEachMember(of: row) { member, relation in
            switch member {
            case .row(let nested): try note(nested)
            case .key(let value):
                if let key = LookupKey(value) {
                    try objects.objects(of: relation.destination)?.want(key)
                }
            case .unfit: break
            }
        }
    }

    private func isWanted(_ row: StagedRow) throws -> Bool {
        guard let seen = seen(row) else { return true }
        return try row.mapping.hooks.want(seen)
    }

    /// Returns the row as hooks receive it; nil if the row is not an object.
    private func seen(_ row: StagedRow) -> ImportRow? {
        row.source.map { ImportRow(number: row.number, path: path.text, value: $0) }
    }

    /// Calls a closure for every member of a row's relationships, with `path` at that member.
    func forEachMember(
        of row: StagedRow, _ body: (StagedMember, ImportMapping.Relation) throws -> Void
    ) throws {
        for (relationIndex, relation) in row.mapping.relations.enumerated() {
            let related = row.related(relationIndex)
            guard case .members(let members, let priority, let isArray) = related else { continue }
            path.push(.key(relation.keys[priority]))
            defer { path.pop() }
            for (index, member) in members.enumerated() {
                if isArray { path.push(.index(index)) }
                defer { if isArray { path.pop() } }
                try body(member, relation)
            }
        }
    }

    /// Returns the object of a row, with its values and its related objects set.
    ///
    /// - Returns: nil for a row that is skipped and reported.
    func object(of row: StagedRow) throws -> (object: ManagedObject, outcome: Outcome)? {
        let mapping = row.mapping
        if let problem = mapping.identityProblem { throw problem }
        if row.isDeclined { return nil }
        if let object = try objectOfAnyKind(row) { return try refer(row, to: object) }
        let known = try objects.objects(of: mapping)
        if isRefused(row) {
            try row.key.flatMap { try known?.object(for: $0) }.map(see)
            return nil
        }
        // An object to which the row refers may have been created a moment ago.
        let key = try knownKey(of: row)
        let found = try key.flatMap { try known?.object(for: $0, at: row.keyIndex) }
        if let found {
            // The object counts as seen even if its row is skipped.
            see(found)
            guard isKind(found, of: mapping, row) else { return nil }
            return try apply(row, to: found).map { (found, $0) }
        }
        return try make(row, key: key).map { object in
            see(object)
            return (object, .inserted)
        }
    }

    /// Returns true if a row cannot be imported at all, and reports it.
    private func isRefused(_ row: StagedRow) -> Bool {
        guard let refusal = row.refusal else { return false }
        note(row, key: "", nil, refusal, isLeftOut: true)
        return true
    }

    func isKind(
        _ object: ManagedObject, of mapping: ImportMapping, _ row: StagedRow
    ) -> Bool {
        let entity = type(of: object).entityDescription
        if entity.isKind(of: mapping.entity) { return true }
        note(
            row, key: mapping.identity?.keys[0] ?? "", nil,
            "The object that the row is of is a \(entity.name), not a \(mapping.entity.name).",
            isLeftOut: true)
        return false
    }

    private func make(_ row: StagedRow, key: LookupKey?) throws -> ManagedObject? {
        let mapping = row.mapping
        guard let slots = accept(row, nil) else { return nil }
        if mapping.relations.isEmpty && row.owner == nil {
            let object = try context.create(mapping.type)
            _ = try assign(row, slots, to: object, [], isFresh: true)
            return object
        }
        guard try hasAllKeys(row), try hasRequiredReferences(row) else { return nil }
        var key = key
        if key == nil && mapping.hasCompositeIdentity {
            key = try compositeKey(
                of: row, { try destination(of: $0, $1, row, for: nil) }, owner: { $0.row.object })
        }
        guard let needed = try requiredReferences(of: row) else { return nil }
        // An object that this one needs may have referred back to it and created it.
        if !needed.isEmpty, let key, let known = try objects.objects(of: mapping),
            let made = try known.object(for: key)
        {
            _ = try assign(row, slots, to: made, needed, isFresh: false)
            return made
        }
        let object = try context.create(mapping.type)
        for relation in mapping.relations
        where relation.description.isToMany && relation.rules.members != .add {
            object.startWithoutMembers(relation.description.index)
        }
        _ = try assign(row, slots, to: object, needed, isFresh: true)
        if mapping.distinguishesNew && row.isReference { noteUnfinished(object, mapping) }
        return object
    }

    /// Sets the values of a row in its existing object.
    ///
    /// - Returns: nil for a row that is skipped and reported.
    func apply(_ row: StagedRow, to object: ManagedObject) throws -> Outcome? {
        let isNew = !unfinished.isEmpty && unfinished.contains(object.objectID)
        guard let slots = accept(row, isNew ? nil : object), try hasAllKeys(row) else { return nil }
        if isNew && !row.isReference { unfinished.remove(object.objectID) }
        return try assign(row, slots, to: object, [], isFresh: false, isNew: isNew)
            ? .updated : .unchanged
    }

    /// Records an object created from its key alone, if its first full row must treat it as new.
    func noteUnfinished(_ object: ManagedObject, _ mapping: ImportMapping) {
        if mapping.distinguishesNew { unfinished.insert(object.objectID) }
    }

    /// Sets the values of a row in an object, and calls the hooks.
    ///
    /// - Parameters:
    ///   - isFresh: true if the object was created for the row.
    ///   - isNew: true if the object takes the values that new objects take; nil to use `isFresh`.
    /// - Returns: true if anything has changed.
    private func assign(
        _ row: StagedRow, _ slots: SlotSet, to object: ManagedObject,
        _ needed: [ReferenceAssignment], isFresh: Bool, isNew: Bool? = nil
    ) throws -> Bool {
        let mapping = row.mapping
        let isNew = isNew ?? isFresh
        guard mapping.hooks.seeRows, let seen = seen(row) else {
            return try assignUnseen(row, slots, to: object, needed, isFresh, isNew)
        }
        let before = RowBatch(width: type(of: object).slotCount)
        before.append { object.write(to: &$0) }
        try mapping.hooks.callBefore(object, seen)
        let isChanged = try assignUnseen(row, slots, to: object, needed, isFresh, isNew)
        try mapping.hooks.callAfter(object, seen)
        try objects.objects(of: mapping)?.keep(object, as: nil)
        before.append { object.write(to: &$0) }
        return isChanged
            || (0..<before.width).contains {
                !before.cell(row: 0, slot: $0).isSame(as: before.cell(row: 1, slot: $0))
            }
    }

    private func assignUnseen(
        _ row: StagedRow, _ slots: SlotSet, to object: ManagedObject,
        _ needed: [ReferenceAssignment], _ isFresh: Bool, _ isNew: Bool
    ) throws -> Bool {
        let mapping = row.mapping
        var isChanged = try context.assign(
            row.cells, width: row.rows.width, slots: slots, to: object, isFresh: isFresh,
            scratch: scratch)
        for reference in needed {
            if object.relate(to: reference.object, at: reference.slot) { isChanged = true }
            guard inverseAssignments != nil, let index = mapping.relation(at: reference.slot)
            else { continue }
            noteAssignment(of: object, mapping.relations[index], reference.object)
        }
        if !mapping.relations.isEmpty { row.edit { $0.object = object } }
        if isFresh || isChanged {
            let isKnown = isFresh && !mapping.hooks.seeRows
            try objects.objects(of: mapping)?.keep(object, as: isKnown ? row.key : nil)
        }
        if !mapping.relations.isEmpty,
            try relate(object, row, isNew: isNew, hasNeeded: isFresh)
        {
            isChanged = true
        }
        return isChanged
    }

    /// Reports a problem with a row or a value.
    func note(
        _ row: StagedRow, key: String, _ property: String?, _ message: String,
        isLeftOut: Bool = false
    ) {
        let location = path.text
        let isNested = isLeftOut && !path.isEmpty
        report.problems.append(
            ImportProblem(
                row: row.number, path: key.isEmpty ? location : location.appending(key: key),
                property: property,
                message: isNested ? "\(message) The object at \(location) was left out." : message,
                isRowSkipped: isLeftOut && path.isEmpty))
    }
}

extension String {
    /// Returns the path with one more key.
    func appending(key: String) -> String { isEmpty ? key : "\(self).\(key)" }
}
