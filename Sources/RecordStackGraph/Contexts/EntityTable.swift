import RecordStackModel

/// The objects of one hierarchy in a context.
final class EntityTable {
    let hierarchy: Int
    // @exclusivity(unchecked): only the context's isolation uses a table. Code that runs during an
    // access (a closure over `dirtyObjects`, the map's sweep) changes flags of objects, never the
    // table.

    @exclusivity(unchecked) var map = IdentityMap()
    /// The objects that were created, changed or deleted, in that order; some may be clean by now.
    @exclusivity(unchecked) var dirtyObjects: ContiguousArray<ManagedObject> = []
    /// The objects that show an ancestor's unsaved values, except in the properties changed here.
    @exclusivity(unchecked) var inheriting: ContiguousArray<ManagedObject> = []
    /// The keys of objects that an ancestor will delete and that this context does not hold.
    @exclusivity(unchecked) private(set) var deletedAbove: Set<Int64> = []
    /// The keys that the coordinator has given out and that no object has yet.
    @exclusivity(unchecked) var keys = KeyChunk()
    /// The indexes of the dirty objects; nil until the first request in a dirty context.
    @exclusivity(unchecked) var pending: PendingRows?
    /// The table's position in its parent's history; nil if it must compare every object.
    var followed: FollowedTable?
    /// The changed objects whose inherited edits are gone, until they are rebased on their rows.
    @exclusivity(unchecked) var needingRebase: ContiguousArray<ManagedObject> = []
    /// The objects whose changes were discarded while a save was writing them.
    var discarded: DiscardedKeys?
    /// The changed objects that another context has deleted; some may be visible again by now.
    var orphans: [ManagedObject] = []
    /// The number of objects in `dirtyObjects` that are known to be clean.
    private var leftCount = 0

    init(hierarchy: Int) {
        self.hierarchy = hierarchy
    }

    /// Returns the object with a key, or nil if the context has none.
    @inline(__always)
    func object(_ key: Int64) -> ManagedObject? { map.find(key)?.takeUnretainedValue() }

    /// Adds an object to the identity map.
    func register(_ object: ManagedObject) {
        map.insert(Unmanaged.passRetained(object), key: object.keyValue)
        // A child re-inserts a row that an ancestor deletes. If the key stayed in `deletedAbove`,
        // the object would be shown and hidden in turn without end.
        if !deletedAbove.isEmpty { noteUndeletedAbove(object.keyValue) }
        if let pending, object.has(ObjectFlags.differs) { pending.note(object.keyValue) }
    }

    /// Whether a sweep could find an object to release.
    ///
    /// The dirty list holds the dirty objects. During a large import the table may have no other
    /// objects.
    var mayBeSwept: Bool { map.count > (map.count < 1_024 ? 0 : dirtyObjects.count) }

    /// Whether the table has grown enough since the last sweep to pay for another one.
    var wantsSweep: Bool { map.wantsSweep(held: dirtyObjects.count) }

    /// Detaches an object and removes it from the identity map.
    ///
    /// - Parameter isGone: true if nothing is left of the object, false if its context was reset.
    func unregister(_ object: ManagedObject, isGone: Bool) {
        object.apply(isGone ? .gone : .forgotten)
        // A slot that is still marked as written would not be recorded when it is set again.
        object.writtenValue = 0
        // This releases the map's own reference. The caller still holds one.
        map.remove(object.keyValue)?.release()
    }

    /// Adds an object to the dirty list, unless the list still contains it.
    func enterDirtyList(_ object: ManagedObject) {
        if object.has(ObjectFlags.inDirtyList) { return }
        object.apply(.enteredDirtyList)
        dirtyObjects.append(object)
    }

    func pruneOrphans() {
        if orphans.isEmpty { return }
        let flags = ObjectFlags.dirty | ObjectFlags.orphaned
        orphans.removeAll { $0.bits & flags != flags }
    }

    /// Records that an object in the dirty list became clean.
    ///
    /// Prunes the list when half of it is clean, so that removing one object of many stays cheap.
    func noteLeaving() {
        leftCount += 1
        if leftCount * 2 > dirtyObjects.count || dirtyObjects.count < 128 { pruneDirtyObjects() }
    }

    /// Removes the objects that are not dirty from the dirty list.
    func pruneDirtyObjects() {
        pruneOrphans()
        leftCount = 0
        dirtyObjects.removeAll { object in
            if object.has(ObjectFlags.dirty) { return false }
            object.apply(.leftDirtyList)
            return true
        }
        dropPendingIfClean()
    }

    /// Empties the dirty list and returns its objects.
    func takeDirtyObjects() -> ContiguousArray<ManagedObject> {
        defer { dirtyObjects = [] }
        pending = nil
        for object in dirtyObjects { object.apply(.leftDirtyList) }
        return dirtyObjects
    }

    func pruneInheriting() {
        inheriting.removeAll { !$0.has(ObjectFlags.inheritsEdits) }
        dropPendingIfClean()
    }

    /// Frees the indexes if no object is dirty, inherits edits or is deleted by an ancestor.
    private func dropPendingIfClean() {
        if pending != nil && !hasDiffering { pending = nil }
    }

    func noteUndeletedAbove(_ key: Int64) {
        if deletedAbove.remove(key) != nil { pending?.note(key) }
    }

    func noteDeletedAbove(_ key: Int64) {
        deletedAbove.insert(key)
        pending?.note(key)
    }

    func setDeletedAbove(_ keys: Set<Int64>) {
        if let pending { for key in deletedAbove.symmetricDifference(keys) { pending.note(key) } }
        deletedAbove = keys
    }

    /// The objects that show something other than their stored rows.
    var differing: [ManagedObject] {
        dirtyObjects.filter { $0.has(ObjectFlags.dirty) }
            + inheriting.filter { $0.has(ObjectFlags.inheritsEdits) && !$0.has(ObjectFlags.dirty) }
    }

    var hasDiffering: Bool { !dirtyObjects.isEmpty || !inheriting.isEmpty || !deletedAbove.isEmpty }

    /// The keys of rows that may be in the store but must not be read from it.
    var differingKeys: [Int64] {
        differing.map(\.keyValue) + deletedAbove
    }

    /// The last large fetch; nil after a fetch for which reading the keys first did not pay.
    private var lastFetch: (request: StoreRequest, rows: Int)?

    /// The smallest number of rows for which a second statement pays.
    private static let worthwhile = 128

    /// Whether a request repeats the last large fetch and most of its objects are still held.
    ///
    /// Reading the keys alone then costs less than reading whole rows.
    func holdsMost(of request: StoreRequest) -> Bool {
        guard let lastFetch, request.limit ?? .max >= Self.worthwhile else { return false }
        return map.count >= Self.worthwhile && map.count * 10 >= lastFetch.rows * 8
            && request.entity == lastFetch.request.entity
            && request.includesSubentities == lastFetch.request.includesSubentities
            && request.filter == lastFetch.request.filter
    }

    func noteFetch(_ request: StoreRequest, of rows: Int, missing: Int = 0) {
        guard rows >= Self.worthwhile else { return }
        lastFetch = missing * 5 > rows ? nil : (request, rows)
    }
}
