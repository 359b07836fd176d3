import RecordStackGraph
import RecordStackModel

// The objects that the rows of a batch refer to.
extension BatchResolver {
    /// A to-one relationship and the object that it is to refer to; nil clears it.
    struct ReferenceAssignment {
        let slot: Int
        let object: ManagedObject?
    }

    /// Whether there is an object for each key that has to have one; if not, the row is left out and reported.
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

    /// Relates an object to all objects that its row refers to.
    /// - Parameters:
    ///   - isNew: whether it takes what new objects take.
    ///   - hasNeeded: whether it is related already to what it needed to be made.
    /// - Returns: whether anything has changed.
    func relate(
        _ object: ManagedObject, _ row: StagedRow, isNew: Bool, hasNeeded: Bool
    ) throws -> Bool {
        if row.mapping.distinguishesNew && row.isReference { return false }
        var isChanged = false
        for (index, relation) in row.mapping.relations.enumerated() {
            let related = row.related(index)
            // The object that the row stands in takes care of that, whose members it is not to leave.
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

    /// What a to-one relationship is to refer to; nil where it stays as it is.
    /// - Parameters:
    ///   - found: the row's object, unless it is new.
    ///   - owner: the row's object, unless it is not made yet.
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

    /// The object that a value stands for; nil where there is none, which is reported.
    /// - Parameter owner: who is to be related to it, and waits for it where there is none yet; nil for nobody.
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

    /// The object of a nested row. Where it cannot be made of that, its owner waits for a row that brings it.
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

    /// A nested row may be asked for twice, where its object is a part of the identity of the one that refers to it.
    private func nestedObject(of row: StagedRow) throws -> ManagedObject? {
        if !row.mapping.composite.isPartOfComposite { return try object(of: row)?.object }
        if row.isResolved { return row.object }
        let object = try object(of: row)?.object
        row.edit { ($0.isResolved, $0.object) = (true, object) }
        return object
    }

    /// The object of a key alone. Nothing of it is written, unless it has to be made.
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

    /// Makes the object of a key that nobody has.
    /// - Returns: nil for a key by which nothing is known.
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

    /// That nobody has a key, for a message.
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
    /// The part of a message that follows a value which is no key: what a key of the entity is.
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

    /// The parts of what objects are known by, for a message.
    var identityNames: String {
        let names = entity.identitySlots.map { entity.slots[$0].name }
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension ImportMapping.Relation {
    /// Whether a key that nobody has makes an object, which may need no more than the key and its inverse reference.
    var makesObjectsOfKeys: Bool { rules.missing != .skip && canMakeObjectsOfKeys }

    /// Whether an object needs no more than its key and its inverse reference.
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

    /// Whether a later row may say of which kind the object of a key is, which is made at the end otherwise.
    var waitsForKind: Bool { makesObjectsOfKeys && destination.kinds != nil }

    /// Why the relationship cannot refer to an object: another entity may have the same keys.
    func problem(referringTo object: ManagedObject) -> String? {
        let entity = type(of: object).entityDescription
        if entity.isKind(of: destination.entity) { return nil }
        return "\(description.name): the object of the key is a \(entity.name), not a "
            + "\(destination.entity.name)."
    }
}
