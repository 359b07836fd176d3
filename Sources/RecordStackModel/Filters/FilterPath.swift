/// The path to a value of a filter or sort order: to-one relationships and then a slot.
package struct FilterPath: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        package let slot: Int
        package let destination: EntityDescription

        package init(slot: Int, destination: EntityDescription) {
            self.slot = slot
            self.destination = destination
        }

        package static func == (lhs: Step, rhs: Step) -> Bool {
            lhs.slot == rhs.slot && lhs.destination.isSame(as: rhs.destination)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(slot)
            hasher.combine(destination.typeIdentity)
        }
    }

    package let scope: FilterScope
    package let steps: [Step]
    package let slot: Int
    /// The collation that orders the slot's values.
    package let collation: Collation
    /// The entity of the outermost object, if it is known.
    package let root: EntityDescription?

    package init(
        scope: FilterScope = .root, steps: [Step] = [], slot: Int, collation: Collation = .binary,
        root: EntityDescription? = nil
    ) {
        self.scope = scope
        self.steps = steps
        self.slot = slot
        self.collation = collation
        self.root = root
    }

    /// Returns the same path, with its values compared in a text order.
    func ordered(by order: TextOrder) -> FilterPath {
        FilterPath(
            scope: scope, steps: steps, slot: slot, collation: Collation(order),
            root: root)
    }

    package static func == (lhs: FilterPath, rhs: FilterPath) -> Bool {
        lhs.slot == rhs.slot && lhs.scope == rhs.scope && lhs.collation == rhs.collation
            && lhs.steps == rhs.steps
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scope)
        hasher.combine(steps)
        hasher.combine(slot)
        hasher.combine(collation)
    }

    /// The maximum number of to-one steps in a path.
    ///
    /// A query in SQLite can join 64 tables, and the first one holds the objects themselves.
    package static let mostSteps = 63
    package static let tooManySteps =
        "A key path goes through more than \(mostSteps) to-one relationships. Ask in two requests, with the IDs "
        + "that the first found in the second."

    /// The slot number of the object's own key.
    package static let keySlot = -1
}

/// The object at which a path begins.
package enum FilterScope: Sendable, Hashable {
    /// The object that the filter is about.
    case root
    /// The member of a condition on members.
    ///
    /// The number is 0 for the innermost condition, and 1 for the condition around it.
    case member(Int)
    /// The member of a condition whose closure is still running.
    case open(ObjectIdentifier)
}

/// A to-many relationship at the end of to-one steps.
package struct FilterRelation: Sendable, Hashable {
    package let scope: FilterScope
    package let steps: [FilterPath.Step]
    /// The entity at the end of the steps; `relationship` is an index into its relationships.
    package let owner: EntityDescription
    package let relationship: Int
    package let destination: EntityDescription
    /// The entity of the outermost object, if it is known.
    package let root: EntityDescription?

    package init(
        scope: FilterScope, steps: [FilterPath.Step], owner: EntityDescription, relationship: Int,
        destination: EntityDescription, root: EntityDescription? = nil
    ) {
        self.scope = scope
        self.steps = steps
        self.owner = owner
        self.relationship = relationship
        self.destination = destination
        self.root = root
    }

    package static func == (lhs: FilterRelation, rhs: FilterRelation) -> Bool {
        lhs.scope == rhs.scope && lhs.relationship == rhs.relationship && lhs.steps == rhs.steps
            && lhs.owner.isSame(as: rhs.owner)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scope)
        hasher.combine(steps)
        hasher.combine(owner.typeIdentity)
        hasher.combine(relationship)
    }
}

// Equal filters have equal descriptions.

extension FilterPath: CustomStringConvertible {
    package var description: String { "\(scope).\(steps.map(\.slot)).\(slot) \(collation)" }
}

extension FilterRelation: CustomStringConvertible {
    package var description: String {
        "\(scope).\(steps.map(\.slot)).\(owner.name).\(relationship)"
    }
}
