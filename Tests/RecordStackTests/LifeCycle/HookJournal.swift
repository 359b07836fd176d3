import Foundation
import RecordStack
import RecordStackTesting
import Synchronization

/// Which hooks were called of a store's objects, in their order, and what a test has them do.
///
/// Hooks know nothing but their object, so journals are found by the store that its ID carries.
final class HookJournal: Sendable {
    typealias Script = @Sendable (_ object: ManagedObject) throws -> Void

    private struct State {
        var lines: [String] = []
        var scripts: [String: Script] = [:]
    }

    private let state = Mutex(State())

    private static let journals = Mutex<[UUID: HookJournal]>([:])

    /// The journal of a store.
    static func of(_ store: UUID) -> HookJournal {
        journals.withLock { journals in
            if let known = journals[store] { return known }
            let made = HookJournal()
            journals[store] = made
            return made
        }
    }

    /// Called by the hooks of the twins' entities.
    static func note(_ hook: String, of object: ManagedObject, named name: String) throws {
        let journal = of(object.objectID.storeUUID)
        let place = object.managedObjectContext?.name ?? "none"
        let script = journal.state.withLock { state in
            state.lines.append("\(hook) \(name)@\(place)")
            return state.scripts[hook]
        }
        try script?(object)
    }

    /// Has a hook do something.
    func script(_ hook: String, _ script: Script?) {
        state.withLock { $0.scripts[hook] = script }
    }

    /// What was called since this was asked last: the hook, the object's name and the context's.
    func take() -> [String] {
        state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }

    /// The same without names of objects and contexts.
    func takeHooks() -> [String] { take().map { String($0.prefix { $0 != " " }) } }

    /// How often each line was noted.
    func takeCounts() -> [String: Int] {
        Dictionary(take().map { ($0, 1) }, uniquingKeysWith: +)
    }
}

extension TestStack {
    var journal: HookJournal { .of(stack.coordinator.storeUUID) }
}
