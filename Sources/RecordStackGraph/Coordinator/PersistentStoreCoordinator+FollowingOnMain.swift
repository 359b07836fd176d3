extension PersistentStoreCoordinator {
    /// When a call that was made on the main actor returns, the contexts of the main actor that follow have what it
    /// has saved: whoever goes on there sees it without another `await`.
    func followIfOnMain() async {
        guard CurrentIsolation.isKnownToBeMain else { return }
        for owner in log.ownersOnMain { await owner.drainOnMain() }
    }

    /// The same for a call that does not await.
    func followIfOnMainAndWait() {
        guard CurrentIsolation.isKnownToBeMain else { return }
        for owner in log.ownersOnMain { owner.drainOnMainAndWait() }
    }
}
