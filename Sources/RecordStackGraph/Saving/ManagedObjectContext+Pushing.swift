import RecordStackChanges
public import RecordStackModel

extension ManagedObjectContext {
    /// Hands this context's unsaved changes to its parent, without writing to the store.
    ///
    /// From then on, the changes belong to the parent, whose next save writes them.
    ///
    /// ```swift
    /// let form = context.newChild()
    /// // … edit objects in `form` …
    /// try form.push()              // or drop the form, which discards its changes
    /// try await context.save()
    /// ```
    ///
    /// - Parameter policy: The rule that resolves conflicts with changes of the parent or of other
    ///   saves. The default is the context's ``mergePolicy``.
    /// - Returns: The number of objects that were handed over, counted as a save counts them.
    /// - Throws: ``RecordStackError/Code/misuse`` if the parent is root, which keeps no changes, or
    ///   if it belongs to another isolation. Throws ``RecordStackError/Code/validation`` if the
    ///   changes break a rule. Throws ``RecordStackError/Code/conflict`` if the parent or another
    ///   save has changed the same properties and the policy does not resolve the conflict. If the
    ///   call throws, nothing is handed over.
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
