import RecordStackModel
import Synchronization

/// What an object holds on to instead of its context.
///
/// A context may die before its objects, on any thread: a class of the main actor that keeps one may
/// itself be released anywhere. Objects then find nil here. There are two ways to the context: a
/// weak reference for whatever takes longer, which costs some ten nanoseconds, and a gate for a look
/// at what it holds, which costs half of that.
///
/// - Note: `@unchecked Sendable`: the weak reference is written once, before the anchor is shared,
///   and weak references may be read while what they refer to dies on another thread. The context
///   that it yields, and the variable, are used only where the object that led to them may be used.
@usableFromInline
final class ContextAnchor: @unchecked Sendable {
    private weak var home: ManagedObjectContext?
    let coordinator: PersistentStoreCoordinator
    /// The address of the context; 1 while somebody looks into it, 0 when it is gone.
    private let gate: Atomic<UInt>

    // @exclusivity(unchecked): only the context's isolation uses it, and the registry's methods call nothing outside.

    /// Which to-many relationships have their keys loaded; merges skip the rest.
    @exclusivity(unchecked) var loadedMembers = MemberRegistry()

    init(context: ManagedObjectContext?, coordinator: PersistentStoreCoordinator) {
        home = context
        self.coordinator = coordinator
        let address = context.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
        gate = Atomic(address ?? 0)
    }

    /// The context, for whoever may use it.
    var context: ManagedObjectContext? {
        let context = home
        context?.checkIsolation()
        return context
    }

    /// The object of a key in the table that was asked for last, if that was the table of a class;
    /// nil also where the context is gone.
    func registered(_ key: Int64, of type: ManagedObject.Type) -> ManagedObject? {
        let word = gate.exchange(1, ordering: .acquiring)
        // Somebody else looks, which is forbidden: the long way tells.
        if word == 1 { return nil }
        defer { gate.store(word, ordering: .releasing) }
        guard let address = UnsafeRawPointer(bitPattern: word) else { return nil }
        // The context's deinit waits at the gate before anything of it goes.
        return Unmanaged<ManagedObjectContext>.fromOpaque(address)._withUnsafeGuaranteedRef {
            $0.registered(key, of: type)
        }
    }

    /// Waits until nobody looks into the context, and lets nobody look into it from then on. The
    /// context's deinit begins with it.
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
