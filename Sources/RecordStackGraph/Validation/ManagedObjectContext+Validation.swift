import RecordStackModel

extension ManagedObjectContext {
    /// Checks whether the changes of this context comply with all rules, without saving them.
    ///
    /// The call checks the same rules as a save. It checks all properties of new objects and the
    /// changed properties of other objects. It also calls `validateForInsert()`,
    /// `validateForUpdate()` and `validateForDelete()`. The call does not check the changes of
    /// ancestors. Only a save detects conflicts and duplicates of unique values.
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
