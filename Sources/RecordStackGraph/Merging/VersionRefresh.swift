import Dispatch
import RecordStackModel

/// Looks at what a context holds by version, where too much was committed to keep it all until the context takes it in.
final class VersionRefresh: ContextPart {
    /// How often what is held was to be looked at.
    private var generation = 0
    /// How often it was to be when it was last looked at. Neither number goes back: who reads on another thread finds out
    /// whether there was another demand meanwhile.
    private var metGeneration = 0

    /// Whether it is to be done before the next operation reads.
    var needsRefreshByVersion: Bool { generation > metGeneration }

    /// Has it done at the next occasion.
    func demandRefreshByVersion() {
        generation += 1
        context.repair.pending.insert(.references)
    }

    /// Does it now, in an operation that has a reader.
    func refreshByVersion(_ reader: any StoreReader) throws {
        let held = heldRows()
        take(try held.compare(with: reader, coordinator.model), for: held)
    }

    /// Does it for this context and its ancestors, and has another thread read meanwhile: the disk is none of
    /// the main actor's business.
    func refreshByVersionElsewhere() async throws {
        for level in context.chain.reversed() {
            var isMet = true
            while isMet && level.versionRefresh.needsRefreshByVersion {
                let held = level.versionRefresh.heldRows()
                let (rows, done) = try await coordinator.compare(held)
                context.monitor.counters.add(done)
                isMet = level.versionRefresh.take(rows, for: held)
            }
        }
    }

    private func heldRows() -> HeldRowVersions {
        var held = HeldRowVersions(demand: generation)
        for table in tables where table.map.count > 0 {
            var versions: [Int64: RowVersion] = [:]
            for object in table.map.objects() where Self.isComparable(object) {
                versions[object.keyValue] = object.rowVersion
            }
            if !versions.isEmpty { held.versions[table.hierarchy] = versions }
            let inserted = table.inheriting.filter(Self.isInsertedAbove).map(\.keyValue)
            if !inserted.isEmpty { held.inserted[table.hierarchy] = inserted }
        }
        collectReferences(&held)
        return held
    }

    /// Whether an object shows its own row.
    private static func isComparable(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.stored)
            && !object.has(ObjectFlags.fault | ObjectFlags.inheritsEdits | ObjectFlags.deleted)
    }

    /// Whether an ancestor is to insert the object's row, unless it has saved it since.
    private static func isInsertedAbove(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.inheritsEdits)
            && !object.has(ObjectFlags.stored | ObjectFlags.inserted)
    }

    /// What was changed here may refer to objects that are not held and were deleted meanwhile.
    private func collectReferences(_ held: inout HeldRowVersions) {
        let model = coordinator.model
        func refer(_ key: Int64, _ entity: Int) {
            let hierarchy = model.modelEntities[entity].hierarchy
            if key != 0 && !isHeld(key, hierarchy) {
                held.referred[hierarchy, default: []].insert(key)
            }
        }
        for table in tables {
            for object in table.dirtyObjects where object.has(ObjectFlags.dirty) && !object.isFault
            {
                for relationship in model.modelEntities[entityIndex(of: object)].relationships {
                    guard let slot = relationship.slot else { continue }
                    refer(object.storedKey(at: slot), relationship.destination)
                    // The old destination of a cleared reference, too: the other side may have deleted it.
                    if case .integer(let old)? = object.recordValue?.oldValue(of: slot) {
                        refer(old, relationship.destination)
                    }
                }
            }
        }
        for joinTable in model.joinTables
        where !context.joinRowEdits.links[joinTable.index].isEmpty {
            for (joinRow, edit) in context.joinRowEdits.links[joinTable.index].edits
            where edit.kind == .added {
                for end in [LinkEnd.first, .second] {
                    refer(joinRow.key(end), joinTable.end(end).entity)
                }
            }
        }
    }

    /// Whether an object was looked at itself.
    private func isHeld(_ key: Int64, _ hierarchy: Int) -> Bool {
        guard let object = tables[hierarchy].object(key) else { return false }
        return !object.isFault || object.has(ObjectFlags.inserted)
    }

    /// Takes in what was found. While another thread was reading, the context may have gone on: an operation of
    /// its own has then looked already, or an object has a newer row, which stays.
    ///
    /// A row that was changed here may be what a save of this context has left, of which it has not heard: it is looked at
    /// again when it has.
    /// - Returns: false where something was left for then.
    @discardableResult
    private func take(_ newer: NewerRows, for held: HeldRowVersions) -> Bool {
        context.parentView.followAnew()
        // A later demand is met by who has read later, and one that was met is not met again.
        guard held.demand == generation, needsRefreshByVersion else { return true }
        // Nobody knows whether others have changed what is to be deleted here.
        for table in tables {
            for object in table.dirtyObjects where object.isToDelete { object.markStale() }
        }
        // The ancestor's save may be among the commits that were dropped. Without it, following the ancestor would take a
        // saved object for one that the ancestor gave up.
        for (hierarchy, keys) in newer.stored {
            for key in keys {
                if let object = tables[hierarchy].object(key), Self.isInsertedAbove(object) {
                    object.apply(.rowFound)
                }
            }
        }
        // Deleted objects come first: both sides may have cleared references to them.
        for (hierarchy, keys) in newer.gone {
            let table = tables[hierarchy]
            for key in keys {
                guard let object = table.object(key), Self.isComparable(object),
                    object.rowVersion == held.versions[hierarchy]?[key]
                else { continue }
                context.merger.mergeDeletion(of: object, table: table, from: .others)
                context.repair.deletedKeys[hierarchy, default: []].insert(key)
            }
        }
        for (hierarchy, keys) in newer.goneReferred {
            let gone = keys.subtracting(tables[hierarchy].deletedAbove)
            if !gone.isEmpty { context.repair.deletedKeys[hierarchy, default: []].formUnion(gone) }
        }
        var isMet = true
        for rows in newer.rows where !take(rows) { isMet = false }
        // Nobody knows what happened to relationships while changes were dropped.
        for table in tables where table.map.count > 0 {
            table.pruneDirtyObjects()
            table.map.objects().forEach(context.members.forgetMembers)
        }
        if isMet { metGeneration = generation }
        return isMet
    }

    private func take(_ rows: NewerRows.Rows) -> Bool {
        let table = table(of: rows.entity)
        let all = SlotSet(all: rows.values.width)
        var isWhole = true
        for (row, head) in rows.heads.enumerated() {
            guard let object = table.object(head.key), Self.isComparable(object),
                object.rowVersion < head.version
            else { continue }
            if object.has(ObjectFlags.dirty) && context.isBeingSaved(object, entity: rows.entity) {
                isWhole = false
                continue
            }
            context.merger.mergeRow(
                rows.values, row: row, slots: all, own: all, version: head.version, into: object,
                from: .others)
        }
        return isWhole
    }
}

extension PersistentStoreCoordinator {
    /// Compares what a context holds with the store, on a thread of the readers'.
    fileprivate func compare(_ held: HeldRowVersions) async throws -> (NewerRows, StoreStatistics) {
        try await readingElsewhere { [model] in try held.compare(with: $0, model) }
    }
}
