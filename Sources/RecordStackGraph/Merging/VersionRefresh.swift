import Dispatch
import RecordStackModel

/// Compares a context's objects with their rows by version, if the log has dropped commits.
final class VersionRefresh: ContextPart {
    /// The number of comparisons that were requested.
    private var generation = 0
    /// The number of requested comparisons at the time of the last one.
    ///
    /// Neither number ever decreases. A comparison on another thread can therefore detect a request
    /// that was made meanwhile.
    private var metGeneration = 0

    /// Whether a comparison is due before the next operation reads.
    var needsRefreshByVersion: Bool { generation > metGeneration }

    /// Requests a comparison at the next opportunity.
    func demandRefreshByVersion() {
        generation += 1
        context.repair.pending.insert(.references)
    }

    /// Compares now, in an operation that has a reader.
    func refreshByVersion(_ reader: any StoreReader) throws {
        let held = heldRows()
        take(try held.compare(with: reader, coordinator.model), for: held)
    }

    /// Compares the objects of this context and its ancestors, while another thread reads.
    ///
    /// The main actor should not wait for the disk.
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

    /// Whether an ancestor is going to insert the object's row, or has just saved it.
    private static func isInsertedAbove(_ object: ManagedObject) -> Bool {
        object.has(ObjectFlags.inheritsEdits)
            && !object.has(ObjectFlags.stored | ObjectFlags.inserted)
    }

    /// Collects the objects to which changes refer and that are not held: they may be deleted.
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
                    // The former target of a cleared reference counts, too: the other side may have
                    // deleted it.
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

    /// Whether an object is itself part of the comparison.
    private func isHeld(_ key: Int64, _ hierarchy: Int) -> Bool {
        guard let object = tables[hierarchy].object(key) else { return false }
        return !object.isFault || object.has(ObjectFlags.inserted)
    }

    /// Applies the result of a comparison.
    ///
    /// The context may have gone on while another thread was reading. If an operation of its own
    /// has compared meanwhile, the result is dropped. If an object has a newer row, that row stays.
    ///
    /// The newer row of a changed object may come from a save of this context that it has not
    /// merged. That row is compared again after the merge.
    ///
    /// - Returns: false if a row must be compared again.
    @discardableResult
    private func take(_ newer: NewerRows, for held: HeldRowVersions) -> Bool {
        context.parentView.followAnew()
        // A later request needs a later comparison. If no request is open, there is nothing to do.
        guard held.demand == generation, needsRefreshByVersion else { return true }
        // Other contexts may have changed the objects that are deleted here.
        for table in tables {
            for object in table.dirtyObjects where object.isToDelete { object.markStale() }
        }
        // The ancestor's save may be among the dropped commits. Without this step, the context
        // would mistake a saved object for one that the ancestor has discarded.
        for (hierarchy, keys) in newer.stored {
            for key in keys {
                if let object = tables[hierarchy].object(key), Self.isInsertedAbove(object) {
                    object.apply(.rowFound)
                }
            }
        }
        // Deletions come first, because both sides may have cleared references to the deleted
        // objects.
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
        // It is unknown what the dropped commits have done to relationships.
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
    /// Compares a context's rows with the store, on a reader thread.
    fileprivate func compare(_ held: HeldRowVersions) async throws -> (NewerRows, StoreStatistics) {
        try await readingElsewhere { [model] in try held.compare(with: $0, model) }
    }
}
