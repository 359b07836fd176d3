import RecordStackModel

/// The objects of a request, loaded in batches when they are accessed.
///
/// ```swift
/// let people = try Person.findLazily(batch: 100, sortedBy: .ascending(\.name), in: context)
/// print(people.count)                 // loads nothing
/// print(people[5_000].name)           // loads the object's batch of 100, with one statement
/// for person in people.prefix(250) { print(person.name) }
/// ```
///
/// `findLazily` reads only the keys, eight bytes for each object, with one statement. The objects
/// and their order stay as they were then: find again to see later changes. The first access to an
/// object loads its batch, except for objects that the context already holds. Those are the same
/// objects. The collection keeps the two batches that were accessed last. The context releases the
/// objects of other batches at its next operations, or with a later batch, unless they have changes
/// or the program holds them.
///
/// Accessing an object is not an operation of its context. As with a fault, saves of other contexts
/// are merged by the next fetch, save or other operation.
///
/// Every index has its object. For an object that was deleted since, this is
///
/// - the object that the context holds, if there is one. It is ``ObjectState/deleted`` or
///   ``ObjectState/detached``.
/// - otherwise an object with the ID, whose ``ManagedObject/objectState`` is
///   ``ObjectState/detached``, and whose attributes have their placeholders.
///
/// If a batch cannot be loaded because the store is busy or closed, its objects are faults. The
/// error is handled like the error of a fault: it goes to the context's
/// ``ManagedObjectContext/faultHandler`` and to its next throwing operation. The next access tries
/// again.
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

    /// Returns the object at an index in the request's order.
    ///
    /// - Precondition: the index is one of the ``indices``, as in an array.
    public subscript(index: Int) -> Entity { batches.object(at: index) }
}

extension LazyResults: CustomStringConvertible {
    /// The number and the entity of the objects. Loads nothing.
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
