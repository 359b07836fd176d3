// The topmost context of a tree is the one that shares changes with contexts of other isolations.
extension ManagedObjectContext {
    private var topmost: ManagedObjectContext {
        var topmost = self
        while let parent = topmost.parentContext { topmost = parent }
        return topmost
    }

    /// The owner that takes in commits for the tree, unasked; nil if there is none.
    var treeOwner: OwningActor? { topmost.cursor.owner }

    /// Publishes what the topmost context has changed; does nothing if no context rests on it.
    func publishTreeChanges() { topmost.publisher.publishChanges() }

    /// Makes the topmost context show what was published by the context in another isolation that it stands for.
    func takePublishedChanges() throws { try topmost.parentSnapshotLoader.takePublished() }
}
