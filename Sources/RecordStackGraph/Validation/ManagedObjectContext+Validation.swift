import RecordStackModel

extension ManagedObjectContext {
    /// Checks whether the changes of this context comply with its rules, and saves nothing.
    ///
    /// The call checks the same rules as a save: all properties of new objects, the changed
    /// properties of changed objects, and `validateForInsert()`, `validateForUpdate()` and
    /// `validateForDelete()`. Only a save detects conflicts and duplicates of unique values. The
    /// call does not check the changes of ancestors.
    ///
    /// - Throws: ``RecordStackError/Code/validation`` with every failure.
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
