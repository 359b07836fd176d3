import RecordStackChanges
import RecordStackModel

/// Applies a merge policy to conflicts, and keeps those that fail the save.
struct PolicyEvaluator: MergeAdvisor {
    let coordinator: PersistentStoreCoordinator
    let policy: MergePolicy
    /// The objects that the save deletes.
    let deleted: DeletedKeys
    /// The conflicts that fail the save.
    private(set) var conflicts: [MergeConflict] = []

    init(coordinator: PersistentStoreCoordinator, policy: MergePolicy, deleted: DeletedKeys) {
        self.coordinator = coordinator
        self.policy = policy
        self.deleted = deleted
    }

    /// Throws if a conflict fails the save.
    ///
    /// - Throws: ``RecordStackError/Code/conflict`` with all conflicts that fail the save.
    func throwIfAny() throws {
        if !conflicts.isEmpty { throw RecordStackError.conflict(conflicts) }
    }

    var wholeRowDecision: Decision? {
        switch policy.ofWholeObjects?.kind {
        case .rollback: .allTheirs
        case .overwrite: .allOurs
        default: nil
        }
    }

    mutating func decide(
        _ kind: MergeConflict.Kind, of row: RowKey, clashes: SlotSet, ours: RowEdit,
        theirs: TheirRow?
    ) throws -> Decision? {
        let conflict = MergeConflict(
            objectID: coordinator.objectID(entity: row.entity, key: row.key), kind: kind,
            properties: properties(clashes, of: row, ours, theirs))
        let decision = try coordinator.hooks.running("a merge policy") {
            try policy.decision(on: conflict)
        }
        switch decision.kind {
        case .fail:
            conflicts.append(conflict)
            return nil
        case .storeTrump: return .theirs
        case .objectTrump: return .ours
        case .rollback: return .allTheirs
        case .overwrite: return .allOurs
        case .values(let values):
            // A deletion has no values.
            return .values(kind == .deletedHere ? [] : try slots(of: values, row))
        }
    }

    func wasClearedByDeletion(_ base: StoredValue, at slot: Int, of entity: Int) -> Bool {
        deleted.contains(base, at: slot, of: entity, in: coordinator.model)
    }

    private func properties(
        _ clashes: SlotSet, of row: RowKey, _ ours: RowEdit, _ theirs: TheirRow?
    ) -> [MergeConflict.Property] {
        guard let theirs else { return [] }
        let names = coordinator.model.modelEntities[row.entity].description.slots
        return clashes.slots.map { slot in
            MergeConflict.Property(
                name: names[slot].name, base: ours.base[slot], ours: ours.values[slot],
                theirs: theirs.values[slot])
        }
    }

    /// Returns the values that a custom policy has given to attributes.
    ///
    /// The values are checked here, because the save checked its objects before the policy decided.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a value that the entity cannot have;
    ///   ``RecordStackError/Code/validation`` for a value that the entity's rules do not allow.
    private func slots(
        of values: [String: any AttributeValue], _ row: RowKey
    ) throws -> [(slot: Int, value: StoredValue)] {
        let description = coordinator.model.modelEntities[row.entity].description
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
                of: stored, objectID: coordinator.objectID(entity: row.entity, key: row.key),
                in: description)
            return (attribute.slot, stored)
        }
        if failures.isEmpty { return slots }
        let texts = failures.map(\.description).joined(separator: " ")
        throw RecordStackError.validation(
            "A merge policy gave what the entity's rules refuse. \(texts)", failures)
    }
}
