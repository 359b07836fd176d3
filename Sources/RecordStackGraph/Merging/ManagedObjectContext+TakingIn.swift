import RecordStackModel

extension ManagedObjectContext {
    /// Takes in what was committed, outside of any operation.
    func drainUnasked() {
        guard !usage.isClosed, activeReader == nil else { return }
        merger.mergeCommits()
        callDueHooks()
        publisher.publishChangesAfterTurn()
    }

    /// Takes in what was committed, outside of any operation, also where some of it has to be read, which
    /// another thread does.
    func takeInNow() async {
        drainUnasked()
        guard wantsToRead else { return }
        // What cannot be read now is left to the next operation.
        try? await versionRefresh.refreshByVersionElsewhere()
        drainUnasked()
    }

    /// The same for callers that cannot wait: a context with an owner reads as soon as that has its turn.
    func takeInSoon() {
        drainUnasked()
        guard wantsToRead else { return }
        if let owner = treeOwner {
            owner.scheduleDrain(of: self)
        } else {
            try? upToDate {}
        }
    }

    /// The same for callers that wait anyway.
    func takeInAndWait() {
        drainUnasked()
        if wantsToRead { try? upToDate {} }
    }

    /// Whether what was committed has to be read; an error that waits for the next operation comes first.
    private var wantsToRead: Bool {
        versionRefresh.needsRefreshByVersion && !isMergingSuspended && !errors.isPending
    }
}
