import Foundation
import RecordStack
import RecordStackModel
import TestSupport

/// An awaited save of the default context, held at one of the statements that other threads run for
/// it.
///
/// Each statement of a save runs during one of its awaits, at which the context can be used.
@MainActor final class HeldSave {
    /// The situation when the save begins.
    enum Start: CaseIterable, Sendable {
        case onlyChanges
        /// A child's save is being written.
        case savingChild
        /// The previous save is in doubt.
        case unknownOutcome
        /// Another stack has deleted an object to which a change refers.
        case goneReference
    }

    private static let entities: [ManagedObject.Type] = [Letter.self, Satchel.self]

    let stack: ContextStack
    let other: ContextStack
    let context: ManagedObjectContext
    let child: ManagedObjectContext
    let letter: Letter
    private let start: Start
    private let gate = Gate()
    private let disk = FaultyDisk(syncs: false)
    private let folder: TemporaryFolder
    /// The text in the store if nothing is saved.
    private(set) var base = "base"

    init(_ start: Start) async throws {
        self.start = start
        folder = try TemporaryFolder("held")
        let path = folder.file("letters.sqlite")
        var options = StoreOptions()
        options.remoteSaveInterval = nil
        options.watching.warnings = false
        other = try ContextStack(entities: Self.entities, at: .file(path), options: options)
        options.vfs = disk.name
        options.observer = { [gate, disk] event in
            // The main thread opens the gate, so its own statements must pass.
            if !Thread.isMainThread { gate.observe(event) }
            _ = disk
        }
        stack = try ContextStack(entities: Self.entities, at: .file(path), options: options)
        try await other.saveWithBlock { context in
            try Letter.create(in: context, name: "old").text = "base"
            for name in ["full", "gone"] { try Satchel.create(in: context, name: name) }
        }
        context = stack.defaultContext
        child = context.newChild()
        letter = try Letter.existing(Letter.findFirst(in: context)!.objectID, in: context)
        if start == .unknownOutcome { try await saveWithoutKnowing() }
        try await change()
    }

    private func saveWithoutKnowing() async throws {
        letter.text = "doubtful"
        disk.arm(Fault(call: .committed, number: 1))
        _ = try? await context.save()
        disk.mend()
        base = "doubtful"
    }

    private func change() async throws {
        letter.text = "captured"
        let new = try Letter.create(in: context, name: "new")
        new.satchel = try Satchel.findFirst(by: \.name, "full", in: context)
        if start == .goneReference {
            // At its second operation, a stack looks once for saves of other stacks.
            stack.coordinator.waitForCheckpoint()
            letter.satchel = try Satchel.findFirst(by: \.name, "gone", in: context)
            try await other.saveWithBlock { context in
                try Satchel.findFirst(by: \.name, "gone", in: context)?.delete()
            }
        }
    }

    typealias Outcomes = [Result<SaveOutcome, any Error>]

    /// Saves, and runs a body while the save is held at a statement.
    /// - Parameter statement: the statement's number, from 0.
    /// - Returns: the outcomes of the saves, or nil if they run fewer statements.
    func hold(
        at statement: Int, _ body: (GateOpener) async throws -> Void
    ) async throws -> Outcomes? {
        stack.coordinator.waitForCheckpoint()
        gate.close(at: "", after: statement)
        var hasEnded = false
        let saves = Task { @MainActor in
            let outcomes = await save()
            hasEnded = true
            gate.discard()
            return outcomes
        }
        await gate.waitUntilHeld()
        // A statement that reaches the gate after the save belongs to a checkpoint.
        if hasEnded {
            gate.openForGood()
            _ = await saves.value
            return nil
        }
        let opener = GateOpener(gate)
        try await body(opener)
        opener.open()
        return await saves.value
    }

    /// Saves, and runs a body when the save is in the store and the context has not merged it.
    func holdUnheard(_ body: () async throws -> Void) async throws -> Outcomes {
        stack.coordinator.waitForCheckpoint()
        gate.close(at: "COMMIT")
        let saves = Task { @MainActor in await save() }
        await gate.waitUntilHeld()
        gate.open()
        // This blocks the main actor, so the save cannot go on meanwhile.
        stack.coordinator.waitForCheckpoint()
        try await body()
        return await saves.value
    }

    private func save() async -> Outcomes {
        if start != .savingChild { return [await outcome(of: context)] }
        let first = Task { @MainActor in await outcome(of: child) }
        await Task.yield()
        let second = await outcome(of: context)
        return [await first.value, second]
    }

    func outcome(of context: ManagedObjectContext) async -> Result<SaveOutcome, any Error> {
        do { return .success(try await context.save()) } catch { return .failure(error) }
    }

    func close() throws {
        gate.openForGood()
        try stack.close()
        try other.close()
    }
}
