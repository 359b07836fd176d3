import RecordStackModel

/// Loads the related objects of a request's objects, in the operation that is under way.
///
/// Each step of a path costs one or two statements.
struct Prefetcher {
    let context: ManagedObjectContext
    let roots: [ManagedObject]
    /// Whether the roots are all objects of their entity.
    let isWhole: Bool
    /// All related objects that were found.
    private(set) var found: [ManagedObject] = []
    private var levels: [[Prefetch.Step]: [ManagedObject]] = [:]

    init(context: ManagedObjectContext, roots: [ManagedObject], isWhole: Bool) {
        self.context = context
        self.roots = roots
        self.isWhole = isWhole
    }

    private var model: ManagedObjectModel { context.coordinator.model }

    mutating func follow(_ path: Prefetch) throws {
        if !path.problem.isEmpty { throw RecordStackError(.misuse, path.problem) }
        var owners = roots
        for end in path.steps.indices {
            let steps = Array(path.steps[...end])
            if let known = levels[steps] {
                owners = known
                continue
            }
            owners = try destinations(of: owners, path.steps[end], isWhole: isWhole && end == 0)
            levels[steps] = owners
            found += owners
        }
    }

    private func destinations(
        of owners: [ManagedObject], _ step: Prefetch.Step, isWhole: Bool
    ) throws -> [ManagedObject] {
        let entity = try model.requireIndex(of: step.owner)
        let known = model.modelEntities[entity].relationships[step.relationship]
        let living = owners.filter { !$0.has(ObjectFlags.deleted | ObjectFlags.detached) }
        switch known.storage {
        case .key:
            // A to-one relationship has a slot.
            let slot = known.slot!
            try fill(living.filter(\.isFault))
            return try objects(
                of: Set(living.map { $0.storedKey(at: slot) }).subtracting([0]), known)
        case .members(let slot, nil) where !context.table(of: known.destination).hasDiffering:
            try loadMembers(of: living, step.relationship, known, slot, isWhole: isWhole)
        default: try loadKeys(of: living, step.relationship, known)
        }
        var keys: Set<Int64> = []
        for owner in living { keys.formUnion(owner.memberKeys(step.relationship).keys) }
        return try objects(of: keys, known)
    }

    private func fill(_ faults: [ManagedObject]) throws {
        guard let first = faults.first else { return }
        let entity = context.coordinator.rootEntity(of: context.entityIndex(of: first))
        let sink = FetchSink(
            context: context, entity: entity, skipsDiffering: true, expected: faults.count)
        try context.withReader {
            try $0.rows(.keys(faults.map(\.keyValue).sorted(), entity: entity), into: sink)
        }
    }

    /// Returns the objects with some keys, and loads the missing ones with one statement.
    private func objects(
        of keys: Set<Int64>, _ known: ModelRelationship
    ) throws -> [ManagedObject] {
        let table = context.table(of: known.destination)
        let keys = keys.sorted()
        let missing = keys.filter { table.object($0).map(\.isFault) ?? true }
        var held: [ManagedObject] = []
        if !missing.isEmpty {
            let sink = FetchSink(
                context: context, entity: known.destination, skipsDiffering: true,
                expected: missing.count)
            let root = context.coordinator.rootEntity(of: known.destination)
            try context.withReader { try $0.rows(.keys(missing, entity: root), into: sink) }
            held = sink.takeResults(as: ManagedObject.self)
        }
        return withExtendedLifetime(held) { keys.compactMap { table.object($0) } }
    }

    /// Returns the stored owners whose members are not loaded, in the order of their keys.
    private func unloaded(_ owners: [ManagedObject], _ relationship: Int) -> [ManagedObject] {
        owners.filter {
            $0.has(ObjectFlags.stored) && $0.recordValue?.members.contains(relationship) != true
        }.sorted { $0.keyValue < $1.keyValue }
    }

    /// Loads the keys of members with one statement.
    func loadKeys(
        of owners: [ManagedObject], _ relationship: Int, _ known: ModelRelationship
    ) throws {
        let owners = unloaded(owners, relationship)
        if owners.isEmpty { return }
        let lists = try MemberLists(
            context: context, relationship: known, owners: owners.map(\.keyValue), isStored: true)
        lists.give(to: owners, relationship)
        context.loadedMembers.add(owners, known.relation)
    }

    /// Loads members whose rows contain the owner's key, with one statement for keys and values.
    private func loadMembers(
        of owners: [ManagedObject], _ relationship: Int, _ known: ModelRelationship, _ slot: Int,
        isWhole: Bool
    ) throws {
        let owners = unloaded(owners, relationship)
        if owners.isEmpty { return }
        let path = FilterPath(slot: slot)
        // If all members are wanted, the order of the rows costs least.
        let request =
            isWhole
            ? StoreRequest(entity: known.destination, filter: .not(.isNull(.path(path))))
            : StoreRequest(
                entity: known.destination,
                filter: .among(path, owners.map { .integer($0.keyValue) }),
                sort: [SortTerm(.path(path), isAscending: true)])
        let sink = FetchSink(
            context: context, entity: known.destination, skipsDiffering: false, expected: 1_024)
        try context.withReader { try $0.rows(request, into: sink) }
        let members = sink.takeResults(as: ManagedObject.self)
        var indexes: [Int64: Int] = [:]
        indexes.reserveCapacity(owners.count)
        for (index, owner) in owners.enumerated() { indexes[owner.keyValue] = index }
        var lists = Array(repeating: MemberKeys(isOrdered: false), count: owners.count)
        for member in members {
            guard let index = indexes[member.storedKey(at: slot)] else { continue }
            lists[index].load(member.keyValue, position: 0)
        }
        for (index, owner) in owners.enumerated() {
            owner.record.members[relationship] = lists[index]
        }
        context.loadedMembers.add(owners, known.relation)
    }
}
