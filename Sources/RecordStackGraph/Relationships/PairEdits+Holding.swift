// Objects of which nothing was changed but pairs are kept until the pairs are saved, as changed objects
// are: they count as changed, whoever holds them besides.
extension PairEdits {
    /// Keeps an object of a changed pair alive.
    func keepRelated(_ object: ManagedObject) { retainedOwners[ObjectIdentifier(object)] = object }

    /// The same objects in this context, of which a child hands over changed pairs.
    func keepRelated(of child: ManagedObjectContext) {
        let gone = ObjectFlags.deleted | ObjectFlags.detached
        for object in child.pairs.retainedOwners.values where !object.has(gone) {
            let entity = entityIndex(of: object)
            // What cannot be had is only not listed among the changed ones.
            guard let own = try? context.objectOrFault(key: object.keyValue, entity: entity) else {
                continue
            }
            keepRelated(own)
        }
    }

    /// Lets go of those that no changed pair needs any more.
    func releaseRelated() {
        if retainedOwners.isEmpty { return }
        if isEmpty {
            retainedOwners = [:]
        } else {
            retainedOwners = retainedOwners.filter { $0.value.hasLinkChanges }
        }
    }
}
