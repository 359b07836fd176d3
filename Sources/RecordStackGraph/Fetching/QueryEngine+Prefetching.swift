package import RecordStackModel

/// Objects that were loaded along with others. They stay as long as somebody holds one of these.
struct PrefetchedObjects {
    let hierarchy: Int
    private let roots: [Int64]
    private let objects: [ManagedObject]
    /// The index of the first root that may still be held. The roots before it were let go of.
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
    /// The objects of a request, with what some relationships refer to loaded along, in one transaction.
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

    /// Loads what relationships of objects refer to, in the operation that is under way.
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
