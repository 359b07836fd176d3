extension AttributeReference {
    /// Equal values; nil equals nil.
    public static func == (lhs: AttributeReference, rhs: Value) -> Filter {
        lhs.comparison(.equal, rhs.storedValue)
    }

    /// Different values; nil differs from every value.
    public static func != (lhs: AttributeReference, rhs: Value) -> Filter {
        lhs.comparison(.notEqual, rhs.storedValue)
    }

    package func comparison(_ comparison: Filter.Comparison, _ value: StoredValue) -> Filter {
        filter { path in
            guard value.isNull else { return .compare(path, comparison, value) }
            switch comparison {
            case .equal: return .isNull(path)
            case .notEqual: return .not(.isNull(path))
            default: return .constant(false)
            }
        }
    }
}

extension AttributeReference where Value: Comparable {
    /// Smaller values.
    public static func < (lhs: AttributeReference, rhs: Value) -> Filter {
        lhs.comparison(.less, rhs.storedValue)
    }

    /// Smaller or equal values.
    public static func <= (lhs: AttributeReference, rhs: Value) -> Filter {
        lhs.comparison(.lessOrEqual, rhs.storedValue)
    }

    /// Larger values.
    public static func > (lhs: AttributeReference, rhs: Value) -> Filter {
        lhs.comparison(.greater, rhs.storedValue)
    }

    /// Larger or equal values.
    public static func >= (lhs: AttributeReference, rhs: Value) -> Filter {
        lhs.comparison(.greaterOrEqual, rhs.storedValue)
    }
}

extension AttributeReference {
    /// Smaller values; nil is none of them.
    public static func < <Wrapped: AttributeValue & Comparable>(
        lhs: AttributeReference, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.less, rhs.storedValue)
    }

    /// Smaller or equal values; nil is none of them.
    public static func <= <Wrapped: AttributeValue & Comparable>(
        lhs: AttributeReference, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.lessOrEqual, rhs.storedValue)
    }

    /// Larger values; nil is none of them.
    public static func > <Wrapped: AttributeValue & Comparable>(
        lhs: AttributeReference, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greater, rhs.storedValue)
    }

    /// Larger or equal values; nil is none of them.
    public static func >= <Wrapped: AttributeValue & Comparable>(
        lhs: AttributeReference, rhs: Wrapped
    ) -> Filter where Value == Wrapped? {
        lhs.comparison(.greaterOrEqual, rhs.storedValue)
    }
}

extension AttributeReference where Value == String {
    /// Values whose bytes begin with those of a text; an index serves it.
    public func hasPrefix(_ prefix: String) -> Filter {
        filter { .text($0, .hasPrefix, prefix) }
    }

    /// Values whose bytes contain those of a text; every row is looked at.
    public func contains(_ part: String) -> Filter {
        filter { .text($0, .contains, part) }
    }
}

extension AttributeReference where Value == String? {
    /// Values whose bytes begin with those of a text; nil does not.
    public func hasPrefix(_ prefix: String) -> Filter {
        filter { .text($0, .hasPrefix, prefix) }
    }

    /// Values whose bytes contain those of a text; nil does not.
    public func contains(_ part: String) -> Filter {
        filter { .text($0, .contains, part) }
    }
}

extension RelationshipReference {
    /// Objects without, or with, another at the end of the relationship.
    public static func == (lhs: RelationshipReference, rhs: ManagedObjectID?) -> Filter {
        lhs.filter { path in
            guard let rhs else { return .isNull(path) }
            let wanted = Destination.entityDescription.root.name
            guard rhs.home.rootName == wanted else {
                return .invalid(
                    "A relationship to \(wanted) was compared with the ID \(rhs), which is of a "
                        + "\(rhs.entityName).")
            }
            return .leads(path, to: rhs)
        }
    }

    /// Objects that have another, or none, at the end of the relationship.
    public static func != (lhs: RelationshipReference, rhs: ManagedObjectID?) -> Filter {
        !(lhs == rhs)
    }
}
