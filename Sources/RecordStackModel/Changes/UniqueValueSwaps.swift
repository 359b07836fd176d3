/// Finds the updates of a save that give up a unique value which another update takes.
struct UniqueValueSwaps {
    /// The index of an update, and the index of the entity's changes that contain it.
    private struct UpdateIndex {
        let changes: Int
        let update: Int
    }

    private let changes: [EntityChanges]
    private let descriptions: [EntityDescription]

    init(changes: ChangeSet, model: ManagedObjectModel) {
        self.changes = changes.entities
        descriptions = changes.entities.map { model.modelEntities[$0.entity].description }
    }

    /// The steps that set placeholders before the first update.
    var steps: [SavePlan.Step] {
        // A single update has no other update to swap with.
        if changes.reduce(0, { $0 + $1.updates.count }) < 2 { return [] }
        var candidates: [SlotGroup: [UpdateIndex]] = [:]
        for index in changes.indices {
            for group in descriptions[index].uniqueGroups {
                let touching = changes[index].updates.indices.filter { update in
                    group.slots.contains(where: changes[index].updates[update].slots.contains)
                }
                candidates[group, default: []] += touching.map {
                    UpdateIndex(changes: index, update: $0)
                }
            }
        }
        // Sorted, so that equal saves have equal plans.
        let groups = candidates.keys.sorted {
            $0.owner == $1.owner
                ? $0.slots.lexicographicallyPrecedes($1.slots) : $0.owner < $1.owner
        }
        return groups.flatMap { placeholderSteps($0, candidates[$0] ?? []) }
    }

    private func placeholderSteps(
        _ group: SlotGroup, _ candidates: [UpdateIndex]
    ) -> [SavePlan.Step] {
        guard candidates.count > 1 else { return [] }
        let taken = Set(candidates.map { values(of: group, $0, before: false) })
        let swapped = candidates.filter {
            let old = values(of: group, $0, before: true)
            return !old.contains(where: \.isNull) && taken.contains(old)
        }
        return Dictionary(grouping: swapped) { [$0.changes, slot(of: group, $0)] }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { key, swapped in
                .setPlaceholders(changes[key[0]], slot: key[1], updates: swapped.map(\.update))
            }
    }

    private func values(of group: SlotGroup, _ index: UpdateIndex, before: Bool) -> [StoredValue] {
        let entity = changes[index.changes]
        let changed = entity.updates[index.update].slots
        return group.slots.map { slot in
            // The base of an unchanged slot is not kept.
            before && changed.contains(slot)
                ? entity.bases.storedValue(row: index.update, slot: slot)
                : entity.updated.storedValue(row: index.update, slot: slot)
        }
    }

    /// Returns the slot of the group that takes the placeholder.
    ///
    /// The update must change the slot. An attribute is preferred, because a reference
    /// would be checked.
    private func slot(of group: SlotGroup, _ index: UpdateIndex) -> Int {
        let changed = changes[index.changes].updates[index.update].slots
        let slots = descriptions[index.changes].slots
        let free = group.slots.filter(changed.contains)
        return free.first { slots[$0].relationship == nil } ?? free[0]
    }
}
