/// An object that was changed here and elsewhere since it was read.
public struct MergeConflict: Sendable, CustomStringConvertible {
    /// A property that was changed on both sides.
    public struct Property: Sendable, Hashable {
        /// The property's name.
        public let name: String
        /// The value that both sides began with.
        public let base: StoredValue
        /// The value in the context that saves.
        public let ours: StoredValue
        /// The value in the store, or in the parent context.
        public let theirs: StoredValue

        package init(name: String, base: StoredValue, ours: StoredValue, theirs: StoredValue) {
            self.name = name
            self.base = base
            self.ours = ours
            self.theirs = theirs
        }
    }

    /// How the two sides differ.
    public enum Kind: Sendable, Hashable {
        /// Both changed the same properties.
        case changedOnBothSides
        /// Changed here, deleted there.
        case deletedThere
        /// Deleted here, changed there.
        case deletedHere
    }

    /// The object.
    public let objectID: ManagedObjectID
    /// How the two sides differ.
    public let kind: Kind
    /// The properties changed on both sides.
    public let properties: [Property]

    package init(objectID: ManagedObjectID, kind: Kind, properties: [Property] = []) {
        self.objectID = objectID
        self.kind = kind
        self.properties = properties
    }

    /// A line for the object, and one for each property.
    public var description: String {
        let head =
            switch kind {
            case .changedOnBothSides: "\(objectID) was changed here and elsewhere."
            case .deletedThere: "\(objectID) was changed here and deleted elsewhere."
            case .deletedHere: "\(objectID) was deleted here and changed elsewhere."
            }
        let lines = properties.map {
            "  \($0.name): was \($0.base), here \($0.ours), there \($0.theirs)"
        }
        return ([head] + lines).joined(separator: "\n")
    }
}
