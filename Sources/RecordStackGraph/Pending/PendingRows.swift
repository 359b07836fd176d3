import RecordStackModel

/// What is known of a hierarchy's objects that differ from the store, from one question to the next.
///
/// An object that it knows is marked as watched. Before anything of it changes it is taken out, with the values by which it
/// was put in, and its key is noted; the next question puts it in again, if it still differs. What a question costs is
/// therefore what has changed since the last, and what it finds.
final class PendingRows {
    /// Rows that must not be taken from the store, those of objects that an ancestor is to delete included.
    private(set) var keys = KeySet()
    /// Those of them whose rows the store has, as far as the context knows.
    private(set) var storedKeys = KeySet()
    /// What has changed since the last question.
    private var touched: ContiguousArray<Int64> = []
    /// What has changed since somebody follows, in the order in which questions have met it.
    private var history: ContiguousArray<Int64> = []
    private var forgotten = 0
    private var isFollowed = false
    private var indexes: [PendingIndex] = []
    private var memos: [FilterMemo] = []
    /// How many questions there were.
    private var questions = 0

    private static let mostIndexes = 16
    private static let mostMemos = 8

    /// - Parameter table: whose objects they are.
    init(of table: EntityTable) {
        table.forEachDiffering { touched.append($0.keyValue) }
        touched.append(contentsOf: table.hidden)
        table.forEachDiffering { $0.setWatched(false) }
    }

    /// Notes that an object differs from now on, or no more, or otherwise.
    func note(_ key: Int64) { touched.append(key) }

    /// Takes an object out before it changes.
    func leave(_ object: ManagedObject, in table: EntityTable) {
        touched.append(object.keyValue)
        if object.has(ObjectFlags.deleted | ObjectFlags.fault) { return }
        for index in indexes { index.remove(object, in: table) }
        if memos.isEmpty { return }
        memos.removeAll { memo in
            do { try memo.remove(object, in: table) } catch { return true }
            return false
        }
    }

    /// Puts in what has changed.
    /// - Parameter kinds: the place of an object's class in the model.
    func catchUp(in table: EntityTable, _ context: ManagedObjectContext) throws {
        questions += 1
        if touched.isEmpty { return }
        forgetOldHistory()
        while let key = touched.popLast() {
            if isFollowed { history.append(key) }
            do { try enter(key, in: table, context) } catch {
                touched.append(key)
                throw error
            }
        }
        #if DEBUG
            try check(in: table, context)
        #endif
    }

    // MARK: Followers

    /// How many changes were told of.
    var position: Int { forgotten + history.count }

    func beginHistory() { isFollowed = true }

    /// The keys of what has changed since a position; nil where that is forgotten.
    func changes(since position: Int) -> ContiguousArray<Int64>.SubSequence? {
        position < forgotten ? nil : history[(position - forgotten)...]
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
            let isHidden = object == nil && table.hidden.contains(key)
            return note(key, differs: isHidden, isStored: isHidden)
        }
        if object.has(ObjectFlags.watched) { return }
        let isNew = object.has(ObjectFlags.inserted) && object.rowVersion == 0
        note(key, differs: true, isStored: !isNew)
        if !object.has(ObjectFlags.deleted) {
            try context.ensureLoaded(object)
            for index in indexes where context.isKind(object, of: index.subject.entity) {
                index.insert(object, in: table)
            }
            for memo in memos where memo.kinds.contains(context.entityIndex(of: object)) {
                try memo.insert(object, in: table)
            }
        }
        object.setWatched(true)
    }

    private func note(_ key: Int64, differs: Bool, isStored: Bool) {
        if differs { keys.insert(key) } else { keys.remove(key) }
        if isStored { storedKeys.insert(key) } else { storedKeys.remove(key) }
    }

    // MARK: Looking up

    /// The index of a slot, which is made where there is none.
    func index(
        of subject: PendingIndex.Subject, in table: EntityTable, _ context: ManagedObjectContext
    ) throws -> PendingIndex {
        if let known = indexes.first(where: { $0.subject == subject }) { return known }
        let index = PendingIndex(of: subject)
        for object in try live(in: table, context)
        where context.isKind(object, of: subject.entity) {
            index.insert(object, in: table)
        }
        if indexes.count == Self.mostIndexes { indexes.removeFirst() }
        indexes.append(index)
        return index
    }

    /// What fits a question, judged once.
    func memo(
        of question: FilterMemo.Question, kinds: [Int], in table: EntityTable,
        _ context: ManagedObjectContext
    ) throws -> (memo: FilterMemo, judged: Int) {
        if let known = memos.first(where: { $0.question.answers(question) }) {
            known.lastUse = questions
            return (known, 0)
        }
        let memo = FilterMemo(question, kinds: kinds, counters: context.monitor.counters)
        let objects = try live(in: table, context).filter {
            kinds.contains(context.entityIndex(of: $0))
        }
        try memo.fill(objects)
        memo.lastUse = questions
        if memos.count == Self.mostMemos,
            let oldest = memos.indices.min(by: { memos[$0].lastUse < memos[$1].lastUse })
        {
            memos.remove(at: oldest)
        }
        memos.append(memo)
        return (memo, objects.count)
    }

    /// The objects that it has put in, loaded: those that differ and are not deleted.
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
        /// Compares what is known with what is found anew: a change that nobody has told of would be a row that is silently
        /// missing.
        private func check(in table: EntityTable, _ context: ManagedObjectContext) throws {
            // Large ones now and then, or a loop in a debug build would be quadratic.
            if keys.count > 256 && questions % 256 != 0 { return }
            let live = try live(in: table, context)
            var wanted = table.hidden
            table.forEachDiffering { wanted.insert($0.keyValue) }
            precondition(
                Set(keys.sorted) == wanted, "the keys that differ are not those that are known")
            for index in indexes {
                let other = PendingIndex(of: index.subject)
                for object in live where context.isKind(object, of: index.subject.entity) {
                    other.insert(object, in: table)
                }
                precondition(
                    index.contents(in: table) == other.contents(in: table),
                    "a change has passed by the index of \(index.subject)")
            }
            for memo in memos {
                let other = FilterMemo(memo.question, kinds: memo.kinds)
                try other.fill(live.filter { memo.kinds.contains(context.entityIndex(of: $0)) })
                precondition(
                    memo.keys == other.keys,
                    "a change has passed by what is known of \(memo.question)")
            }
        }
    }
#endif

extension EntityTable {
    /// Hands over the objects whose rows in the store are not what the context shows.
    func forEachDiffering(_ body: (ManagedObject) throws -> Void) rethrows {
        for object in listed where object.has(ObjectFlags.listed) { try body(object) }
        for object in overlaid
        where object.has(ObjectFlags.overlaid) && !object.has(ObjectFlags.listed) {
            try body(object)
        }
    }

    /// Told before anything changes of an object that is watched, and of one that differs from now on.
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
    /// Whether an object is of an entity or of one that inherits from it.
    func isKind(_ object: ManagedObject, of entity: Int) -> Bool {
        coordinator.model.modelEntities[entity].kinds.contains(entityIndex(of: object))
    }
}
