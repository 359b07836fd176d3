import RecordStackModel

/// Checks a context's changes before they are captured.
struct CaptureValidator: ContextView {
    let context: ManagedObjectContext

    /// Calls the validation hooks of the changed objects before some contexts are captured.
    func validateBeforeCapture(_ contexts: [ManagedObjectContext]) throws -> ValidationResult {
        let validation = callValidationHooks(of: contexts)
        if coordinator.types.allHooks.isDisjoint(with: .validation) { return validation }
        // Repairs the context after the hooks' changes. Objects that are loaded only now awake
        // after the save.
        try context.hooks.holding { try context.repairBeforeCapture() }
        return validation
    }

    func callValidationHooks(of contexts: [ManagedObjectContext]) -> ValidationResult {
        var validation = ValidationResult()
        if coordinator.types.allHooks.isDisjoint(with: .validation) { return validation }
        for context in contexts {
            validation.context = context.name
            context.validator.callValidationHooks(&validation)
        }
        return validation
    }

    func callValidationHooks(_ validation: inout ValidationResult) {
        let changed = context.changedObjects { !context.hooks[$0].isDisjoint(with: .validation) }
        for object in changed where !object.has(ObjectFlags.orphaned) {
            for failure in object.callValidationHook() { validation.add(failure) }
        }
    }
}
