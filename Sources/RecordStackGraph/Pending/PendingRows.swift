import RecordStackModel

/// Indexes of a hierarchy's dirty objects, kept from one request to the next.
///
/// Each indexed object has the flag `watched`. Before a watched object changes, the context removes
/// it from every index under its old values and records its key. The next request inserts the
/// object again if it is still dirty. The cost of a request is therefore the number of objects that
/// have changed since the last request, plus the number of matches.
final class PendingRows {
    // @exclusivity(unchecked): only the context's isolation uses it, and no hook runs in a request.

    // Unchecked: no access calls code that reaches the same instance again, because the context's
    // own isolation owns it and hooks run outside of requests.
    /// The keys of rows not to read from the store, including rows that an ancestor deletes.
    @exclusivity(unchecked) private(set) var keys = KeySet()
    /// The subset of `keys` whose rows the store has, as far as known. Nil until the first count.
    @exclusivity(unchecked) private var storedKeys: KeySet?
    /// The keys of objects whose row values the context has not read.
    @exclusivity(unchecked) private(set) var unknownRows: Set<Int64> = []
    /// The keys of the objects that have changed since the last request.
    @exclusivity(unchecked) private var touched: ContiguousArray<Int64> = []
    /// The changed keys for child contexts, each of which remembers a position.
    private var history: ContiguousArray<Int64> = []
    private var forgotten = 0
    private var isFollowed = false
    @exclusivity(unchecked) private var indexes: [PendingIndex] = []
    @exclusivity(unchecked) private var memos: [FilterMemo] = []
    /// The front of the last question for which the rows of all dirty objects preceded the window.
    @exclusivity(unchecked) var front: PassedFront?
    /// The number of requests so far.
    private var questions = 0
    /// The number of requests so far that have inserted changed objects.
    @exclusivity(unchecked) private var generation = 0

    private static let mostIndexes = 16
    private static let mostMemos = 8
    /// The smallest number of requests for which an unused index is kept.
    private static let fewQuestions = 256

    /// Creates indexes.
    ///
    /// - Parameter table: the table whose dirty objects are indexed.
    init(of table: EntityTable) {
        table.forEachDiffering { touched.append($0.keyValue) }
        touched.append(contentsOf: table.deletedAbove)
        table.forEachDiffering { $0.setWatched(false) }
    }

    /// Records that an object has changed.
    func note(_ key: Int64) { touched.append(key) }

    /// Removes an object from every index before it changes.
    func leave(_ object: ManagedObject, in table: EntityTable) {
        touched.append(object.keyValue)
        if object.has(ObjectFlags.fault) { return }
        for index in indexes { index.remove(object, in: table) }
        dropFailing { try $0.remove(object, in: table) }
    }

    /// Updates the memos, and drops each memo whose filter fails for an object.
    ///
    /// The next request with that filter throws the error, and other requests do not.
    private func dropFailing(_ update: (FilterMemo) throws -> Void) {
        if memos.isEmpty { return }
        memos.removeAll { memo in
            do { try update(memo) } catch { return true }
            return false
        }
    }

    /// Inserts the objects that have changed since the last request.
    ///
    /// - Throws: the error of loading a dirty fault.
    func catchUp(in table: EntityTable, _ context: ManagedObjectContext) throws {
        questions += 1
        if questions & 63 == 0 { dropUnused() }
        if touched.isEmpty { return }
        generation += 1
        forgetOldHistory()
        while let key = touched.popLast() {
            if isFollowed { history.append(key) }
            do { try enter(key, in: table, context) } catch {
                touched.append(key)
                // The changes that follow have no defined order any more.
                forgotten = position + touched.count
                history = []
                throw error
            }
        }
        #if DEBUG
            try check(in: table, context)
        #endif
    }

    /// Drops indexes and memos that slow down every edit and help no request.
    ///
    /// Building one again evaluates every dirty object. Spread over the requests during which it
    /// was unused, that is at most four objects for each request.
    private func dropUnused() {
        let longest = max(Self.fewQuestions, keys.count / 4)
        indexes.removeAll { questions - $0.lastUse > longest }
        memos.removeAll { questions - $0.lastUse > longest }
    }

    // MARK: Changes since the last request

    /// A position among the changes since the last request that has inserted changed objects.
    struct Mark {
        fileprivate let generation: Int
        fileprivate let count: Int
    }

    var mark: Mark { Mark(generation: generation, count: touched.count) }

    /// Returns the keys that have changed since a mark; nil if a request has inserted them since.
    func touched(since mark: Mark) -> ContiguousArray<Int64>.SubSequence? {
        mark.generation == generation ? touched[mark.count...] : nil
    }

    /// Returns the index of a slot as the last request left it; nil if there is none.
    ///
    /// The objects that have changed since are not in it.
    func indexAsItIs(of subject: PendingIndex.Subject) -> PendingIndex? {
        guard let known = indexes.first(where: { $0.subject == subject }) else { return nil }
        known.lastUse = questions
        return known
    }

    // MARK: History for child contexts

    /// The position behind the last recorded change.
    var position: Int { forgotten + history.count }

    func beginHistory() { isFollowed = true }

    /// Returns the keys changed since a position; nil if that part of the history was dropped.
    func changes(since position: Int) -> ContiguousArray<Int64>.SubSequence? {
        position < forgotten ? nil : history[(position - forgotten)...]
    }

    /// The position behind the last change, including changes that no request has inserted yet.
    var end: Int { position + touched.count }

    /// Returns the keys that have changed since ``end`` was read; nil if their history was dropped.
    ///
    /// Changes that no request has inserted yet are included.
    func allChanges(sinceEnd end: Int) -> ContiguousArray<Int64>? {
        if end < forgotten { return nil }
        if end == self.end { return [] }
        if end > position { return ContiguousArray(touched.dropFirst(end - position)) }
        return history[(end - forgotten)...] + touched
    }

    private func forgetOldHistory() {
        if history.count <= 4_096 + 2 * keys.count { return }
        forgotten += history.count
        history = []
    }

    private func enter(
        _ key: Int64, in table: EntityTable, _ context: ManagedObjectContext
    ) throws {
        let object = table.object(key)
        guard let object, object.has(ObjectFlags.differs) else {
            let isDeletedAbove = object == nil && table.deletedAbove.contains(key)
            return note(key, differs: isDeletedAbove, isStored: isDeletedAbove, row: .unknown)
        }
        if object.has(ObjectFlags.watched) { return }
        let isShown = !object.has(ObjectFlags.deleted)
        if isShown { try context.ensureLoaded(object) }
        let row = object.knownRow
        note(key, differs: true, isStored: Self.isStored(object), row: row)
        object.setWatched(true)
        if indexes.isEmpty && memos.isEmpty { return }
        let hasRow = row == .values
        for index in indexes
        where (index.subject.isOfRows ? hasRow : isShown)
            && context.isKind(object, of: index.subject.entity)
        {
            index.insert(object, in: table)
        }
        let kind = context.entityIndex(of: object)
        dropFailing { memo in
            if memo.question.isOfRows ? hasRow : isShown, memo.kinds.contains(kind) {
                try memo.insert(object, in: table)
            }
        }
    }

    private func note(
        _ key: Int64, differs: Bool, isStored: Bool, row: ManagedObject.KnownRow
    ) {
        if differs && row == .unknown {
            unknownRows.insert(key)
        } else if !unknownRows.isEmpty {
            unknownRows.remove(key)
        }
        if differs {
            keys.insert(key)
        } else {
            keys.remove(key)
            // The row of the object may be part of the front.
            front?.behind = []
        }
        if isStored { storedKeys?.insert(key) } else { storedKeys?.remove(key) }
    }

    private static func isStored(_ object: ManagedObject) -> Bool {
        !object.has(ObjectFlags.inserted) || object.rowVersion != .noRow
    }

    /// Returns the subset of `keys` whose rows the store has, as far as the context can tell.
    func storedKeys(in table: EntityTable) -> KeySet {
        if let storedKeys { return storedKeys }
        let stored = KeySet(keys.sorted.filter { table.object($0).map(Self.isStored) ?? true })
        storedKeys = stored
        return stored
    }

    // MARK: Lookup

    /// Returns the index of a slot, which is built on first use.
    func index(
        of subject: PendingIndex.Subject, in table: EntityTable, _ context: ManagedObjectContext
    ) throws -> PendingIndex {
        if let known = indexes.first(where: { $0.subject == subject }) {
            known.lastUse = questions
            return known
        }
        let index = PendingIndex(of: subject)
        index.lastUse = questions
        for object in try objects(ofRows: subject.isOfRows, in: table, context)
        where context.isKind(object, of: subject.entity) {
            index.insert(object, in: table)
        }
        if indexes.count == Self.mostIndexes { indexes.removeFirst() }
        indexes.append(index)
        return index
    }

    /// Returns the memo of a question, which is built on first use.
    ///
    /// Building it evaluates the filter for every dirty object, or for the candidates.
    ///
    /// - Parameter candidates: returns objects that contain every match, in any order; nil if no
    ///   index finds any.
    func memo(
        of question: FilterMemo.Question, kinds: [Int], in table: EntityTable,
        _ context: ManagedObjectContext, candidates: () throws -> ContiguousArray<Int64>?
    ) throws -> FilterMemo {
        if let known = memos.first(where: { $0.question.answers(question) }) {
            known.lastUse = questions
            known.uses += 1
            return known
        }
        let memo = FilterMemo(question, kinds: kinds, counters: context.monitor.counters)
        let all =
            try candidates()?.compactMap(table.object)
            ?? objects(ofRows: question.isOfRows, in: table, context)
        let entities = context.coordinator.model.hierarchies[table.hierarchy].entities
        try memo.fill(
            kinds.count == entities.count
                ? all : all.filter { kinds.contains(context.entityIndex(of: $0)) })
        memo.lastUse = questions
        if memos.count == Self.mostMemos,
            let oldest = memos.indices.min(by: { memos[$0].lastUse < memos[$1].lastUse })
        {
            memos.remove(at: oldest)
        }
        memos.append(memo)
        return memo
    }

    private func objects(
        ofRows isOfRows: Bool, in table: EntityTable, _ context: ManagedObjectContext
    ) throws -> [ManagedObject] {
        if !isOfRows { return try live(in: table, context) }
        var found: [ManagedObject] = []
        table.forEachDiffering { if $0.knownRow == .values { found.append($0) } }
        return found
    }

    /// Whether a memo answers a question and was used by at least two requests after it was built.
    func isAskedOften(_ question: FilterMemo.Question) -> Bool {
        memos.contains { $0.question.answers(question) && $0.uses > 1 }
    }

    /// Returns the dirty objects that are not deleted, loaded.
    private func live(
        in table: EntityTable, _ context: ManagedObjectContext
    ) throws -> [ManagedObject] {
        var live: [ManagedObject] = []
        live.reserveCapacity(keys.count)
        try table.forEachDiffering { object in
            if object.has(ObjectFlags.deleted) { return }
            try context.ensureLoaded(object)
            live.append(object)
        }
        return live
    }
}

#if DEBUG
    extension PendingRows {
        /// Compares every index and memo with a rebuilt one.
        ///
        /// A change that bypassed `willChange` would silently drop a row from results.
        private func check(in table: EntityTable, _ context: ManagedObjectContext) throws {
            // A check of many objects at every request would make debug builds quadratic.
            if keys.count > 256 && questions % 256 != 0 { return }
            var wanted = table.deletedAbove
            table.forEachDiffering { wanted.insert($0.keyValue) }
            precondition(
                Set(keys.sorted) == wanted, "the keys that differ are not those that are known")
            var unknown = table.deletedAbove.filter { table.object($0) == nil }
            table.forEachDiffering { if $0.knownRow == .unknown { unknown.insert($0.keyValue) } }
            precondition(unknownRows == unknown, "a row is not known as it is")
            if let storedKeys {
                let stored = keys.sorted.filter { table.object($0).map(Self.isStored) ?? true }
                precondition(storedKeys.sorted == stored, "a stored row is not known as one")
            }
            for index in indexes {
                let other = PendingIndex(of: index.subject)
                let objects = try objects(ofRows: index.subject.isOfRows, in: table, context)
                for object in objects where context.isKind(object, of: index.subject.entity) {
                    other.insert(object, in: table)
                }
                precondition(
                    index.contents(in: table) == other.contents(in: table),
                    "a change has passed by the index of \(index.subject)")
            }
            for memo in memos {
                let other = FilterMemo(memo.question, kinds: memo.kinds)
                let objects = try objects(ofRows: memo.question.isOfRows, in: table, context)
                try other.fill(objects.filter { memo.kinds.contains(context.entityIndex(of: $0)) })
                precondition(
                    memo.keys == other.keys,
                    "a change has passed by what is known of \(memo.question)")
            }
        }
    }
#endif

extension EntityTable {
    /// Calls `body` for each dirty object.
    func forEachDiffering(_ body: (ManagedObject) throws -> Void) rethrows {
        for object in dirtyObjects where object.has(ObjectFlags.dirty) { try body(object) }
        for object in inheriting
        where object.has(ObjectFlags.inheritsEdits) && !object.has(ObjectFlags.dirty) {
            try body(object)
        }
    }

    /// Records that a watched object is about to change, or an object is about to become dirty.
    ///
    /// Call it before the change.
    func willChange(_ object: ManagedObject) {
        guard let pending else { return }
        if object.has(ObjectFlags.watched) {
            pending.leave(object, in: self)
        } else {
            pending.note(object.keyValue)
        }
    }
}

extension ManagedObjectContext {
    /// Whether an object is of an entity or of one of its subentities.
    func isKind(_ object: ManagedObject, of entity: Int) -> Bool {
        coordinator.model.modelEntities[entity].kinds.contains(entityIndex(of: object))
    }
}
