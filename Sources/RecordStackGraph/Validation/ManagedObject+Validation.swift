public import RecordStackModel

extension ManagedObject {
    /// Checks whether the object complies with all rules, without saving it.
    ///
    /// ```swift
    /// do {
    ///     try person.validate()
    /// } catch let error as RecordStackError where error.code == .validation {
    ///     for failure in error.failures { print(failure.message) }
    /// }
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/validation`` with every failure. Also throws the errors of
    ///   ``validationFailures()``.
    public final func validate() throws {
        let failures = try validationFailures()
        if failures.isEmpty { return }
        throw RecordStackError.validation(
            failures.map(\.description).joined(separator: " "), failures)
    }

    /// Returns all validation failures of the object.
    ///
    /// The call checks the rules of all properties, changed or not. It then calls
    /// `validateForInsert()` on a new object, or `validateForUpdate()` on any other object. For an
    /// object that the next save deletes, it calls only `validateForDelete()`.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a detached object, which no save writes. Also
    ///   throws the errors of ``load()``.
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

    /// Returns the failures that the object's own validation hook reports.
    final func callValidationHook() -> [ValidationFailure] {
        guard let due = dueValidation, !has(ObjectFlags.validating) else { return [] }
        // The hook may itself call `validationFailures()`.
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

    /// The validation hook for the object's state, if its class overrides it.
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
