package import RecordStackModel

// Key paths are equal only if both name a property of the same type, so each type compares its own.

extension ManagedObject: IdentifiedEntity {}

extension IdentifiedEntity where Self: ManagedObject {
    package static func isObjectID(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.objectID }
}

extension ToMany: CountedRelationship {
    package static func property(at keyPath: AnyKeyPath) -> CountingProperty? {
        switch keyPath {
        case \Self.count: .count
        case \Self.isEmpty: .isEmpty
        default: nil
        }
    }
}

extension OrderedToMany: CountedRelationship {
    package static func property(at keyPath: AnyKeyPath) -> CountingProperty? {
        switch keyPath {
        case \Self.count: .count
        case \Self.isEmpty: .isEmpty
        default: nil
        }
    }
}
