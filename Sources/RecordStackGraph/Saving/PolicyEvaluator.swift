import RecordStackModel

/// Asks a merge policy what becomes of conflicts, and keeps those that fail the save.
struct ConflictJudge {
    let coordinator: PersistentStoreCoordinator
    let policy: MergePolicy
    /// The objects that the save deletes.
    let deleted: DeletedKeys
    /// What fails the save.
    private(set) var conflicts: [MergeConflict] = []

    init(coordinator: PersistentStoreCoordinator, policy: MergePolicy, deleted: DeletedKeys) {
        self.coordinator = coordinator
        self.policy = policy
        self.deleted = deleted
    }

    /// - Throws: ``RecordStackError/Code/conflict`` with all that fails the save.
    func throwIfAny() throws {
        if !conflicts.isEmpty { throw RecordStackError.conflict(conflicts) }
    }

    /// What becomes of an object; nil where it fails the save.
    mutating func decide(
        _ kind: MergeConflict.Kind, entity: Int, key: Int64,
        properties: [MergeConflict.Property] = []
    ) throws -> MergeDecision.Kind? {
        let conflict = MergeConflict(
            objectID: coordinator.objectID(entity: entity, key: key), kind: kind,
            properties: properties)
        let decision = try coordinator.hooks.running("a merge policy") {
            try policy.decision(on: conflict)
        }
        if case .fail = decision.kind {
            conflicts.append(conflict)
            return nil
        }
        return decision.kind
    }

    /// The slots that both sides have changed.
    /// - Parameter torn: the slots that are in conflict even where the other side's value equals the base.
    func clashes(
        _ slots: SlotSet, entity: Int, bases: [StoredValue], ours: [StoredValue],
        theirs: [StoredValue], torn: SlotSet = SlotSet()
    ) -> (slots: SlotSet, properties: [MergeConflict.Property]) {
        let names = coordinator.model.modelEntities[entity].description.slots
        var clashing = SlotSet()
        var properties: [MergeConflict.Property] = []
        slots.forEach { slot in
            if theirs[slot].isStoredSame(as: bases[slot]) && !torn.contains(slot) { return }
            if ours[slot].isNull && theirs[slot].isNull,
                deleted.contains(bases[slot], at: slot, of: entity, in: coordinator.model)
            {
                return
            }
            clashing.insert(slot)
            properties.append(
                MergeConflict.Property(
                    name: names[slot].name, base: bases[slot], ours: ours[slot],
                    theirs: theirs[slot]))
        }
        return (clashing, properties)
    }

    /// What a custom policy has given attributes.
    /// - Throws: ``RecordStackError/Code/misuse`` for what the entity cannot have;
    ///   ``RecordStackError/Code/validation`` for what its rules refuse: the objects were checked before.
    func slots(
        of values: [String: any AttributeValue], entity: Int, key: Int64
    ) throws -> [(slot: Int, value: StoredValue)] {
        let description = coordinator.model.modelEntities[entity].description
        var failures: [ValidationFailure] = []
        let slots = try values.map { name, value in
            guard let attribute = description.attributes.first(where: { $0.name == name }) else {
                throw RecordStackError(
                    .misuse,
                    "A merge policy gave “\(name)” a value. \(description.name) has no such attribute.",
                    entity: description.name)
            }
            let stored = value.storedValue
            let fits = stored.isNull ? attribute.isOptional : attribute.accepts(stored)
            guard fits else {
                throw RecordStackError(
                    .misuse,
                    "A merge policy gave “\(name)” \(stored), which is no \(attribute.typeName).",
                    entity: description.name, property: name)
            }
            failures += attribute.failures(
                of: stored, objectID: coordinator.objectID(entity: entity, key: key),
                in: description)
            return (attribute.slot, stored)
        }
        if failures.isEmpty { return slots }
        let texts = failures.map(\.description).joined(separator: " ")
        throw RecordStackError.validation(
            "A merge policy gave what the entity's rules refuse. \(texts)", failures)
    }
}
