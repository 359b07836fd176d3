import Foundation
import RecordStack
import RecordStackModel
import TestSupport

/// Random steps in contexts of every kind. A seed repeats them, because no step depends on another
/// thread.
@MainActor final class FlagScript {
    private static let entities: [ManagedObject.Type] = [Pebble.self, Pile.self]
    /// The number of objects. It is at most the number of keys that a context holds, because a held
    /// save keeps the writer from leasing new keys.
    private static let objects = 12

    let stack: ContextStack
    let foreign: ContextStack
    let gate = Gate()
    let disk = FaultyDisk(syncs: false)
    private let folder: TemporaryFolder
    /// A context, its child and its grandchild, another context of the stack, and a context of
    /// another stack.
    let contexts: [ManagedObjectContext]
    private var held: [ManagedObject] = []
    private var lastNumber = 0
    private let bringsBack: Bool
    var random: Seeded

    /// - Parameters:
    ///   - isNested: true if the topmost context is the default context, on which save blocks of
    ///     the stack are based.
    ///   - bringsBack: true to re-insert deleted rows.
    init(
        _ random: Seeded, isNested: Bool, bringsBack: Bool, _ transitions: FlagTransitions
    ) throws {
        (self.random, self.bringsBack) = (random, bringsBack)
        folder = try TemporaryFolder("flags")
        var options = StoreOptions()
        options.remoteSaveInterval = nil
        options.watching.warnings = false
        options.watching.flagObserver = transitions.observer
        let path = folder.file("flags.sqlite")
        foreign = try ContextStack(entities: Self.entities, at: .file(path), options: options)
        options.vfs = disk.name
        options.observer = { [gate, disk] event in
            // The main thread opens the gate, so its own statements must pass.
            if !Thread.isMainThread { gate.observe(event) }
            _ = disk
        }
        stack = try ContextStack(
            entities: Self.entities, at: .file(path),
            architecture: isNested ? .nested : .savingRoot, options: options)
        let top = isNested ? stack.defaultContext : stack.newContext(name: "top")
        let child = top.newChild(name: "child")
        contexts = [
            top, child, child.newChild(name: "grandchild"), stack.newContext(name: "other"),
            foreign.newContext(name: "foreign"),
        ]
        try foreign.saveWithBlockAndWait { context in
            for number in 1...3 { try Pile.create(in: context, number: -number) }
            for number in 4...6 { try Pebble.create(in: context, number: -number) }
        }
    }

    func close() throws {
        gate.openForGood()
        held = []
        try stack.close()
        try foreign.close()
    }

    var anyContext: ManagedObjectContext {
        contexts[random.chance(70) ? random.below(3) : random.below(5)]
    }

    /// Performs a step. An error is an outcome like any other.
    func step() {
        let context = anyContext
        // Other threads finish their part of a save before the next step.
        defer { for stack in [stack, foreign] { stack.coordinator.waitForCheckpoint() } }
        do {
            switch random.below(33) {
            case 0...11: try edit(in: context)
            case 12, 13: try contexts[random.chance(50) ? 1 : 2].push(mergePolicy: anyPolicy)
            case 14...17: try save(context)
            case 18: context.rollback()
            case 19: if random.chance(30) { context.reset() }
            case 20: try refresh(in: context)
            case 21: context.refreshAllObjects()
            case 22: held += try Pile.find(in: context)
            case 23: held += try Pebble.find(in: context)
            case 24: held = []
            case 25: try resolve(in: context)
            case 26: try block()
            case 27: try failingSave(of: contexts[random.below(3)])
            case 28: for pile in try Pile.find(in: context) { held += pile.pebbles.map { $0 } }
            case 29, 30, 31: if bringsBack { try reinsert() }
            default: _ = try Pile.count(in: context) { $0.height > 1 }
            }
        } catch {}
    }

    private var anyPolicy: MergePolicy? {
        [nil, nil, .error, .storeTrump, .objectTrump, .overwrite, .rollback][random.below(7)]
    }

    private func save(_ context: ManagedObjectContext) throws {
        try context.saveAndWait(mergePolicy: anyPolicy)
    }

    private func failingSave(of context: ManagedObjectContext) throws {
        // The fault must hit this save, and not the work after the previous one.
        stack.coordinator.waitForCheckpoint()
        let call: DiskCall = random.chance(50) ? .committed : .lastWrite
        disk.arm(Fault(call: call, number: 1))
        defer { disk.mend() }
        try context.saveAndWait()
    }

    /// Deletes a pile that other contexts may have changed, and often re-inserts it by saving one
    /// of these changes.
    private func reinsert() throws {
        let stack = random.chance(50) ? stack : foreign
        let number = -1 - random.below(3)
        let context = stack.newContext(name: "back")
        try Pile.findFirst(by: \.number, number, in: context)?.width += 1
        for level in 0..<3 where random.chance(40) {
            try Pile.findFirst(by: \.number, number, in: contexts[level])?.height += 1
        }
        try stack.saveWithBlockAndWait { context in
            try Pile.findFirst(by: \.number, number, in: context)?.delete()
        }
        if random.chance(50) { _ = try Pile.count(in: contexts[random.below(3)]) }
        if random.chance(40) {
            try contexts[1 + random.below(2)].push(mergePolicy: .objectTrump)
        }
        if random.chance(70) { try context.saveAndWait(mergePolicy: .objectTrump) }
    }

    private func block() throws {
        let seed = random.next()
        let number = lastNumber + 1
        lastNumber += 2
        try stack.saveWithBlockAndWait { context in
            var random = Seeded(seed: seed)
            for pile in try Pile.find(in: context) where random.chance(30) { pile.height += 1 }
            for pebble in try Pebble.find(in: context) where random.chance(20) {
                if random.chance(30) { try pebble.delete() } else { pebble.weight += 1 }
            }
            if random.chance(30) { try Pebble.create(in: context, number: number) }
        }
    }
}

// MARK: Edits

extension FlagScript {
    private func any<Entity: ManagedObject>(
        _ type: Entity.Type, in context: ManagedObjectContext
    ) throws -> Entity? {
        let all: [Entity] = try Entity.find(in: context)
        return all.isEmpty ? nil : all[random.below(all.count)]
    }

    func edit(in context: ManagedObjectContext, creates: Bool = true) throws {
        switch random.below(creates ? 14 : 11) {
        case 0, 1, 2: try any(Pile.self, in: context)?.height = random.below(3)
        case 3: try any(Pile.self, in: context)?.width = random.below(3)
        case 4, 5: try any(Pebble.self, in: context)?.weight = random.below(3)
        case 6: try any(Pebble.self, in: context)?.color = random.chance(50) ? "red" : nil
        case 7: try relate(in: context)
        case 8: try any(Pebble.self, in: context)?.delete()
        case 9: if random.chance(50) { try any(Pile.self, in: context)?.delete() }
        case 10: for pile in held.compactMap({ $0 as? Pile }).prefix(2) { pile.height += 1 }
        case 11: try create(in: context)
        case 12: _ = try any(Pebble.self, in: context)?.copy(with: \.pile)
        default:
            try Pile.upsert([-1, -2, lastNumber], by: \.number, key: { $0 }, in: context) {
                pile, _, _ in pile.height = 2
            }
        }
    }

    private func create(in context: ManagedObjectContext) throws {
        if try Pile.count(in: context) > Self.objects { return }
        lastNumber += 1
        if random.chance(50) {
            try Pile.create(in: context, number: lastNumber)
        } else {
            let pebble = try Pebble.create(in: context, number: lastNumber)
            if random.chance(10) { pebble.weight = -1 }
        }
    }

    private func relate(in context: ManagedObjectContext) throws {
        let (pile, pebble) = (
            try any(Pile.self, in: context), try any(Pebble.self, in: context)
        )
        switch random.below(4) {
        case 0: pebble?.pile = pile
        case 1: pebble?.crown = pile
        case 2: pebble?.pile = nil
        default:
            if let pile, let other = try any(Pile.self, in: context) { pile.over.insert(other) }
        }
    }

    private func refresh(in context: ManagedObjectContext) throws {
        let pile: ManagedObject? = try any(Pile.self, in: context)
        let pebble: ManagedObject? = try any(Pebble.self, in: context)
        let deleted = context.deletedObjects.first
        let choice = [pile, pebble, deleted][random.below(3)]
        if let choice { try context.refresh(choice, mergingChanges: random.chance(50)) }
    }

    private func resolve(in context: ManagedObjectContext) throws {
        guard let pile = try any(Pile.self, in: context) else { return }
        switch random.below(3) {
        case 0: try pile.resolveConflict(on: \.height, keeping: .ours)
        case 1: try pile.resolveConflict(on: \.height, keeping: .theirs)
        default: try pile.resolveConflict(on: \.height, keeping: .value(7))
        }
    }
}

// MARK: Awaited saves

extension FlagScript {
    /// Edits and rolls back while a save is held before its COMMIT.
    func heldSave() async {
        let context = contexts[random.below(3)]
        // Nothing else may reach the gate.
        stack.coordinator.waitForCheckpoint()
        gate.close(at: "COMMIT")
        var hasEnded = false
        let save = Task { @MainActor [gate] in
            _ = try? await context.save()
            hasEnded = true
            // A save without changes never reaches the gate.
            gate.discard()
        }
        await gate.waitUntilHeld()
        if !hasEnded {
            for _ in 0..<3 {
                let context = contexts[random.below(3)]
                if random.chance(70) {
                    try? edit(in: context, creates: false)
                } else if random.chance(50) {
                    context.rollback()
                } else {
                    _ = try? Pile.count(in: context)
                }
            }
            gate.open()
        }
        await save.value
        stack.coordinator.waitForCheckpoint()
    }
}
