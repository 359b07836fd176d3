package import RecordStackModel

extension ManagedObjectContext {
    /// Marks an object for deletion by the next save, and at once does what the delete rules of its
    /// relationships say: see ``deletionPlan(for:)-(ManagedObject...)``. A new object is simply given up.
    ///
    /// - Throws: ``RecordStackError/Code/deletionDenied`` with the objects that stand in the way, and
    ///   then nothing was changed; ``RecordStackError/Code/misuse`` for an object of another context;
    ///   and what the store says while related objects are looked for: one query for each relationship
    ///   that leads to or from the entity.
    public func delete(_ object: ManagedObject) throws {
        try enter()
        if try isDeletable(object) { try delete([DeletionPlanner.entry(object, self)]) }
    }

    /// Marks objects for deletion, as ``delete(_:)-(ManagedObject)`` does. Objects that are deleted
    /// together do not stand in each other's way, and cost little more queries than one.
    public func delete(_ objects: [ManagedObject]) throws {
        try enter()
        let wanted = try objects.filter { try isDeletable($0) }
        if wanted.isEmpty { return }
        try delete(wanted.map { DeletionPlanner.entry($0, self) })
    }

    /// Marks the objects of a request for deletion. Of those that nobody holds only the keys are read.
    /// - Returns: how many the request has.
    package func delete(_ request: StoreRequest) throws -> Int {
        let roots = try reading(transaction: true) {
            try DeletionPlanner.roots(of: request, self, $0)
        }
        if !roots.isEmpty { try delete(roots) }
        return roots.count
    }

    private func delete(_ roots: [DeletionPlanner.Entry]) throws {
        let use = beginUse()
        defer { endUse(use) }
        let planner = try preparedPlan(deleting: roots)
        hooks.holding { execute(planner) }
        callDueHooks()
    }

    /// What deleting objects would do. Nothing is changed.
    public func deletionPlan(for objects: ManagedObject...) throws -> DeletionPlan {
        try deletionPlan(for: objects)
    }

    /// What deleting objects would do. Nothing is changed.
    public func deletionPlan(for objects: [ManagedObject]) throws -> DeletionPlan {
        try enter()
        let wanted = try objects.filter { try isDeletable($0) }
        return try plan(deleting: wanted.map { DeletionPlanner.entry($0, self) }).plan
    }

    /// The plan, when all that it deletes was prepared for it. What a hook changes meanwhile, the next
    /// plan takes into account.
    private func preparedPlan(deleting roots: [DeletionPlanner.Entry]) throws -> DeletionPlanner {
        var prepared: Set<ObjectIdentifier> = []
        while true {
            let planner = try plan(deleting: roots)
            if !planner.denials.isEmpty {
                throw RecordStackError.deletionDenied(planner.denials)
            }
            try loadHooked(planner)
            if !coordinator.types.allHooks.contains(.prepareForDeletion) { return planner }
            let due = planner.entries.filter {
                hooks[$0.entity].contains(.prepareForDeletion)
            }.map(object).filter { prepared.insert(ObjectIdentifier($0)).inserted }
            if due.isEmpty { return planner }
            try prepareForDeletion(due)
        }
    }

    /// Objects whose deletion is told to them have to be loaded.
    private func loadHooked(_ planner: DeletionPlanner) throws {
        if coordinator.types.allHooks.isDisjoint(with: .deletion) { return }
        for entry in planner.entries where !hooks[entry.entity].isDisjoint(with: .deletion) {
            try object(of: entry).load()
        }
    }

    private func plan(deleting roots: [DeletionPlanner.Entry]) throws -> DeletionPlanner {
        try reading(transaction: true) { _ in
            // Others may have deleted some of them, or a hook.
            var live = roots
            live.removeAll { root in
                guard let object = root.object ?? table(of: root.entity).object(root.key) else {
                    return false
                }
                return object.has(ObjectFlags.detached) || isDeleted(object)
            }
            for root in live where root.version == nil { try root.object.map(loadIfThere) }
            live.removeAll { $0.object?.has(ObjectFlags.gone) ?? false }
            return try DeletionPlanner(context: self, deleting: live)
        }
    }

    /// Carries a plan out. Nothing can fail here.
    func execute(_ planner: DeletionPlanner) {
        for (object, slot) in planner.nullified { object.setKey(0, at: slot) }
        let objects = planner.entries.map(object)
        leaveMemberKeys(objects)
        for object in objects where !isDeleted(object) {
            let leaves = object.has(ObjectFlags.inserted | ObjectFlags.deletedThere)
            let table = table(of: entityIndex(of: object))
            markDeleted(object, leaves: false)
            // A deleted new object is no longer dirty.
            if leaves { table.noteLeaving() }
        }
        if mayHaveConflicts { leadConcealedAway(from: planner.marked) }
    }

    /// The object of an entry; one that nobody holds comes without its values.
    private func object(of entry: DeletionPlanner.Entry) -> ManagedObject {
        let table = table(of: entry.entity)
        if let object = entry.object ?? table.object(entry.key) {
            guard let version = entry.version, !object.has(ObjectFlags.differs) else {
                return object
            }
            // Another program has changed the row since it was read.
            if !object.isFault && object.rowVersion < version { turnIntoFault(object) }
            if object.isFault { object.rowVersion = version }
            return object
        }
        let object = coordinator.types.types[entry.entity].init(
            seed: ObjectSeed(
                anchor: Unmanaged.passUnretained(anchor), key: entry.key,
                version: entry.version ?? .noRow, status: .fault))
        table.register(object)
        return object
    }

    /// Loads an object that is to be deleted. That its row is gone is what was wanted.
    private func loadIfThere(_ object: ManagedObject) throws {
        do { try ensureLoaded(object) } catch let error as RecordStackError
            where error.code == .notFound && object.has(ObjectFlags.gone)
        {}
    }

    private func isDeletable(_ object: ManagedObject) throws -> Bool {
        if isDeleted(object) || object.has(ObjectFlags.gone) { return false }
        if object.managedObjectContext === self { return true }
        throw object.absent("Find it in this context by its objectID, and delete that one.")
    }

    /// What was deleted elsewhere under changes made here can be deleted here as well, which ends
    /// the conflict.
    private func isDeleted(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.deleted) && !object.has(ObjectFlags.deletedThere)
    }

    /// The objects that refer to some of these: one query for each relationship that can.
    func references(
        to objects: [ManagedObject]
    ) throws -> [(object: ManagedObject, slot: Int)] {
        var keysOfEntities: [Int: [Int64]] = [:]
        for object in objects {
            keysOfEntities[entityIndex(of: object), default: []].append(object.keyValue)
        }
        var found: [(object: ManagedObject, slot: Int)] = []
        for (entity, keys) in keysOfEntities.sorted(by: { $0.key < $1.key }) {
            for reference in coordinator.model.modelEntities[entity].references {
                let path = FilterPath(slot: reference.slot)
                let request = StoreRequest(
                    entity: reference.entity,
                    filter: keys.count == 1
                        ? .compare(path, .equal, .integer(keys[0]))
                        : .among(path, keys.map { .integer($0) }))
                found += try fetch(request, as: ManagedObject.self).map { ($0, reference.slot) }
            }
        }
        return found
    }

    func markDeleted(_ object: ManagedObject, leaves: Bool = true) {
        if leaves { leaveMemberKeys(object) }
        forgetMembers(of: object)
        dropLinks(of: object)
        let table = table(of: entityIndex(of: object))
        // What is being written at the moment may be in the store in the next one, or be there unheard of.
        if object.has(ObjectFlags.inserted) && isSavedUnheard {
            object.apply(.deleted)
            mayHaveGivenUp = true
        } else if object.has(ObjectFlags.deletedThere) {
            agreeToDeletion(of: object, in: table)
        } else if object.has(ObjectFlags.inserted) {
            table.unregister(object, isGone: true)
        } else {
            if !object.has(ObjectFlags.listed) { list(object) }
            object.apply(.deleted)
        }
    }
}

extension ManagedObject {
    /// Marks the object for deletion by its context's next save, and does what its delete rules say.
    /// Where others have deleted it already, nothing is left to do: a loop over what a fetch has found may
    /// delete one after the other while others delete as well.
    /// - Throws: ``RecordStackError/Code/misuse`` where its context is gone or was reset, and what
    ///   ``ManagedObjectContext/delete(_:)-(ManagedObject)`` throws.
    public final func delete() throws {
        if has(ObjectFlags.gone) { return }
        guard let context = managedObjectContext else {
            throw absent("It cannot be deleted: find it in a context by its objectID.")
        }
        try context.delete(self)
    }
}
