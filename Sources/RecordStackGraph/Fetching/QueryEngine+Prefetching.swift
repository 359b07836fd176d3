package import RecordStackModel

/// Objects that were prefetched for other objects, and that stay as long as one of these is held.
struct PrefetchedObjects {
    let hierarchy: Int
    private let roots: [Int64]
    private let objects: [ManagedObject]
    /// The index of the first root that may still be held. The roots before it were released.
    private var firstHeld = 0

    init(hierarchy: Int, roots: [Int64], objects: [ManagedObject]) {
        self.hierarchy = hierarchy
        self.roots = roots
        self.objects = objects
    }

    mutating func isWanted(in table: EntityTable) -> Bool {
        while firstHeld < roots.count {
            if table.map.isHeldElsewhere(roots[firstHeld]) { return true }
            firstHeld += 1
        }
        return false
    }
}

extension QueryEngine {
    /// Returns the objects of a request and prefetches relationships, in one transaction.
    package func fetch<Entity: ManagedObject>(
        _ request: StoreRequest, prefetching paths: [Prefetch], as type: Entity.Type
    ) throws -> [Entity] {
        if paths.isEmpty { return try fetch(request, as: type) }
        return try context.reading(transaction: true) { _ in
            let objects = try fetch(request, as: type)
            let isWhole = request.filter == nil && request.limit == nil && request.offset == 0
            try prefetch(paths, for: objects, isWhole: isWhole)
            return objects
        }
    }

    /// Loads the related objects of some objects, in the operation that is under way.
    package func prefetch(
        _ paths: [Prefetch], for roots: [ManagedObject], isWhole: Bool = false
    ) throws {
        var prefetcher = Prefetcher(context: context, roots: roots, isWhole: isWhole)
        for path in paths { try prefetcher.follow(path) }
        guard let first = roots.first, !prefetcher.found.isEmpty else { return }
        context.loader.keep(
            PrefetchedObjects(
                hierarchy: table(of: entityIndex(of: first)).hierarchy,
                roots: roots.map(\.keyValue), objects: prefetcher.found))
    }
}
