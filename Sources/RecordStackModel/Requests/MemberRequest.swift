/// A request for the row keys of members, by the row keys of their owners.
package struct MemberRequest: Sendable, Hashable {
    /// The table that contains the relationship.
    package enum Source: Sendable, Hashable {
        /// The rows of an entity that have the owner's key in a slot.
        ///
        /// If the order of the members is kept, it is stored beside the key.
        case slot(Int, of: Int, isOrdered: Bool)
        /// A join table, read from one of its ends.
        case links(Int, LinkEnd, isOrdered: Bool)

        package var isOrdered: Bool {
            switch self {
            case .slot(_, _, let isOrdered), .links(_, _, let isOrdered): isOrdered
            }
        }
    }

    package let source: Source
    /// The owners in ascending order of their keys.
    ///
    /// The result may include members of owners whose keys lie between these.
    package let owners: [Int64]

    package init(source: Source, owners: [Int64]) {
        self.source = source
        self.owners = owners
    }
}

/// Receives the related objects that a store finds.
package protocol MemberSink: AnyObject {
    /// Receives a member of an owner.
    ///
    /// - Parameter position: the member's position in the owner's order; 0 if there is no order.
    func member(_ member: Int64, of owner: Int64, position: Int64)
}
