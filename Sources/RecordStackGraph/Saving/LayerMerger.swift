import RecordStackChanges
import RecordStackModel

/// Merges the changes of a child with its ancestors' changes of the same rows, which are not saved either.
struct LayerMerger {
    private let coordinator: PersistentStoreCoordinator
    private let merge = ThreeWayMerge(boundary: .layer)
    private var policy: PolicyEvaluator
    private let torn: [RowKey: SlotSet]

    /// - Parameters:
    ///   - levels: all that is saved or pushed.
    ///   - torn: the slots that are in conflict even if the ancestor's value equals the base.
    init(
        _ levels: [ChangeSet], coordinator: PersistentStoreCoordinator, policy: MergePolicy,
        torn: [RowKey: SlotSet]
    ) {
        (self.coordinator, self.torn) = (coordinator, torn)
        self.policy = PolicyEvaluator(
            coordinator: coordinator, policy: policy,
            deleted: DeletedKeys(of: levels, in: coordinator.model))
    }

    /// Decides what becomes of a child's changes.
    /// - Parameter parent: the ancestors' changes of the rows.
    /// - Throws: what the policy throws. Conflicts that fail the save are kept for ``throwIfAny()``.
    mutating func merge(
        _ changes: ChangeSet, over parent: [RowKey: RowEdit]
    ) throws -> MergedLayer {
        var resolutions: [RowKey: Resolution] = [:]
        var oneToOneReverts = OneToOneReverts(types: coordinator.types)
        for entity in changes.entities {
            try entity.forEachEdit { row, edit in
                // What is deleted on both sides is deleted.
                guard let theirs = parent[row], !edit.isDeletion || !theirs.isDeletion else {
                    return
                }
                let resolution = try merge.resolve(
                    edit, of: row, against: theirs.asTheirs(torn: torn[row] ?? SlotSet()),
                    asking: &policy)
                if resolution.isUnchanged { return }
                resolutions[row] = resolution
                if !theirs.isDeletion {
                    oneToOneReverts.note(
                        edit, of: row, takenSlots: resolution.takenSlots, to: theirs.values)
                }
            }
        }
        var merged = changes.applying(resolutions, over: parent)
        merged.entities = oneToOneReverts.reverting(merged.entities, of: coordinator.model)
        return MergedLayer(changes: merged, resolutions: resolutions)
    }

    /// - Throws: ``RecordStackError/Code/conflict`` with all conflicts that fail the save.
    func throwIfAny() throws { try policy.throwIfAny() }
}

/// What a merge has left of a child's changes.
struct MergedLayer {
    let changes: ChangeSet
    /// The decisions, but for those that leave a change as it was.
    let resolutions: [RowKey: Resolution]
}
