public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// The objects of a request, in its order, with what is changed in memory.
    ///
    /// ```swift
    /// let adults = try context.find(Person.where { $0.age >= 18 })
    /// ```
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a request that names no property, a negative
    ///   limit, or an entity that is not in the model; and what the store says.
    public func find<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> [Entity] {
        try queries.fetch(storeRequest(request), prefetching: request.prefetches, as: Entity.self)
    }

    /// The first object of a request; nil where there is none.
    public func findFirst<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> Entity? {
        var first = try storeRequest(request)
        first.limit = Swift.min(first.limit ?? 1, 1)
        return try queries.fetch(first, prefetching: request.prefetches, as: Entity.self).first
    }

    /// How many objects a request has. Makes none.
    public func count<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> Int {
        try queries.count(storeRequest(request))
    }

    /// Whether a request has any object. Makes none, and stops at the first.
    public func exists<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> Bool {
        try queries.exists(storeRequest(request))
    }

    /// A page of a request's objects, and how many there are on all pages, read in one transaction.
    ///
    /// - Parameters:
    ///   - number: the page, from 1. Page 0 and pages past the end are empty.
    ///   - size: how many objects a page has.
    ///   - request: what to page. Its own limit and offset bound what is paged.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1 or a negative number, and what
    ///   ``find(_:)`` throws.
    public func page<Entity: ManagedObject>(
        _ number: Int, size: Int, of request: FetchRequest<Entity>
    ) throws -> Page<Entity> {
        try reading(transaction: true) { _ in
            let page = try queries.page(number, size: size, storeRequest(request), as: Entity.self)
            try queries.prefetch(request.prefetches, for: page.items)
            return page
        }
    }

    /// Marks the objects of a request for deletion by the next save, and at once does what the delete
    /// rules of their relationships say.
    ///
    /// Of objects that nobody holds only the keys are read, and the save deletes them with one statement.
    /// An entity with life-cycle hooks for deletions has its objects loaded, because they are told.
    /// - Returns: how many there were.
    /// - Throws: what ``ManagedObjectContext/delete(_:)-(ManagedObject)`` throws.
    @discardableResult
    public func delete<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> Int {
        try delete(storeRequest(request))
    }

    /// The first object that has a value, or a new one with that value.
    ///
    /// What is pending in this context is found as well. Another context may create the same at the
    /// same time; a unique attribute makes the second save throw.
    func findFirstOrCreate<Entity: ManagedObject, Value: AttributeValue>(
        by keyPath: ReferenceWritableKeyPath<Entity, Value>, _ value: Value
    ) throws -> Entity {
        if let found = try findFirst(by: keyPath, value) { return found }
        let object = try create(Entity.self)
        object[keyPath: keyPath] = value
        return object
    }

    /// The first object that has a value, in the order of the IDs; nil where there is none.
    ///
    /// Through an index (`.unique`, `.indexed`) this costs a few microseconds.
    func findFirst<Entity: ManagedObject, Value: AttributeValue>(
        by keyPath: KeyPath<Entity, Value>, _ value: Value
    ) throws -> Entity? {
        guard let attribute = Entity.entityDescription.attributeSlot(at: keyPath) else {
            // The request says what is wrong with the key path.
            return try findFirst(
                FetchRequest<Entity>(
                    filter: FilterProxy<Entity>()[dynamicMember: keyPath] == value))
        }
        let found = try firstObject(
            of: Entity.self, slot: attribute.slot, value: value.storedValue)
        // The rows of an entity are made objects of its class or of one that inherits from it.
        return found.map { unsafeDowncast($0, to: Entity.self) }
    }
}
