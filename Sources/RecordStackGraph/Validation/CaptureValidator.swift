import RecordStackModel

/// Checks what a context has changed, before it is captured.
struct CaptureValidator: ContextView {
    let context: ManagedObjectContext

    /// Asks the changed objects of some contexts what is wrong with them, before these are captured.
    func validateBeforeCapture(_ contexts: [ManagedObjectContext]) throws -> ValidationResult {
        let validation = callValidationHooks(of: contexts)
        if coordinator.types.allHooks.isDisjoint(with: .validation) { return validation }
        // Puts in order what the answers have changed. What is met only now awakes when the save is over.
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
