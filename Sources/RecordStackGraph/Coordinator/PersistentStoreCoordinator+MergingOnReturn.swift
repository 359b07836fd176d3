extension PersistentStoreCoordinator {
    /// Merges a call's save into the main actor's following contexts, if the call runs there.
    ///
    /// The caller then sees the saved values without another `await`. On another thread, the call
    /// does nothing.
    func mergeOnReturnToMain() async {
        guard CurrentIsolation.isKnownToBeMain else { return }
        for owner in log.ownersOnMain { await owner.drainOnMain() }
    }

    /// Does the same as ``mergeOnReturnToMain()``, for a call that does not await.
    func mergeOnReturnToMainAndWait() {
        guard CurrentIsolation.isKnownToBeMain else { return }
        for owner in log.ownersOnMain { owner.drainOnMainAndWait() }
    }
}
