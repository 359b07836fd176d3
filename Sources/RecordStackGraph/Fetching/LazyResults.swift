import RecordStackModel

/// A request's objects, loaded batch by batch when they are touched.
///
/// ```swift
/// let people = try Person.findLazily(batch: 100, sortedBy: .ascending(\.name), in: context)
/// print(people.count)                 // nothing is loaded
/// print(people[5_000].name)           // loads the hundred around it, with one statement
/// for person in people.prefix(250) { print(person.name) }
/// ```
///
/// Finding reads the keys alone, eight bytes for each object, with one statement. Which objects there are, and
/// their order, stays as it was then; find again for what has come since. The first touch of an object loads its
/// batch, but for what the context holds already: those are the same objects. The two batches that were touched
/// last are kept; of the others the context lets go at its next operations, or with a later batch, unless they
/// have changes or the program holds them.
///
/// Touching an object is no operation of its context: as with a fault, what others have saved is taken in by the
/// next fetch, save or the like.
///
/// Every index has its object. An object that was deleted since is
///
/// - the object that the context holds, where it does: ``ObjectState/deleted`` or ``ObjectState/detached``;
/// - else one whose ``ManagedObject/objectState`` is ``ObjectState/detached``, with the ID, and with the
///   placeholders of its attributes.
///
/// Where a batch cannot be loaded (the store is busy, or closed), its objects are faults, and the error is met as
/// that of a fault is: by the context's ``ManagedObjectContext/faultHandler`` and its next throwing operation. The
/// next touch tries again.
///
/// It belongs to the isolation of its context, and keeps the context alive.
public struct LazyResults<Entity: ManagedObject>: RandomAccessCollection {
    private let batches: LazyBatches<Entity>

    init(_ batches: LazyBatches<Entity>) {
        self.batches = batches
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many objects there are. Loads nothing.
    public var endIndex: Int { batches.keys.count }
    /// How many objects are loaded with one statement.
    public var batchSize: Int { batches.size }

    /// The object at an index in the request's order.
    /// - Precondition: the index is one of the ``indices``, as in an array.
    public subscript(index: Int) -> Entity { batches.object(at: index) }
}

@available(
    *, unavailable,
    message: "An object stays in its context's isolation. Pass its objectID or snapshot."
)
extension LazyResults: Sendable {}

/// The keys of a request's objects, and the batches that were touched last.
final class LazyBatches<Entity: ManagedObject> {
    let keys: [Int64]
    let size: Int
    private let context: ManagedObjectContext
    private let entity: Int
    private let prefetches: [Prefetch]
    /// The batches that are kept, the one touched last at the end.
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
        // Before loading, so that the context can let go of them.
        if kept.count > 1 { kept.removeFirst() }
        let start = number * size
        let end = keys.count - start > size ? start + size : keys.count
        let loaded = context.queries.loadBatch(
            of: keys[start..<end], entity: entity, prefetching: prefetches, as: Entity.self)
        // A hook that was called meanwhile may have come here.
        kept.removeAll { $0.number == number }
        if loaded.isComplete { kept = kept.suffix(1) + [(number, loaded.objects)] }
        return loaded.objects
    }
}
