import RecordStackChanges
public import RecordStackModel

/// The changes of a to-many relationship since the last save.
public struct RelationshipChange: Sendable, Hashable {
    /// The IDs of the objects that were added.
    public var inserted: Set<ManagedObjectID> = []
    /// The IDs of the objects that were removed.
    public var removed: Set<ManagedObjectID> = []
    /// True if the members that were not added or removed have changed their order.
    public var isReordered = false

    /// Whether nothing has changed.
    public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && !isReordered }
}

extension ManagedEntity where Self: ManagedObject {
    /// Returns the unsaved changes of a to-many relationship, whichever side you edited.
    ///
    /// ```swift
    /// let change = team.changes(of: \.members)
    /// print(change.inserted.count, change.removed.count)
    /// ```
    ///
    /// The call checks all objects of the related entity that have unsaved changes in this context.
    /// It reads nothing from the store. The result does not include changes that other contexts
    /// have saved.
    public func changes<Many: ToManyRelationship>(
        of keyPath: KeyPath<Self, Many>
    ) -> RelationshipChange {
        guard
            case .relationship(let relationship)? = Self.entityDescription.anyProperty(at: keyPath)
        else { return RelationshipChange() }
        return memberChanges(relationship.index)
    }
}

extension ManagedObject {
    final func memberChanges(_ relationship: Int) -> RelationshipChange {
        guard let (context, known) = known(relationship), !has(ObjectFlags.deleted) else {
            return RelationshipChange()
        }
        var change = RelationshipChange()
        let id = { context.coordinator.objectID(entity: known.destination, key: $0) }
        switch known.storage {
        case .key: break
        case .members(let slot, let order):
            for object in context.table(of: known.destination).dirtyObjects
            where object.has(ObjectFlags.dirty) && object.isMember(of: known, in: context) {
                let isMember =
                    !object.has(ObjectFlags.deleted) && object.storedKey(at: slot) == keyValue
                let was = object.wasMember(of: keyValue, slot)
                if isMember && !was { change.inserted.insert(object.objectID) }
                if was && !isMember { change.removed.insert(object.objectID) }
            }
            if let order {
                let moved = context.joinRowEdits.links[order].joinRows(of: keyValue, .first).map {
                    id($0.second)
                }
                change.isReordered = !Set(moved).isSubset(of: change.inserted)
            }
        case .links(let index, let end):
            for joinRow in context.joinRowEdits.links[index].joinRows(of: keyValue, end) {
                let edit = context.joinRowEdits.links[index][joinRow]
                let member = id(joinRow.key(end.other))
                switch edit?.kind {
                case .added: change.inserted.insert(member)
                case .removed: change.removed.insert(member)
                case .moved: change.isReordered = change.isReordered || edit?.position(end) != nil
                case nil: break
                }
            }
        }
        return change
    }

    /// True if objects of this class can be members of a relationship.
    private final func isMember(
        of relationship: ModelRelationship, in context: ManagedObjectContext
    ) -> Bool {
        context.coordinator.model.modelEntities[relationship.destination].kinds
            .contains(context.entityIndex(of: self))
    }

    /// Whether a to-one relationship referred to an owner at the last save.
    private final func wasMember(of owner: Int64, _ slot: Int) -> Bool {
        if has(ObjectFlags.inserted) || isFault { return false }
        return committedValue(at: slot).isStoredSame(as: .integer(owner))
    }

    /// Whether a join row of the object has changed.
    final var hasLinkChanges: Bool {
        guard let context = managedObjectContext,
            context.joinRowEdits.links.contains(where: { !$0.isEmpty })
        else { return false }
        let relationships = context.coordinator.model.modelEntities[context.entityIndex(of: self)]
            .relationships
        return relationships.contains { relationship in
            guard case .links(let index, let end) = relationship.storage else { return false }
            return !context.joinRowEdits.links[index].joinRows(of: keyValue, end).isEmpty
        }
    }
}
