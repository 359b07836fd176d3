import RecordStackChanges
public import RecordStackModel

extension ManagedObjectContext {
    /// Hands this context's changes to its parent, where they are changes to be saved. Nothing is
    /// written.
    ///
    /// ```swift
    /// let form = context.newChild()
    /// // … edit objects in `form` …
    /// try form.push()              // or drop the form, and nothing happened
    /// try await context.save()
    /// ```
    ///
    /// - Parameter mergePolicy: what becomes of objects that the parent has changed, too; the context's
    ///   ``mergePolicy`` where it is nil.
    /// - Returns: how many objects were handed over, as a save would count them; nothing was saved.
    /// - Throws: ``RecordStackError/Code/misuse`` where the parent is root, which keeps no changes, or another isolation's;
    ///   ``RecordStackError/Code/validation``; and ``RecordStackError/Code/conflict`` where the
    ///   parent changed the same properties since and the policy lets it fail. Nothing is handed over
    ///   then.
    @discardableResult
    public func push(mergePolicy policy: MergePolicy? = nil) throws -> SaveOutcome {
        guard let parent = parentContext else {
            throw RecordStackError(
                .misuse,
                "The context “\(name)” is a child of \(coordinator.architecture.baseName), which keeps no "
                    + "changes. Save it instead."
            )
        }
        if parent.parentSnapshot != nil {
            throw RecordStackError(
                .misuse,
                "The parent of “\(name)” is “\(parent.name)”, which is another isolation's. What the block "
                    + "changes is saved when it returns.")
        }
        try enter()
        let use = beginUse()
        defer { endUse(use) }
        try coordinator.hooks.refuse("push()")
        try waitForSaveUnderWay()
        merger.mergeCommits(isForced: true)
        parentView.letAncestorsCatchUp()
        try repairBeforeCapture(onlyHeld: true)
        defer { for context in chain.reversed() { context.callDueHooks() } }
        let ownValidation = try validator.validateBeforeCapture([self])
        return try hooks.holding {
            try parent.hooks.holding {
                try RecordStackError.wording(for: .push) {
                    try Push(context: self, parent: parent).run(
                        ownValidation, policy ?? mergePolicy)
                }
            }
        }
    }
}
