import RecordStackGraph
import RecordStackModel

// The objects to which the rows of a batch refer.
extension BatchResolver {
    /// A to-one relationship and its new destination; nil clears the relationship.
    struct ReferenceAssignment {
        let slot: Int
        let object: ManagedObject?
    }

    /// Returns true if every key that must identify an object identifies one.
    ///
    /// Otherwise the row is skipped and reported.
    func hasAllKeys(_ row: StagedRow) throws -> Bool {
        let mapping = row.mapping
        for (index, relation) in mapping.relations.enumerated()
        where relation.rules.missing == .fail {
            guard case .members(let members, let priority, _) = row.related(index),
                let known = try objects.objects(of: relation.destination)
            else { continue }
            for case .key(let value) in members {
                guard let key = LookupKey(value), try known.object(for: key) == nil,
                    relation.destination !== mapping || key != row.key
                else { continue }
                note(
                    row, key: relation.keys[priority], relation.description.name,
                    missing(value, relation) + ".", isLeftOut: true)
                return false
            }
        }
        return true
    }

    /// Relates an object to all objects to which its row refers.
    ///
    /// - Parameters:
    ///   - isNew: true if the object takes the values that new objects take.
    ///   - hasNeeded: true if the object is already related to the objects that it needed
    ///     to be created.
    /// - Returns: true if anything has changed.
    func relate(
        _ object: ManagedObject, _ row: StagedRow, isNew: Bool, hasNeeded: Bool
    ) throws -> Bool {
        if row.mapping.distinguishesNew && row.isReference { return false }
        var isChanged = false
        for (index, relation) in row.mapping.relations.enumerated() {
            let related = row.related(index)
            // The outer object sets this reference itself, so the row must not clear it.
            if row.refersToOwner(relation, related) { continue }
            if !waiting.isEmpty || !earlierLocations.isEmpty { stopWaiting(object, row, index) }
            if relation.description.isToMany {
                if try relateMembers(of: object, related, relation, row, isNew) {
                    isChanged = true
                }
            } else if !(hasNeeded && row.needs(relation, related)) {
                let reference = try referenceAssignment(
                    of: related, relation, row, isNew ? nil : object, for: object)
                guard let reference else { continue }
                if reference.object != nil { abandoned[ObjectIdentifier(object)] = nil }
                if object.relate(to: reference.object, at: reference.slot) { isChanged = true }
                noteAssignment(of: object, relation, reference.object)
            }
        }
        return isChanged
    }

    /// Returns the new destination of a to-one relationship; nil if it does not change.
    ///
    /// - Parameters:
    ///   - found: the row's object; nil if the object is new.
    ///   - owner: the row's object; nil if it is not created yet.
    func referenceAssignment(
        of related: StagedRelated, _ relation: ImportMapping.Relation, _ row: StagedRow,
        _ found: ManagedObject?, for owner: ManagedObject?
    ) throws -> ReferenceAssignment? {
        guard let slot = relation.description.slot else { return nil }
        let isRequired = relation.description.isRequired
        switch related {
        case .absent:
            // An object keeps the identity by which it was found.
            guard let found, relation.rules.absent != .leave, !isRequired,
                !relation.isPartOfIdentity, !isAssigned(found, relation)
            else { return nil }
            return ReferenceAssignment(slot: slot, object: nil)
        case .null(let priority):
            if relation.rules.null == .ignore {
                return try referenceAssignment(of: .absent, relation, row, found, for: owner)
            }
            if !isRequired { return ReferenceAssignment(slot: slot, object: nil) }
            note(
                row, key: relation.keys[priority], relation.description.name,
                "\(relation.description.name) is null.")
            return nil
        case .members(let members, let priority, _):
            guard relation.rules.takesValue(at: slot, of: found) else { return nil }
            path.push(.key(relation.keys[priority]))
            defer { path.pop() }
            let object = try destination(of: members[0], relation, row, for: owner)
            return object.map { ReferenceAssignment(slot: slot, object: $0) }
        }
    }

    /// Returns the object that a value refers to; nil if there is no such object.
    ///
    /// - Parameter owner: the object to relate, which waits if there is no such object yet. Nil if
    ///   no object should wait: the missing object is then reported.
    func destination(
        of member: StagedMember, _ relation: ImportMapping.Relation, _ row: StagedRow,
        for owner: ManagedObject?
    ) throws -> ManagedObject? {
        switch member {
        case .row(let nested):
            return try nestedObject(of: nested, relation, row, for: owner)
        case .key(let value): return try object(of: value, relation, row, for: owner)
        case .unfit(let found):
            let name = relation.description.name
            note(row, key: "", name, "\(name) is \(found), \(relation.destination.wanted).")
            return nil
        }
    }

    /// Returns the object of a nested row. Without one, the owner waits for a later row.
    private func nestedObject(
        of nested: StagedRow, _ relation: ImportMapping.Relation, _ row: StagedRow,
        for owner: ManagedObject?
    ) throws -> ManagedObject? {
        guard let owner else { return try nestedObject(of: nested) }
        if try waitsForKind(of: nested, relation, in: row, owner) { return nil }
        let problems = report.problems.count
        if let object = try nestedObject(of: nested) { return object }
        _ = try waits(for: nested, relation, of: row, owner, after: problems)
        return nil
    }

    /// Returns the object of a nested row, and resolves the row only once.
    ///
    /// Otherwise a row whose object is part of an outer object's identity would be resolved twice.
    private func nestedObject(of row: StagedRow) throws -> ManagedObject? {
        if !row.mapping.composite.isPartOfComposite { return try object(of: row)?.object }
        if row.isResolved { return row.object }
        let object = try object(of: row)?.object
        row.edit { ($0.isResolved, $0.object) = (true, object) }
        return object
    }

    /// Returns the object of a bare key. Nothing is written to it unless it must be created.
    private func object(
        of value: StoredValue, _ relation: ImportMapping.Relation, _ row: StagedRow,
        for owner: ManagedObject?
    ) throws -> ManagedObject? {
        let mapping = relation.destination
        guard let key = LookupKey(value), let known = try objects.objects(of: mapping)
        else { return nil }
        if let object = try known.object(for: key) {
            see(object)
            if let problem = relation.problem(referringTo: object) {
                note(row, key: "", relation.description.name, problem)
                return nil
            }
            return object
        }
        if let owner, !relation.makesObjectsOfKeys || relation.waitsForKind {
            wait(for: .one(value), relation, row, owner) { $0.makesObject = relation.waitsForKind }
            return nil
        }
        if !relation.makesObjectsOfKeys {
            note(row, key: "", relation.description.name, missingForGood(value, relation))
            return nil
        }
        return try makeObject(of: value, relation)
    }

    /// Creates the object of a key that no object has.
    ///
    /// - Returns: nil if the value cannot be a key.
    func makeObject(
        of value: StoredValue, _ relation: ImportMapping.Relation
    ) throws -> ManagedObject? {
        let mapping = relation.destination
        guard let key = LookupKey(value), let slot = mapping.entity.identity?.slot,
            let known = try objects.objects(of: mapping)
        else { return nil }
        let object = try context.create(mapping.type)
        _ = try context.assign([(slot, value)], to: object)
        known.keep(object, as: key)
        noteUnfinished(object, mapping)
        see(object)
        return object
    }

    /// Returns the message that no object has a key.
    func missingForGood(_ value: StoredValue, _ relation: ImportMapping.Relation) -> String {
        let more = relation.rules.missing == .create ? ", and one needs more than that" : ""
        return missing(value, relation) + more + "."
    }

    private func missing(_ value: StoredValue, _ relation: ImportMapping.Relation) -> String {
        let entity = relation.destination.entity
        return "\(relation.description.name): there is no \(entity.name) with the "
            + "\(entity.identity?.name ?? "key") \(value.excerpt)"
    }
}

extension ImportMapping {
    /// The end of a message about a value that is not a key: a description of the entity's keys.
    fileprivate var wanted: String {
        let article = Wording.article(entity.name)
        if let identity {
            let key = identity.description.name
            return "neither \(article) nor its \(key), which is \(identity.expectation)"
        }
        if entity.identitySlots.isEmpty {
            return "not \(article), which has no identity by which a key could name it"
        }
        return "not \(article): an object of \(identityNames) names one"
    }

    /// The names of the identity's parts, for a message.
    var identityNames: String {
        let names = entity.identitySlots.map { entity.slots[$0].name }
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension ImportMapping.Relation {
    /// Whether the import creates an object for a key that no object has.
    ///
    /// The object must need nothing besides the key and its inverse reference.
    var makesObjectsOfKeys: Bool { rules.missing != .skip && canMakeObjectsOfKeys }

    /// Whether an object needs nothing besides its key and its inverse reference.
    var canMakeObjectsOfKeys: Bool {
        let entity = destination.entity
        let parts = entity.identitySlots
        return destination.needed.allSatisfy { parts.contains($0.slot) }
            && !entity.relationships.contains { relationship in
                relationship.isRequired && relationship.index != inverse
                    && !(relationship.slot.map(parts.contains) ?? false)
            }
            && !entity.isAbstract
    }

    /// Whether the object of a key waits for a later row that determines its entity.
    ///
    /// If no row does, the import creates the object at the end.
    var waitsForKind: Bool { makesObjectsOfKeys && destination.kinds != nil }

    /// Returns the reason why the relationship cannot refer to an object; nil if it can.
    ///
    /// Objects of another entity may have the same keys.
    func problem(referringTo object: ManagedObject) -> String? {
        let entity = type(of: object).entityDescription
        if entity.isKind(of: destination.entity) { return nil }
        return "\(description.name): the object of the key is a \(entity.name), not a "
            + "\(destination.entity.name)."
    }
}
