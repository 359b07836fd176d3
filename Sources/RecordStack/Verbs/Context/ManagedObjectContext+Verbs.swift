public import RecordStackGraph
public import RecordStackModel

extension ManagedObjectContext {
    /// Returns the objects of a request, in the order of the request.
    ///
    /// ```swift
    /// let adults = try context.find(Person.where { $0.age >= 18 })
    /// ```
    ///
    /// The result includes unsaved changes.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a condition or sort key that names no
    ///   declared property, for a negative limit or offset, and for an entity that is not in the
    ///   model. Also any error of the store.
    public func find<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> [Entity] {
        try queries.fetch(storeRequest(request), prefetching: request.prefetches, as: Entity.self)
    }

    /// Returns the first object of a request, or nil if there is none.
    public func findFirst<Entity: ManagedObject>(
        _ request: FetchRequest<Entity>
    ) throws -> Entity? {
        var first = try storeRequest(request)
        first.limit = Swift.min(first.limit ?? 1, 1)
        return try queries.fetch(first, prefetching: request.prefetches, as: Entity.self).first
    }

    /// Returns the number of objects of a request, without creating objects.
    public func count<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> Int {
        try queries.count(storeRequest(request))
    }

    /// Returns true if any object matches a request, without creating objects.
    ///
    /// The store stops at the first match.
    public func exists<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> Bool {
        try queries.exists(storeRequest(request))
    }

    /// Returns a page of the objects of a request.
    ///
    /// The context reads the page and the total number of objects in one transaction.
    ///
    /// - Parameters:
    ///   - number: The number of the page, from 1. Page 0 and pages past the end are empty.
    ///   - size: The number of objects on a page, at least 1.
    ///   - request: The request. The pages contain only objects within its limit and offset.
    /// - Throws: ``RecordStackError/Code/misuse`` for a size below 1 or a negative page number, and
    ///   any error of ``find(_:)``.
    public func page<Entity: ManagedObject>(
        _ number: Int, size: Int, of request: FetchRequest<Entity>
    ) throws -> Page<Entity> {
        try reading(transaction: true) { _ in
            let page = try queries.page(number, size: size, storeRequest(request), as: Entity.self)
            try queries.prefetch(request.prefetches, for: page.items)
            return page
        }
    }

    /// Marks the objects of a request for deletion by the next save.
    ///
    /// The call applies the delete rules of relationships immediately. For objects that the context
    /// does not hold, it reads only the keys, and the save deletes those objects with one
    /// statement. If the entity has life-cycle hooks for deletions, the call loads the objects to
    /// call their hooks.
    ///
    /// - Returns: The number of objects of the request.
    /// - Throws: Any error of ``ManagedObjectContext/delete(_:)-(ManagedObject)``.
    @discardableResult
    public func delete<Entity: ManagedObject>(_ request: FetchRequest<Entity>) throws -> Int {
        try delete(storeRequest(request))
    }

    /// Returns the first object with a value, or creates an object with that value.
    ///
    /// The lookup includes pending objects of this context. Another context can create an object
    /// with the same value at the same time. If the attribute is unique, the second save throws.
    func findFirstOrCreate<Entity: ManagedObject, Value: AttributeValue>(
        by keyPath: ReferenceWritableKeyPath<Entity, Value>, _ value: Value
    ) throws -> Entity {
        if let found = try findFirst(by: keyPath, value) { return found }
        let object = try create(Entity.self)
        object[keyPath: keyPath] = value
        return object
    }

    /// Returns the object with a value that has the smallest ID, or nil if there is none.
    ///
    /// With an index (`.unique`, `.indexed`), the lookup takes a few microseconds.
    func findFirst<Entity: ManagedObject, Value: AttributeValue>(
        by keyPath: KeyPath<Entity, Value>, _ value: Value
    ) throws -> Entity? {
        guard let attribute = Entity.entityDescription.attributeSlot(at: keyPath) else {
            // The request throws an error that explains what is wrong with the key path.
            return try findFirst(
                FetchRequest<Entity>(
                    filter: FilterProxy<Entity>()[dynamicMember: keyPath] == value))
        }
        let found = try firstObject(
            of: Entity.self, slot: attribute.slot, value: value.storedValue)
        // Safe: a row of an entity becomes an instance of its class, or of a class that inherits
        // from it.
        return found.map { unsafeDowncast($0, to: Entity.self) }
    }
}
