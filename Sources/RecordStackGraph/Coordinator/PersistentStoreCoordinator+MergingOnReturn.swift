extension PersistentStoreCoordinator {
    /// Merges what a call made on the main actor has saved into the main actor's contexts that merge by themselves. The
    /// caller then sees it without another `await`. Does nothing on another thread.
    func mergeOnReturnToMain() async {
        guard CurrentIsolation.isKnownToBeMain else { return }
        for owner in log.ownersOnMain { await owner.drainOnMain() }
    }

    /// The same for a call that does not await.
    func mergeOnReturnToMainAndWait() {
        guard CurrentIsolation.isKnownToBeMain else { return }
        for owner in log.ownersOnMain { owner.drainOnMainAndWait() }
    }
}
