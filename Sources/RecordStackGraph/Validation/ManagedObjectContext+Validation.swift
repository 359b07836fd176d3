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
        let ownValidation = validator.callValidationHooks(of: [self])
        var validation = ValidationResult()
        _ = changeCapture.captureChanges(&validation)
        for failure in try validator.countFailures() { validation.add(failure) }
        validation.add(ownValidation)
        try validation.throwFailures()
    }
}
