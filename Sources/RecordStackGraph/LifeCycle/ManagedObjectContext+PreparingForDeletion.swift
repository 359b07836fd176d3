extension ManagedObjectContext {
    /// Calls `prepareForDeletion()` of objects that are about to be deleted, of each once. They are
    /// alive, their relationships are as they were, and what the hook changes is taken into account
    /// by the deletion that follows.
    ///
    /// Call it before a deletion reads or changes anything, outside of operations.
    func prepareForDeletion(_ objects: [ManagedObject]) throws {
        guard coordinator.types.allHooks.contains(.prepareForDeletion) else { return }
        let hooked = objects.filter { hooks[entityIndex(of: $0)].contains(.prepareForDeletion) }
        if hooked.isEmpty { return }
        // Others may have deleted some of them.
        try upToDate {}
        try coordinator.hooks.running("prepareForDeletion()") {
            for object in hooked {
                let gone = ObjectFlags.detached | ObjectFlags.deleted | ObjectFlags.preparing
                if object.has(gone) { continue }
                try object.load()
                // The hook may delete the object itself.
                object.apply(.preparingBegan)
                object.prepareForDeletion()
                object.apply(.preparingEnded)
            }
        }
    }
}
