public import RecordStackModel

/// What deleting objects does, before it is done: which objects go with them, which stay and refer to
/// nothing any more, and what stands in the way.
///
/// ```swift
/// let plan = try context.deletionPlan(for: author)
/// print(plan)                      // 1 Author and 12 Books are deleted, 3 references become nil.
/// if !plan.isDenied { try author.delete() }
/// ```
///
/// To delete is to make this plan and to carry it out. The memberships of deleted objects end with them and are
/// not listed.
public struct DeletionPlan: Sendable, Hashable {
    /// A to-one relationship that becomes nil, of an object that stays.
    public struct Nullification: Sendable, Hashable {
        /// The object.
        public let objectID: ManagedObjectID
        /// The relationship.
        public let property: String
    }

    /// What a delete rule `.deny` has against it.
    public struct Denial: Sendable, Hashable {
        /// The object that cannot be deleted.
        public let objectID: ManagedObjectID
        /// Its relationship with the rule.
        public let property: String
        /// The objects that it refers to and that are not deleted as well.
        public let blockers: [ManagedObjectID]
    }

    /// What is deleted: the objects that were given, then what their rules delete, level by level, in
    /// the order in which relationships are declared.
    public let deletedIDs: [ManagedObjectID]
    /// What becomes nil elsewhere.
    public let nullifications: [Nullification]
    /// What stands in the way; empty where nothing does.
    public let denials: [Denial]

    /// Whether deleting would throw.
    public var isDenied: Bool { !denials.isEmpty }
}

extension DeletionPlan: CustomStringConvertible {
    /// A sentence.
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
    /// A sentence.
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
