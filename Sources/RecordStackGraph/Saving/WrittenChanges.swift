import RecordStackModel

/// The changes that a save writes, by context, until the contexts have merged the save.
struct WrittenChanges: Sendable {
    /// The layers of the contexts by cursor; empty if the changes are a single layer.
    private let levels: [Int: LayerSnapshot]
    /// The cursor of the only context that has changes; nil if several contexts have changes.
    private let author: Int?
    private let changes: ChangeSet
    private lazy var authored = WrittenSlots(of: changes)

    init(_ capture: SaveCapture) {
        levels = capture.levels
        author = capture.author
        changes = capture.captured ?? capture.changes
    }

    mutating func contains(_ target: WriteTarget) -> Bool {
        target.isChanged(in: levels)
            || author.map(target.mayBeOf) == true && authored.contains(target)
    }
}

/// The slots that a context has changed, without their values.
struct WrittenSlots: Sendable {
    private var rows: [Int: [Int64: SlotSet]] = [:]

    init(of changes: ChangeSet) {
        for entity in changes.entities {
            var slots: [Int64: SlotSet] = [:]
            slots.reserveCapacity(entity.insertedKeys.count + entity.updates.count)
            let all = SlotSet(all: entity.inserted.width)
            for key in entity.insertedKeys { slots[key] = all }
            for update in entity.updates { slots[update.key] = update.slots }
            rows[entity.entity] = slots
        }
    }

    func contains(_ target: WriteTarget) -> Bool {
        guard let slots = rows[target.entity]?[target.key] else { return false }
        return target.slot.map(slots.contains) ?? true
    }
}

/// An object, or one slot of it, whose change a save may write.
struct WriteTarget {
    let entity: Int
    let key: Int64
    /// The slot; nil for the object as a whole.
    let slot: Int?
    /// The number of the cursor of the context that has made the change; nil for any context.
    let origin: Int?

    func mayBeOf(_ number: Int) -> Bool { origin == nil || origin == number }

    func isChanged(in levels: [Int: LayerSnapshot]) -> Bool {
        if let origin { return levels[origin].map(isChanged) ?? false }
        return levels.values.contains(where: isChanged)
    }

    private func isChanged(in level: LayerSnapshot) -> Bool {
        guard let slot else { return level.hasChanged(entity: entity, key: key) }
        return level.value(entity: entity, key: key, slot: slot) != nil
    }
}

extension ManagedObjectContext {
    /// Whether a save that this context has not merged writes its change of a slot.
    ///
    /// If so, the slot's value is a change of the written value, even if it equals the former
    /// value.
    func isBeingSaved(_ slot: Int, of object: ManagedObject, entity: Int) -> Bool {
        isSavedUnheard
            && isBeingSaved(
                WriteTarget(entity: entity, key: object.keyValue, slot: slot, origin: origin))
    }

    /// Whether a save that this context has not merged writes any change of an object.
    ///
    /// The change may be of any context of the chain.
    func isBeingSaved(_ object: ManagedObject, entity: Int) -> Bool {
        isSavedUnheard
            && isBeingSaved(
                WriteTarget(entity: entity, key: object.keyValue, slot: nil, origin: nil))
    }

    /// Whether a save that writes a target is running, in doubt, or committed but not merged.
    ///
    /// The order of the checks matters: a commit is in the log before its ticket is finished or its
    /// doubt is resolved.
    private func isBeingSaved(_ target: WriteTarget) -> Bool {
        if tree.mayWrite(target) { return true }
        if coordinator.isInDoubt(target, of: origin) { return true }
        return cursor.owned(by: origin).contains { $0.writes(target) }
            || merger.pendingCommits.contains { $0.isOwn(origin) && $0.writes(target) }
    }
}
