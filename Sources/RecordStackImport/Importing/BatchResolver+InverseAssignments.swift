import RecordStackGraph
import RecordStackModel

/// The relations that rows have set from the other side of a relationship.
///
/// They are listed by object and by the index of the relationship among those of its entity.
struct InverseAssignments {
    private struct Side: Hashable {
        let object: ManagedObjectID
        let relationship: Int
    }

    private var others: [Side: [ManagedObject]] = [:]

    mutating func add(_ object: ManagedObject, _ relationship: Int, _ other: ManagedObject) {
        others[Side(object: object.objectID, relationship: relationship), default: []].append(other)
    }

    func others(of object: ManagedObject, _ relationship: Int) -> [ManagedObject] {
        others[Side(object: object.objectID, relationship: relationship)] ?? []
    }
}

// A row without the key of a relationship does not undo what another row of the import has set.
extension BatchResolver {
    /// Records that a row has related two objects.
    func noteAssignment(
        of object: ManagedObject, _ relation: ImportMapping.Relation, _ other: ManagedObject?
    ) {
        guard inverseAssignments != nil, let other, let inverse = relation.inverse else { return }
        inverseAssignments?.add(other, inverse, object)
    }

    /// Whether other rows have related an object.
    func isAssigned(_ object: ManagedObject, _ relation: ImportMapping.Relation) -> Bool {
        guard let inverseAssignments else { return false }
        return !inverseAssignments.others(of: object, relation.description.index).isEmpty
    }

    /// Returns the members that other rows have related to an object, in their order.
    func assignedMembers(
        of object: ManagedObject, _ relation: ImportMapping.Relation
    ) -> [ManagedObject] {
        guard let inverseAssignments else { return [] }
        let index = relation.description.index
        let others = Set(inverseAssignments.others(of: object, index).map(ObjectIdentifier.init))
        if others.isEmpty { return [] }
        return object.relatedObjects(index).filter { others.contains(ObjectIdentifier($0)) }
    }
}
