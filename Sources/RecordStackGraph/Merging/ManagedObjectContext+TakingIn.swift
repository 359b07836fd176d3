import RecordStackModel

extension ManagedObjectContext {
    /// Merges commits outside of any operation.
    func drainUnasked() {
        guard !usage.isClosed, activeReader == nil else { return }
        merger.mergeCommits()
        callDueHooks()
        publisher.publishChangesAfterTurn()
    }

    /// Merges commits outside of any operation. If rows must be read, another thread reads them.
    func takeInNow() async {
        drainUnasked()
        guard wantsToRead else { return }
        // The next operation reads what cannot be read now.
        try? await versionRefresh.refreshByVersionElsewhere()
        drainUnasked()
    }

    /// Merges commits outside of any operation, for callers that cannot wait.
    ///
    /// If rows must be read, a context with an owner reads them at the owner's next turn.
    func takeInSoon() {
        drainUnasked()
        guard wantsToRead else { return }
        if let owner = treeOwner {
            owner.scheduleDrain(of: self)
        } else {
            try? upToDate {}
        }
    }

    /// Merges commits outside of any operation, for callers that wait anyway.
    func takeInAndWait() {
        drainUnasked()
        if wantsToRead { try? upToDate {} }
    }

    /// Whether rows must be read, unless an error waits for the next operation.
    private var wantsToRead: Bool {
        versionRefresh.needsRefreshByVersion && !isMergingSuspended && !errors.isPending
    }
}
