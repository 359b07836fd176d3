import RecordStackModel
import Synchronization

/// The reference of an object to its context.
///
/// A context may be released before its objects, on any thread: a main-actor class that owns a
/// context can itself be released anywhere. The anchor then returns nil. An anchor has two ways to
/// the context. The weak reference serves the slow paths and costs about ten nanoseconds. The gate
/// serves a short lookup in the context and costs half of that.
///
/// - Note: `@unchecked Sendable`: the weak reference is written once, before the anchor is shared,
///   and a weak reference may be read while its target is deallocated on another thread. The
///   context that it returns, and the variable, are used only where the object that holds the
///   anchor may be used.
@usableFromInline
final class ContextAnchor: @unchecked Sendable {
    private weak var home: ManagedObjectContext?
    let coordinator: PersistentStoreCoordinator
    /// The address of the context; 1 during a lookup, and 0 after the context is gone.
    private let gate: Atomic<UInt>

    // @exclusivity(unchecked): only the context's isolation uses it, and the registry's methods
    // call no code outside of the registry.

    /// The to-many relationships whose keys are loaded; merges skip all other relationships.
    @exclusivity(unchecked) var loadedMembers = MemberRegistry()

    init(context: ManagedObjectContext?, coordinator: PersistentStoreCoordinator) {
        home = context
        self.coordinator = coordinator
        let address = context.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
        gate = Atomic(address ?? 0)
    }

    /// The context, for callers in its isolation.
    var context: ManagedObjectContext? {
        let context = home
        context?.checkIsolation()
        return context
    }

    /// Returns the object with a key if `type` is the class whose table was used last.
    ///
    /// Returns nil otherwise, and if the context is gone.
    func registered(_ key: Int64, of type: ManagedObject.Type) -> ManagedObject? {
        let word = gate.exchange(1, ordering: .acquiring)
        // Another thread is inside the gate, which the isolation forbids. The slow path reports it.
        if word == 1 { return nil }
        defer { gate.store(word, ordering: .releasing) }
        guard let address = UnsafeRawPointer(bitPattern: word) else { return nil }
        // The context's deinit waits at the gate before it releases anything.
        return Unmanaged<ManagedObjectContext>.fromOpaque(address)._withUnsafeGuaranteedRef {
            $0.registered(key, of: type)
        }
    }

    /// Waits until no lookup is under way, and fails every later lookup.
    ///
    /// The context's deinit calls it first.
    func close() {
        var word = gate.load(ordering: .relaxed)
        while word != 0 {
            if word == 1 {
                word = gate.load(ordering: .relaxed)
                continue
            }
            let (isClosed, now) = gate.weakCompareExchange(
                expected: word, desired: 0, ordering: .acquiringAndReleasing)
            if isClosed { return }
            word = now
        }
    }
}
