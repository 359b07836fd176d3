// An object with changed join rows counts as changed. Like other changed objects, it is kept alive
// until the join rows are saved.
extension JoinRowEdits {
    /// Keeps an object of a changed join row alive.
    func keepRelated(_ object: ManagedObject) { retainedOwners[ObjectIdentifier(object)] = object }

    /// Keeps this context's versions of the objects whose changed join rows a child pushes.
    func keepRelated(of child: ManagedObjectContext) {
        let gone = ObjectFlags.deleted | ObjectFlags.detached
        for object in child.joinRowEdits.retainedOwners.values where !object.has(gone) {
            let entity = entityIndex(of: object)
            // An object that cannot be found is only missing from the updated objects.
            guard let own = try? context.objectOrFault(key: object.keyValue, entity: entity) else {
                continue
            }
            keepRelated(own)
        }
    }

    /// Releases the objects without changed join rows.
    func releaseRelated() {
        if retainedOwners.isEmpty { return }
        if isEmpty {
            retainedOwners = [:]
        } else {
            retainedOwners = retainedOwners.filter { $0.value.hasLinkChanges }
        }
    }
}
