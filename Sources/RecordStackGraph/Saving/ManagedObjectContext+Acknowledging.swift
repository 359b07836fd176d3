extension ManagedObjectContext {
    /// Records which objects of this context and its ancestors a save writes, for `didSave()`.
    func expectDidSave(of ticket: SaveTicket) {
        guard coordinator.types.allHooks.contains(.didSave) else { return }
        for context in chain {
            context.hooks.expect(
                ticket, of: context.changedObjects { hooks[$0].contains(.didSave) })
        }
    }

    /// Merges commits in this context and its ancestors, and forgets the saves that have failed.
    private func drainAfterSave() {
        var finished: [(context: ManagedObjectContext, ticket: SaveTicket)] = []
        forEachUp { context in
            finished += context.hooks.finishedSaves.map { (context, $0) }
        }
        merger.mergeCommits(isForced: true)
        // A save is acknowledged before it is finished. A finished save that was not acknowledged
        // has failed, unless it is in doubt.
        for (context, ticket) in finished where !coordinator.isInDoubt(ticket) {
            context.hooks.forget(ticket)
        }
    }

    /// Completes a save, whether or not it has succeeded.
    func endSave() {
        hearOfSave()
        publishTreeChanges()
    }

    /// Merges commits in this context and its ancestors, and calls the hooks that are due.
    func hearOfSave() {
        drainAfterSave()
        forEachDown { $0.callDueHooks() }
    }
}
