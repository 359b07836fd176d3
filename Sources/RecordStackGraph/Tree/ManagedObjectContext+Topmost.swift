// Only the topmost context of a tree shares changes with contexts of other isolations.
extension ManagedObjectContext {
    private var topmost: ManagedObjectContext {
        var topmost = self
        while let parent = topmost.parentContext { topmost = parent }
        return topmost
    }

    /// The owner that merges each commit for the tree on its own; nil if there is none.
    var treeOwner: OwningActor? { topmost.cursor.owner }

    /// Publishes the topmost context's changes. Does nothing if no other isolation reads them.
    func publishTreeChanges() { topmost.publisher.publishChanges() }

    /// Copies the published changes into the topmost context, if that is a parent snapshot.
    func takePublishedChanges() throws { try topmost.parentSnapshotLoader.takePublished() }
}
