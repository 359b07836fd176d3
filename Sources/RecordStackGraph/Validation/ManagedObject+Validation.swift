public import RecordStackModel

extension ManagedObject {
    /// Finds out whether the object keeps all rules. Changes nothing.
    ///
    /// ```swift
    /// do {
    ///     try person.validate()
    /// } catch let error as RecordStackError where error.code == .validation {
    ///     for failure in error.failures { print(failure.message) }
    /// }
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/validation`` with everything that is wrong, and what
    ///   ``validationFailures()`` throws.
    public final func validate() throws {
        let failures = try validationFailures()
        if failures.isEmpty { return }
        throw RecordStackError.validation(
            failures.map(\.description).joined(separator: " "), failures)
    }

    /// Everything that is wrong with the object: the rules of all its properties, changed or not, and
    /// what `validateForInsert()` of a new object or `validateForUpdate()` of any other says. Of one that
    /// is to be deleted only `validateForDelete()` is asked.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a detached object, which nobody saves, and what
    ///   ``load()`` throws.
    public final func validationFailures() throws -> [ValidationFailure] {
        if isDetached { throw absent("There is nothing to validate.") }
        try load()
        var validation = ValidationResult()
        if !has(ObjectFlags.deleted) {
            validation.check(self)
            for relationship in 0..<Self.relationshipCount {
                if let failure = try countFailure(of: relationship) { validation.add(failure) }
            }
        }
        return validation.allFailures + callValidationHook()
    }

    /// What the object's own code finds wrong before it is saved as it is.
    final func callValidationHook() -> [ValidationFailure] {
        guard let due = dueValidation, !has(ObjectFlags.validating) else { return [] }
        // The hook may ask what else is wrong.
        apply(.validatingBegan)
        defer { apply(.validatingEnded) }
        var found = ValidationError()
        anchor.coordinator.hooks.running(due.name) { found.collect(due.hook) }
        let description = Self.entityDescription
        return found.problems.map { problem in
            if let failure = problem.failure { return failure }
            return ValidationFailure(problem, in: due.rule, of: objectID, entity: description) {
                storedValue(at: $0)
            }
        }
    }

    private struct DueValidation {
        let name: String
        let rule: ValidationFailure.Rule
        let hook: () throws -> Void
    }

    /// The hook that is called before the object is saved as it is, if its class overrides it.
    private final var dueValidation: DueValidation? {
        let hooks = Self.lifeCycleHooks
        if has(ObjectFlags.deleted) {
            guard hooks.contains(.validateForDelete) else { return nil }
            return DueValidation(
                name: "validateForDelete()", rule: .validateForDelete, hook: validateForDelete)
        }
        if has(ObjectFlags.inserted) {
            guard hooks.contains(.validateForInsert) else { return nil }
            return DueValidation(
                name: "validateForInsert()", rule: .validateForInsert, hook: validateForInsert)
        }
        guard hooks.contains(.validateForUpdate) else { return nil }
        return DueValidation(
            name: "validateForUpdate()", rule: .validateForUpdate, hook: validateForUpdate)
    }
}
