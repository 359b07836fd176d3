/// A condition on objects of an entity, the same in SQL and in memory.
///
/// Filters are written as a closure over a proxy of the entity:
///
/// ```swift
/// let adults = Person.where { $0.age >= 18 && $0.team.title == "A" && !$0.name.hasPrefix("X") }
/// ```
///
/// A filter is true or false, never unknown: null equals only null, and every other comparison
/// with null is false, so that `!` turns it into true. Text is compared by its UTF-8 bytes. A step
/// through a to-one relationship that leads nowhere reads null at its end.
public struct Filter: Sendable, Hashable {
    package let node: Node

    package init(_ node: Node) {
        self.node = node
    }

    /// Objects for which both are true.
    public static func && (lhs: Filter, rhs: Filter) -> Filter {
        Filter(.and(lhs.node, rhs.node))
    }

    /// Objects for which at least one is true.
    public static func || (lhs: Filter, rhs: Filter) -> Filter {
        Filter(.or(lhs.node, rhs.node))
    }

    /// Objects for which it is false.
    public static prefix func ! (filter: Filter) -> Filter {
        Filter(.not(filter.node))
    }

    package indirect enum Node: Sendable, Hashable {
        case constant(Bool)
        case not(Node)
        case and(Node, Node)
        case or(Node, Node)
        case isNull(FilterPath)
        /// The value is never null.
        case compare(FilterPath, Comparison, StoredValue)
        case text(FilterPath, TextMatch, String)
        /// The value is one of those given; null is never among them.
        case among(FilterPath, [StoredValue])
        /// The to-one relationship leads to an object, whose store is not known to be the asked one.
        case leads(FilterPath, to: ManagedObjectID)
        /// What was written cannot be a filter; the message says why when it is used.
        case invalid(String)
    }

    package enum Comparison: Sendable, Hashable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

        /// The comparison that is true for non-null values just where this one is false.
        package var opposite: Comparison {
            switch self {
            case .equal: .notEqual
            case .notEqual: .equal
            case .less: .greaterOrEqual
            case .lessOrEqual: .greater
            case .greater: .lessOrEqual
            case .greaterOrEqual: .less
            }
        }

        package func holds(_ order: Order) -> Bool {
            switch self {
            case .equal: order == .same
            case .notEqual: order != .same
            case .less: order == .before
            case .lessOrEqual: order != .after
            case .greater: order == .after
            case .greaterOrEqual: order != .before
            }
        }
    }

    package enum TextMatch: Sendable, Hashable {
        case hasPrefix, contains
    }
}

/// Where a filter or a sort order finds its value: through to-one relationships to a slot.
package struct FilterPath: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        package let slot: Int
        package let destination: EntityDescription

        package static func == (lhs: Step, rhs: Step) -> Bool {
            lhs.slot == rhs.slot && lhs.destination === rhs.destination
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(slot)
            hasher.combine(ObjectIdentifier(destination))
        }
    }

    package let steps: [Step]
    package let slot: Int
    /// How values of the slot are ordered.
    package let collation: Collation

    package init(steps: [Step] = [], slot: Int, collation: Collation = .binary) {
        self.steps = steps
        self.slot = slot
        self.collation = collation
    }

    /// The slot that stands for the object's own key.
    package static let keySlot = -1
}
