import RecordStackModel

/// Plans and carries out the deletion of objects.
struct Deleter: ContextView {
    let context: ManagedObjectContext

    func carryOut(_ roots: [DeletionPlanner.Entry]) throws {
        let use = context.beginUse()
        defer { context.endUse(use) }
        let planner = try preparedPlan(deleting: roots)
        context.hooks.holding { execute(planner) }
        context.callDueHooks()
    }

    /// Returns the plan after all objects that it deletes were prepared for deletion.
    ///
    /// If a hook changes something meanwhile, the next plan takes account of that.
    func preparedPlan(deleting roots: [DeletionPlanner.Entry]) throws -> DeletionPlanner {
        var prepared: Set<ObjectIdentifier> = []
        while true {
            let planner = try plan(deleting: roots)
            if !planner.denials.isEmpty {
                throw RecordStackError.deletionDenied(planner.denials)
            }
            try loadHooked(planner)
            if !coordinator.types.allHooks.contains(.prepareForDeletion) { return planner }
            let due = planner.entries.filter {
                context.hooks[$0.entity].contains(.prepareForDeletion)
            }.map(object).filter { prepared.insert(ObjectIdentifier($0)).inserted }
            if due.isEmpty { return planner }
            try context.prepareForDeletion(due)
        }
    }

    /// Loads the objects whose hooks are called for their deletion.
    private func loadHooked(_ planner: DeletionPlanner) throws {
        if coordinator.types.allHooks.isDisjoint(with: .deletion) { return }
        for entry in planner.entries where !context.hooks[entry.entity].isDisjoint(with: .deletion)
        {
            try object(of: entry).load()
        }
    }

    func plan(deleting roots: [DeletionPlanner.Entry]) throws -> DeletionPlanner {
        try context.reading(transaction: true) { _ in
            // Another context, or a hook, may have deleted some of them.
            var live = roots
            live.removeAll { root in
                guard let object = root.object ?? table(of: root.entity).object(root.key) else {
                    return false
                }
                return object.has(ObjectFlags.detached) || isDeleted(object)
            }
            for root in live where root.version == nil { try root.object.map(loadIfThere) }
            live.removeAll { $0.object?.has(ObjectFlags.gone) ?? false }
            return try DeletionPlanner(context: context, deleting: live)
        }
    }

    /// Carries out a plan. Nothing can fail here.
    func execute(_ planner: DeletionPlanner) {
        for (object, slot) in planner.nullified { object.setKey(0, at: slot) }
        let objects = planner.entries.map(object)
        context.members.leaveMemberKeys(objects)
        for object in objects where !isDeleted(object) {
            let leaves = object.has(ObjectFlags.inserted | ObjectFlags.orphaned)
            let table = table(of: entityIndex(of: object))
            markDeleted(object, leaves: false)
            // A deleted new object is not dirty any more.
            if leaves { table.noteLeaving() }
        }
        if context.repair.pending.contains(.conflicts) {
            context.repair.clearReferencesOfOrphans(from: planner.marked)
        }
    }

    /// Returns the object of an entry. An object that is not registered is created without values.
    private func object(of entry: DeletionPlanner.Entry) -> ManagedObject {
        let table = table(of: entry.entity)
        if let object = entry.object ?? table.object(entry.key) {
            guard let version = entry.version, !object.has(ObjectFlags.differs) else {
                return object
            }
            // Another program has changed the row since it was read.
            if !object.isFault && object.rowVersion < version {
                context.parentView.turnIntoFault(object)
            }
            if object.isFault { object.rowVersion = version }
            return object
        }
        let object = coordinator.types.types[entry.entity].init(
            seed: ObjectSeed(
                anchor: Unmanaged.passUnretained(context.anchor), key: entry.key,
                version: entry.version ?? .noRow, status: .fault))
        table.register(object)
        return object
    }

    /// Loads an object to delete. If its row is gone, there is nothing to do.
    private func loadIfThere(_ object: ManagedObject) throws {
        do { try context.ensureLoaded(object) } catch let error as RecordStackError
            where error.code == .notFound && object.has(ObjectFlags.gone)
        {}
    }

    func isDeletable(_ object: ManagedObject) throws -> Bool {
        if isDeleted(object) || object.has(ObjectFlags.gone) { return false }
        if object.managedObjectContext === context { return true }
        throw object.absent("Find it in this context by its objectID, and delete that one.")
    }

    /// Whether an object is deleted for good. An orphaned object can be deleted, too.
    ///
    /// Deleting an orphaned object ends its conflict.
    private func isDeleted(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.deleted) && !object.has(ObjectFlags.orphaned)
    }

    /// Returns the objects that refer to some objects: one query for each relationship that can.
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
                found += try context.queries.fetch(request, as: ManagedObject.self).map {
                    ($0, reference.slot)
                }
            }
        }
        return found
    }

    func markDeleted(_ object: ManagedObject, leaves: Bool = true) {
        if leaves { context.members.leaveMemberKeys(object) }
        context.members.forgetMembers(of: object)
        context.joinRowEdits.dropLinks(of: object)
        let table = table(of: entityIndex(of: object))
        // A save that is running or not merged yet may insert the object, or may have inserted it.
        if object.has(ObjectFlags.inserted) && context.isSavedUnheard {
            object.apply(.deleted)
            context.repair.pending.insert(.discardedInserts)
        } else if object.has(ObjectFlags.orphaned) {
            context.repair.agreeToDeletion(of: object, in: table)
        } else if object.has(ObjectFlags.inserted) {
            table.unregister(object, isGone: true)
        } else {
            if !object.has(ObjectFlags.dirty) { context.list(object) }
            object.apply(.deleted)
        }
    }
}
