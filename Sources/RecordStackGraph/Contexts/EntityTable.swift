import RecordStackModel

/// What a context holds of one hierarchy.
final class EntityTable {
    let hierarchy: Int
    // @exclusivity(unchecked): only the context's isolation uses a table, and what runs during an access (a closure over `dirtyObjects`, the map's
    // sweep) changes flags of objects, not the table.

    @exclusivity(unchecked) var map = IdentityMap()
    /// The objects that were made, changed or deleted, in that order; some may differ no more.
    @exclusivity(unchecked) var dirtyObjects: ContiguousArray<ManagedObject> = []
    /// Objects whose values are an ancestor's unsaved ones, but for what was changed here.
    @exclusivity(unchecked) var inheriting: ContiguousArray<ManagedObject> = []
    /// Keys of objects that an ancestor is to delete and that this context does not hold.
    @exclusivity(unchecked) private(set) var deletedAbove: Set<Int64> = []
    /// Keys that were taken from the coordinator and not given to an object yet.
    @exclusivity(unchecked) var keys = KeyChunk()
    /// The indexes of the dirty objects; nil until the first request in a dirty context.
    @exclusivity(unchecked) var pending: PendingRows?
    /// How far the table has followed its parent's history; nil if it must compare everything.
    var followed: FollowedTable?
    /// Changed objects that rested on an ancestor's values, which are gone, until they rest on their rows.
    @exclusivity(unchecked) var needingRebase: ContiguousArray<ManagedObject> = []
    /// Objects whose changes were given up while a save was writing them.
    var givenUp: GivenUpKeys?
    /// Changed objects that were deleted elsewhere; some may be shown again.
    var orphans: [ManagedObject] = []
    /// The number of objects in `dirtyObjects` known to be clean.
    private var leftCount = 0

    init(hierarchy: Int) {
        self.hierarchy = hierarchy
    }

    /// The object of a key, where the context has one.
    @inline(__always)
    func object(_ key: Int64) -> ManagedObject? { map.find(key)?.takeUnretainedValue() }

    /// Keeps an object under its key.
    func register(_ object: ManagedObject) {
        map.insert(Unmanaged.passRetained(object), key: object.keyValue)
        // A child re-inserts a row that an ancestor deletes. Showing it and hiding it at once would never settle.
        if !deletedAbove.isEmpty { noteUndeletedAbove(object.keyValue) }
        if let pending, object.has(ObjectFlags.differs) { pending.note(object.keyValue) }
    }

    /// Whether looking for objects that nobody else holds is worth it. The list holds those that differ: a large
    /// import may have no others for as long as it runs.
    var mayBeSwept: Bool { map.count > (map.count < 1_024 ? 0 : dirtyObjects.count) }

    /// Whether so many objects came that may be held by nobody else that looking for them is paid for.
    var wantsSweep: Bool { map.wantsSweep(held: dirtyObjects.count) }

    /// Gives an object up: it is detached from here on.
    /// - Parameter isGone: whether that is because nothing is left of it, and not because its context was reset.
    func unregister(_ object: ManagedObject, isGone: Bool) {
        object.apply(isGone ? .gone : .forgotten)
        // A slot that is marked as written would not be told of when it is set again.
        object.writtenValue = 0
        // The map's own reference goes with this; the caller still has one.
        map.remove(object.keyValue)?.release()
    }

    /// Puts an object into the list, unless it stands there from an earlier time.
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

    /// Records that an object in the list became clean. Prunes the list when half of it is clean, so that removing one
    /// object of many stays cheap.
    func noteLeaving() {
        leftCount += 1
        if leftCount * 2 > dirtyObjects.count || dirtyObjects.count < 128 { pruneDirtyObjects() }
    }

    /// Drops objects from the dirty list that are not dirty any more.
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

    /// Empties the list.
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

    /// Frees the indexes if no object is dirty, inherits edits or is deleted above.
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

    /// Objects whose rows in the store are not what the context shows.
    var differing: [ManagedObject] {
        dirtyObjects.filter { $0.has(ObjectFlags.dirty) }
            + inheriting.filter { $0.has(ObjectFlags.inheritsEdits) && !$0.has(ObjectFlags.dirty) }
    }

    var hasDiffering: Bool { !dirtyObjects.isEmpty || !inheriting.isEmpty || !deletedAbove.isEmpty }

    /// The keys of rows that may be in the store and must not be taken from there.
    var differingKeys: [Int64] {
        differing.map(\.keyValue) + deletedAbove
    }

    /// The last large fetch; nil where asking for keys first did not pay.
    private var lastFetch: (request: StoreRequest, rows: Int)?

    /// Fetches of fewer rows are not worth a second statement.
    private static let worthwhile = 128

    /// Whether a fetch repeats the last one, and most of its objects are still held: then asking
    /// for keys alone costs less than reading whole rows.
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
