import RecordStackModel

/// Turns rows into objects: into registered objects if there are any, and otherwise into new ones.
///
/// The results are collected as retained pointers, which become an array of the right type without
/// a check of each object.
final class FetchSink: RowSink {
    let context: ManagedObjectContext
    private let table: EntityTable
    /// Whether rows are skipped whose objects differ from the store. The caller handles them.
    private let skipsDiffering: Bool
    /// Whether registered objects that differ are collected, although their rows are skipped.
    private let collectsDiffering: Bool
    /// Whether the rows can belong to several classes.
    private let isPolymorphic: Bool
    /// The results so far; nil for a row that was not read yet.
    private var results: UnsafeMutablePointer<Unmanaged<ManagedObject>?>
    private(set) var count = 0
    /// The number of rows that were skipped.
    private(set) var declined = 0
    /// The key of the last row that was skipped before the first one that was collected.
    private(set) var lastKeyBeforeFirst: Int64?
    /// The most rows to collect.
    private let most: Int
    /// The last wanted key, if the rows come in the order of their keys.
    private let last: Int64
    private var isAtEnd = false
    /// Whether rows to load are left for a second statement; see ``fillIn(from:entity:)``.
    let readsLater: Bool
    /// The indexes in the results and the keys of the rows that were left for later.
    private(set) var missing: [(index: Int, key: Int64)] = []
    /// The registered object of the last row that `wants` has received; nil if there is none.
    private var asked: Unmanaged<ManagedObject>?
    private var capacity: Int

    init(
        context: ManagedObjectContext, entity: Int, skipsDiffering: Bool, expected: Int,
        collectsDiffering: Bool = false, readsLater: Bool = false, most: Int = .max,
        last: Int64 = .max
    ) {
        self.most = most
        self.last = last
        self.readsLater = readsLater
        self.context = context
        table = context.table(of: entity)
        self.skipsDiffering = skipsDiffering
        self.collectsDiffering = collectsDiffering
        let model = context.coordinator.model
        isPolymorphic = model.hierarchies[model.modelEntities[entity].hierarchy].isPolymorphic
        capacity = expected
        results = .allocate(capacity: expected)
    }

    deinit {
        for index in 0..<count { results[index]?.release() }
        results.deallocate()
    }

    var stopsEarly: Bool { most != .max || last != .max }
    var isFull: Bool { count >= most || isAtEnd }

    func wants(key: Int64, version: RowVersion, entity: Int) -> Bool {
        if key > last {
            isAtEnd = true
            return false
        }
        asked = table.map.find(key)
        guard let known = asked else {
            if skipsDiffering && table.deletedAbove.contains(key) {
                noteDeclined(key)
                return false
            }
            return readsLater ? leaveForLater(key) : true
        }
        return known._withUnsafeGuaranteedRef { object in
            // If another program has changed the row's class, reading the row throws.
            if isPolymorphic && type(of: object) != context.types[entity] { return true }
            if object.bits & ObjectFlags.differs != 0 && skipsDiffering {
                if collectsDiffering { collect(known.retain()) }
                noteDeclined(key)
                return false
            }
            if object.bits & ObjectFlags.fault == 0 && object.rowVersion >= version {
                collect(known.retain())
                return false
            }
            return readsLater ? leaveForLater(key) : true
        }
    }

    private func noteDeclined(_ key: Int64) {
        declined += 1
        if count == 0 { lastKeyBeforeFirst = key }
    }

    private func leaveForLater(_ key: Int64) -> Bool {
        missing.append((count, key))
        collect(nil)
        return false
    }

    /// Reads the rows that were left for later, and puts their objects at their indexes.
    func fillIn(from reader: any StoreReader, entity: Int) throws {
        guard !missing.isEmpty else { return }
        let sink = FetchSink(
            context: context, entity: entity, skipsDiffering: false, expected: missing.count)
        try reader.rows(.keys(missing.map { $0.key }, entity: entity), into: sink)
        for (index, key) in missing { results[index] = table.map.find(key)?.retain() }
        if sink.count == missing.count { return }
        let found = Set(sink.takeResults(as: ManagedObject.self).map(\.keyValue))
        leaveOut(missing.filter { !found.contains($0.key) })
    }

    /// Removes results whose rows are gone.
    ///
    /// If each statement reads a different state of the store, a row can be gone after its key was
    /// read.
    private func leaveOut(_ gone: [(index: Int, key: Int64)]) {
        for (index, _) in gone {
            results[index]?.release()
            results[index] = nil
        }
        var kept = 0
        for index in 0..<count where results[index] != nil {
            results[kept] = results[index]
            kept += 1
        }
        count = kept
    }

    func row(_ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int) throws {
        collect(
            try context.materialize(
                cells, key: key, version: version, entity: entity, known: asked, in: table))
    }

    private func collect(_ object: Unmanaged<ManagedObject>?) {
        if count == capacity { grow() }
        results[count] = object
        count += 1
    }

    private func grow() {
        capacity = max(16, capacity * 2)
        let larger = UnsafeMutablePointer<Unmanaged<ManagedObject>?>.allocate(capacity: capacity)
        larger.update(from: results, count: count)
        results.deallocate()
        results = larger
    }

    /// Returns the objects, all of which are of the requested entity or of its subentities.
    func takeResults<Entity: ManagedObject>(as type: Entity.Type) -> [Entity] {
        let taken = count
        // Creating an empty array writes to the storage that all empty arrays share.
        if taken == 0 { return [] }
        count = 0
        return [Entity](unsafeUninitializedCapacity: taken) { buffer, initialized in
            // A class reference and an unmanaged one are the same pointer. Each pointer here
            // carries one retain count, which the array takes over. No pointer is nil: rows left
            // for later were filled in or removed.
            UnsafeMutableRawPointer(buffer.baseAddress!).copyMemory(
                from: results, byteCount: taken * MemoryLayout<Entity>.stride)
            initialized = taken
        }
    }
}

extension ManagedObjectContext {
    /// Returns the object of a row: the registered object with the row's values, or a new object.
    ///
    /// - Parameter known: the registered object, which the caller has just looked up.
    /// - Returns: a reference that the caller owns.
    @inline(__always)
    func materialize(
        _ cells: borrowing RowCells, key: Int64, version: RowVersion, entity: Int,
        known: Unmanaged<ManagedObject>?, in table: EntityTable
    ) throws -> Unmanaged<ManagedObject> {
        // Keys of 0 and less have another meaning in the identity map.
        if key <= 0 { throw foreignKey(key, entity: entity) }
        if !version.isValid { throw foreignVersion(of: key, entity: entity) }
        let object: Unmanaged<ManagedObject>
        if let known {
            try checkClass(known, entity: entity)
            known._withUnsafeGuaranteedRef { refresh($0, with: cells, version: version) }
            object = known.retain()
        } else {
            let seed = ObjectSeed(
                anchor: Unmanaged.passUnretained(anchor), key: key, version: version,
                status: .ofRow)
            object = Unmanaged.passRetained(types[entity].make(row: cells, seed: seed))
            table.map.insert(object.retain(), key: key)
            monitor.counters.objectsFetched.add(1)
            hooks.didLoad(object.takeUnretainedValue(), entity: entity)
            if !loadedMembers.isEmpty {
                members.enterMemberKeys(ofLoaded: object.takeUnretainedValue())
            }
        }
        if let slot = cells.takeUnexpectedSlot() {
            let error = unexpectedValue(slot: slot, of: object.takeUnretainedValue())
            object.release()
            throw error
        }
        return object
    }

    /// Throws if a row has another entity now, which only another program can have changed.
    private func checkClass(_ known: Unmanaged<ManagedObject>, entity: Int) throws {
        let isSame = known._withUnsafeGuaranteedRef { type(of: $0) == types[entity] }
        if isSame { return }
        throw RecordStackError(
            .corrupt, "The row of \(known.takeUnretainedValue().objectID) is of another entity now."
        )
    }

    /// Gives a clean object or a fault the values of a newer row.
    func refresh(_ object: ManagedObject, with cells: borrowing RowCells, version: RowVersion) {
        if object.isFault {
            didLoad(object)
            object.loadValues(cells)
            if !loadedMembers.isEmpty {
                members.enterMemberKeysAnew(object, keepsOrders: !usage.isOperating)
            }
        } else {
            let references = members.backReferences(of: entityIndex(of: object))
            let old = references.map { object.storedKey(at: $0.slot) }
            // The values are not replaced as a whole, so the program's transient attributes stay.
            object.loadValues(cells, slots: SlotSet(all: cells.count))
            for (reference, old) in zip(references, old) {
                members.moveMember(
                    object.keyValue, from: old, to: object.storedKey(at: reference.slot),
                    reference)
            }
        }
        object.apply(.rowRead)
        object.rowVersion = version
    }

    @inline(never)
    private func foreignKey(_ key: Int64, entity: Int) -> RecordStackError {
        let name = coordinator.model.modelEntities[entity].name
        return RecordStackError(
            .corrupt,
            "A row of \(name) has the key \(key), which another program gave it. Keys begin at 1.",
            entity: name)
    }

    @inline(never)
    private func foreignVersion(of key: Int64, entity: Int) -> RecordStackError {
        .wrongVersion(of: coordinator.objectID(entity: entity, key: key))
    }

    func unexpectedValue(slot: Int, of object: ManagedObject) -> RecordStackError {
        let description = type(of: object).entityDescription
        return .unexpectedValue(
            of: description.slots[slot], entity: description, object.objectID)
    }
}

extension RecordStackError {
    static func unexpectedValue(
        of property: SlotDescription, entity: EntityDescription, _ id: ManagedObjectID
    ) -> RecordStackError {
        RecordStackError(
            .corrupt,
            "\(id) has a value for \(property.name) in the store that is no "
                + "\(property.typeName). Another program wrote it. Correct it in the store.",
            entity: entity.name, objectID: id, property: property.name)
    }
}
