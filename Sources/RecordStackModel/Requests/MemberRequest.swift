/// Asks a store which objects some others are related to, by key.
package struct MemberRequest: Sendable, Hashable {
    /// Where to look.
    package enum Source: Sendable, Hashable {
        /// Among the rows of an entity, by the key in a slot; in the order that is kept beside it.
        case slot(Int, of: Int, isOrdered: Bool)
        /// In a join table, from one end.
        case links(Int, LinkEnd, isOrdered: Bool)

        package var isOrdered: Bool {
            switch self {
            case .slot(_, _, let isOrdered), .links(_, _, let isOrdered): isOrdered
            }
        }
    }

    package let source: Source
    /// In their order. An answer may have members of others between them.
    package let owners: [Int64]

    package init(source: Source, owners: [Int64]) {
        self.source = source
        self.owners = owners
    }
}

/// Takes in what a store says of related objects.
package protocol MemberSink: AnyObject {
    /// - Parameter position: the member's position in the owner's order; 0 if there is none.
    func member(_ member: Int64, of owner: Int64, position: Int64)
}
