extension ManagedObjectContext {
    /// Calls `prepareForDeletion()` once for each object that is about to be deleted.
    ///
    /// The objects still exist, and their relationships are unchanged. The deletion that follows
    /// takes account of what the hooks change. Call it outside of operations, before a deletion
    /// reads or changes anything.
    func prepareForDeletion(_ objects: [ManagedObject]) throws {
        guard coordinator.types.allHooks.contains(.prepareForDeletion) else { return }
        let hooked = objects.filter { hooks[entityIndex(of: $0)].contains(.prepareForDeletion) }
        if hooked.isEmpty { return }
        // Other contexts may have deleted some of them.
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
