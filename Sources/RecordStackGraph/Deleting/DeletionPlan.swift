public import RecordStackModel

/// The effects that deleting some objects would have.
///
/// A plan lists the objects that would be deleted, the references that would become nil, and the
/// objects that prevent the deletion.
///
/// ```swift
/// let plan = try context.deletionPlan(for: author)
/// print(plan)                      // Deleted: 1 Author, 12 Book. References that become nil: 3.
/// if !plan.isDenied { try author.delete() }
/// ```
///
/// ``ManagedObjectContext/delete(_:)-(ManagedObject)`` makes the same plan and carries it out.
/// Deleted objects also leave the to-many relationships in which they are members. The plan does
/// not list these relationships.
public struct DeletionPlan: Sendable, Hashable {
    /// A to-one relationship that becomes nil, in an object that is not deleted.
    public struct Nullification: Sendable, Hashable {
        /// The ID of the object that has the relationship.
        public let objectID: ManagedObjectID
        /// The name of the relationship.
        public let property: String
    }

    /// An object that cannot be deleted because of its delete rule `.deny`.
    public struct Denial: Sendable, Hashable {
        /// The ID of the object that cannot be deleted.
        public let objectID: ManagedObjectID
        /// The name of the object's relationship that has the rule.
        public let property: String
        /// The IDs of the related objects that the deletion does not include.
        public let blockers: [ManagedObjectID]
    }

    /// The IDs of the objects to delete: the given objects, then those that the delete rules add.
    ///
    /// The plan lists the added objects level by level, in the order in which the relationships are
    /// declared.
    public let deletedIDs: [ManagedObjectID]
    /// The to-one relationships that become nil.
    public let nullifications: [Nullification]
    /// The objects that cannot be deleted; empty if nothing prevents the deletion.
    public let denials: [Denial]

    /// Whether deleting the objects would throw ``RecordStackError/Code/deletionDenied``.
    public var isDenied: Bool { !denials.isEmpty }
}

extension DeletionPlan: CustomStringConvertible {
    /// The plan as text.
    public var description: String {
        if isDenied { return denials.map(\.description).joined(separator: " ") }
        var counts: [(name: String, count: Int)] = []
        for id in deletedIDs {
            if let index = counts.firstIndex(where: { $0.name == id.entityName }) {
                counts[index].count += 1
            } else {
                counts.append((id.entityName, 1))
            }
        }
        let deleted = counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        return "Deleted: \(deleted.isEmpty ? "nothing" : deleted). "
            + "References that become nil: \(nullifications.count)."
    }
}

extension DeletionPlan.Denial: CustomStringConvertible {
    /// The reason why the object cannot be deleted, as text.
    public var description: String {
        let shown = blockers.prefix(3).map { "\($0)" }.joined(separator: ", ")
        let rest = blockers.count > 3 ? " and \(blockers.count - 3) more" : ""
        return
            "\(objectID) cannot be deleted while its \(property) has \(shown)\(rest). "
            + "Delete those first, or relate them to another object."
    }
}

extension RecordStackError {
    static func deletionDenied(_ denials: [DeletionPlan.Denial]) -> RecordStackError {
        RecordStackError(
            .deletionDenied, denials.map(\.description).joined(separator: " "),
            entity: denials[0].objectID.entityName, objectID: denials[0].objectID,
            property: denials[0].property, blockers: denials.flatMap(\.blockers))
    }
}
