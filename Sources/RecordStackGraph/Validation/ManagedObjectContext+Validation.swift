import RecordStackModel

extension ManagedObjectContext {
    /// Finds out whether the changes of this context could be saved as far as its rules go. Changes
    /// nothing.
    ///
    /// It looks at what a save looks at: the whole of new objects, the changed properties of changed
    /// ones, and what `validateForInsert()`, `validateForUpdate()` and `validateForDelete()` say. Values
    /// that must be unique, and conflicts, show when the context is saved. Ancestors are not looked at.
    ///
    /// - Throws: ``RecordStackError/Code/validation`` with everything that is wrong.
    public func validate() throws {
        try enter()
        let ownFindings = callValidationHooks(of: [self])
        var findings = CaptureFindings()
        _ = captureChanges(&findings)
        for failure in try countFailures() { findings.add(failure) }
        findings.add(ownFindings)
        try findings.throwFailures()
    }

    /// Asks the changed objects of some contexts what is wrong with them, before these are captured.
    func validateBeforeCapture(_ contexts: [ManagedObjectContext]) throws -> CaptureFindings {
        let findings = callValidationHooks(of: contexts)
        if coordinator.types.allHooks.isDisjoint(with: .validation) { return findings }
        // Puts in order what the answers have changed. What is met only now awakes when the save is over.
        try hooks.holding { try settleBeforeCapture() }
        return findings
    }

    private func callValidationHooks(of contexts: [ManagedObjectContext]) -> CaptureFindings {
        var findings = CaptureFindings()
        if coordinator.types.allHooks.isDisjoint(with: .validation) { return findings }
        for context in contexts {
            findings.context = context.name
            context.callValidationHooks(&findings)
        }
        return findings
    }

    private func callValidationHooks(_ findings: inout CaptureFindings) {
        let changed = changedObjects { !hooks[$0].isDisjoint(with: .validation) }
        for object in changed where !object.has(ObjectFlags.deletedThere) {
            for failure in object.callValidationHook() { findings.add(failure) }
        }
    }
}
