import RecordStackChanges
import RecordStackModel

/// Merges a child's changes with its ancestors' unsaved changes of the same rows.
struct LayerMerger {
    private let coordinator: PersistentStoreCoordinator
    private let merge = ThreeWayMerge(boundary: .layer)
    private var policy: PolicyEvaluator
    private let torn: [RowKey: SlotSet]

    /// Creates a merger.
    ///
    /// - Parameters:
    ///   - levels: all changes of the save or push.
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

    /// Merges a child's changes with the changes of its ancestors.
    ///
    /// - Parameter parent: the ancestors' changes of the rows.
    /// - Throws: the errors of the policy. ``throwIfAny()`` throws the conflicts that fail the
    ///   save.
    mutating func merge(
        _ changes: ChangeSet, over parent: [RowKey: RowEdit]
    ) throws -> MergedLayer {
        var resolutions: [RowKey: Resolution] = [:]
        var oneToOneReverts = OneToOneReverts(types: coordinator.types)
        for entity in changes.entities {
            try entity.forEachEdit { row, edit in
                // A row that both sides delete is deleted.
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

    /// Throws if a conflict fails the save.
    ///
    /// - Throws: ``RecordStackError/Code/conflict`` with all conflicts that fail the save.
    func throwIfAny() throws { try policy.throwIfAny() }
}

/// The result of a merge of a child's changes.
struct MergedLayer {
    let changes: ChangeSet
    /// The resolutions, except for those that leave a change as it was.
    let resolutions: [RowKey: Resolution]
}
