import RecordStackModel

/// The objects of a request, which the collection loads in batches when you access them.
///
/// ```swift
/// let people = try Person.findLazily(batch: 100, sortedBy: .ascending(\.name), in: context)
/// print(people.count)                 // loads nothing
/// print(people[5_000].name)           // loads the object's batch of 100, with one statement
/// for person in people.prefix(250) { print(person.name) }
/// ```
///
/// `findLazily` reads only the keys of the objects, with one statement. Each key takes eight bytes.
/// The objects and their order do not change after that. To see later changes, call `findLazily`
/// again.
///
/// The first access to an object loads the batch that contains it. If the context already holds
/// some objects of the batch, they are not loaded again: the collection returns those same objects.
/// The collection keeps the two batches that you accessed last. The context releases the objects of
/// other batches during later operations or when it loads another batch. It keeps objects that have
/// unsaved changes or that your program references.
///
/// Accessing an object is not an operation of the context, so it does not merge the saves of other
/// contexts. The next operation, such as a fetch or a save, merges them.
///
/// Every index stays valid, even if its object is deleted after the call of `findLazily`. The
/// collection then returns one of the following objects:
///
/// - If the context holds the object, the result is that object. Its state is
///   ``ObjectState/deleted`` or ``ObjectState/detached``.
/// - Otherwise, the result is a placeholder object with the same ID. Its
///   ``ManagedObject/objectState`` is ``ObjectState/detached``, and its attributes have placeholder
///   values.
///
/// If a batch cannot be loaded because the store is busy or closed, its objects are faults. The
/// context's ``ManagedObjectContext/faultHandler`` gets the error, and the context's next throwing
/// operation throws it. The next access tries to load the batch again.
///
/// The collection belongs to the isolation of its context, and keeps the context alive.
public struct LazyResults<Entity: ManagedObject>: RandomAccessCollection {
    private let batches: LazyBatches<Entity>

    init(_ batches: LazyBatches<Entity>) {
        self.batches = batches
    }

    /// The index of the first object: 0.
    public var startIndex: Int { 0 }
    /// The number of objects. Reading it loads nothing.
    public var endIndex: Int { batches.keys.count }
    /// The number of objects that are loaded with one statement.
    public var batchSize: Int { batches.size }

    /// The object at an index, in the request's order.
    ///
    /// - Precondition: The index is one of the ``indices``, as in an array.
    public subscript(index: Int) -> Entity { batches.object(at: index) }
}

extension LazyResults: CustomStringConvertible {
    /// The number of objects and the name of their entity. Loads nothing.
    public var description: String { "\(count) objects of \(Entity.entityDescription.name)" }
}

@available(
    *, unavailable,
    message: "An object stays in its context's isolation. Pass its objectID or snapshot."
)
extension LazyResults: Sendable {}

/// The keys of a request's objects, and the batches that were accessed last.
final class LazyBatches<Entity: ManagedObject> {
    let keys: [Int64]
    let size: Int
    private let context: ManagedObjectContext
    private let entity: Int
    private let prefetches: [Prefetch]
    /// The batches that are kept, the last accessed one at the end.
    private var kept: [(number: Int, objects: [Entity])] = []

    init(
        context: ManagedObjectContext, entity: Int, keys: [Int64], size: Int, prefetches: [Prefetch]
    ) {
        self.context = context
        self.entity = entity
        self.keys = keys
        self.size = size
        self.prefetches = prefetches
    }

    func object(at index: Int) -> Entity {
        precondition(keys.indices.contains(index), "The index \(index) is not in the results.")
        let (number, offset) = index.quotientAndRemainder(dividingBy: size)
        if let last = kept.last, last.number == number { return last.objects[offset] }
        return batch(number)[offset]
    }

    private func batch(_ number: Int) -> [Entity] {
        if let known = kept.firstIndex(where: { $0.number == number }) {
            kept.swapAt(known, kept.count - 1)
            return kept[kept.count - 1].objects
        }
        // The batch is removed before another one is loaded, so that the context can release its
        // objects.
        if kept.count > 1 { kept.removeFirst() }
        let start = number * size
        let end = keys.count - start > size ? start + size : keys.count
        let loaded = context.queries.loadBatch(
            of: keys[start..<end], entity: entity, prefetching: prefetches, as: Entity.self)
        // A hook that ran meanwhile may have loaded the same batch.
        kept.removeAll { $0.number == number }
        if loaded.isComplete { kept = kept.suffix(1) + [(number, loaded.objects)] }
        return loaded.objects
    }
}
