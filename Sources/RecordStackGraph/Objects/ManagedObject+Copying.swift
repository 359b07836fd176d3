public import RecordStackModel

extension ManagedEntity where Self: ManagedObject {
    /// Returns the object with the same ID in another context.
    ///
    /// ```swift
    /// let editable = try person.in(child)
    /// ```
    ///
    /// Until a new object is saved, only its own context and the contexts below it see the object.
    ///
    /// - Throws: ``RecordStackError/Code/notFound`` if the other context sees no such object, and
    ///   ``RecordStackError/Code/misuse`` for a context of another stack.
    public func `in`(_ context: ManagedObjectContext) throws -> Self {
        if context === managedObjectContext { return self }
        do {
            return try context.existingObject(objectID, as: Self.self)
        } catch let error as RecordStackError
            where error.code == .notFound && objectState == .pending
        {
            throw RecordStackError(
                .notFound,
                "\(objectID) is new and not saved, so the context “\(context.name)” does not see it. "
                    + "Save it first, or use a child of its context.", objectID: objectID)
        }
    }

    /// Creates an object of the same class with the same values, in the same context.
    ///
    /// ```swift
    /// let draft = try book.copy(with: \.chapters, \.writers)
    /// draft.isbn = "…"
    /// ```
    ///
    /// Unique attributes are not copied. In the copy, optional unique attributes are nil, and you
    /// have to set the required ones before you save.
    ///
    /// Only the relationships that you name are copied. If a related object can be related to both
    /// the original and the copy, the copy refers to that same object. Otherwise, the call copies
    /// the related object with its attributes, but without its other relationships.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` for a key path that is not a relationship. Also
    ///   throws the errors of ``ManagedObject/load()`` and the errors of creating an object.
    public func copy(with relationships: PartialKeyPath<Self>...) throws -> Self {
        let indexes = try relationships.map { keyPath in
            let property = Self.entityDescription.anyProperty(at: keyPath)
            if case .relationship(let found)? = property { return found.index }
            var name = "\(keyPath)"
            if case .attribute(let attribute)? = property { name = attribute.name }
            throw RecordStackError(
                .misuse,
                "\(name) is no relationship of \(Self.entityDescription.name). Attributes are copied "
                    + "anyway: name relationships alone.", entity: Self.entityDescription.name,
                property: name)
        }
        // The copy has the class of the original.
        return unsafeDowncast(try copyObject(relationships: indexes), to: Self.self)
    }
}

extension ManagedObject {
    fileprivate final func copyObject(relationships: [Int]) throws -> ManagedObject {
        guard let context = managedObjectContext else {
            throw absent("It cannot be copied.")
        }
        try load()
        let copy = try context.create(Swift.type(of: self))
        let description = Swift.type(of: self).entityDescription
        let values = description.attributes.filter { !$0.isUnique && isSet(at: $0.slot) }.map {
            (slot: $0.slot, value: storedValue(at: $0.slot))
        }
        _ = try context.assign(values, to: copy)
        for relationship in relationships { try copyMembers(relationship, to: copy, in: context) }
        return copy
    }

    private final func copyMembers(
        _ relationship: Int, to copy: ManagedObject, in context: ManagedObjectContext
    ) throws {
        let known = context.coordinator.model.modelEntities[context.entityIndex(of: self)]
            .relationships[relationship]
        switch known.storage {
        case .members:
            for member in members(relationship) {
                copy.insertMember(try member.copyObject(relationships: []), relationship)
            }
        case .links:
            for member in members(relationship) { copy.insertMember(member, relationship) }
        case .key:
            // A relationship that is stored as a key has a slot.
            let slot = known.slot!
            guard storedKey(at: slot) != 0,
                let target = try context.findObject(
                    key: storedKey(at: slot), entity: known.destination)
            else { return }
            let destination = context.coordinator.model.modelEntities[known.destination]
            let isShared = known.inverse.map { destination.relationships[$0].slot == nil } ?? true
            copy.setReference(
                isShared ? target.keyValue : try target.copyObject(relationships: []).keyValue,
                at: slot)
        }
    }
}
