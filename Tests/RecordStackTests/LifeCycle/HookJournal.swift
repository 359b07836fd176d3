import Foundation
import RecordStack
import RecordStackTesting
import Synchronization

/// The hooks that were called for objects of a store, in order, and the scripts that they run.
///
/// A hook has access to its object only, so a journal is found by the store in the object's ID.
final class HookJournal: Sendable {
    typealias Script = @Sendable (_ object: ManagedObject) throws -> Void

    private struct State {
        var lines: [String] = []
        var scripts: [String: Script] = [:]
    }

    private let state = Mutex(State())

    private static let journals = Mutex<[UUID: HookJournal]>([:])

    /// Returns the journal of a store.
    static func of(_ store: UUID) -> HookJournal {
        journals.withLock { journals in
            if let known = journals[store] { return known }
            let made = HookJournal()
            journals[store] = made
            return made
        }
    }

    /// Notes a call and runs its script. The hooks of the twins' entities call this function.
    static func note(_ hook: String, of object: ManagedObject, named name: String) throws {
        let journal = of(object.objectID.storeUUID)
        let place = object.managedObjectContext?.name ?? "none"
        let script = journal.state.withLock { state in
            state.lines.append("\(hook) \(name)@\(place)")
            return state.scripts[hook]
        }
        try script?(object)
    }

    /// Sets the script that a hook runs.
    func script(_ hook: String, _ script: Script?) {
        state.withLock { $0.scripts[hook] = script }
    }

    /// Returns the calls since the last request: the hook, the object's name and the context's
    /// name.
    func take() -> [String] {
        state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }

    /// Returns the hooks called since the last request, without names of objects and contexts.
    func takeHooks() -> [String] { take().map { String($0.prefix { $0 != " " }) } }

    /// Returns the number of times that each line was noted.
    func takeCounts() -> [String: Int] {
        Dictionary(take().map { ($0, 1) }, uniquingKeysWith: +)
    }
}

extension TestStack {
    var journal: HookJournal { .of(stack.coordinator.storeUUID) }
}
