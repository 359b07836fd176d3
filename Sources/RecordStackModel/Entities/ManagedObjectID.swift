public import FoundationEssentials

/// The identity of an object: its store, its entity and its key.
///
/// ```swift
/// let id = person.objectID
/// print(id)                                      // recordstack://6F9…/Person/17
/// let same = ManagedObjectID("recordstack://6F9…/Person/17")
/// ```
///
/// An object gets its final ID when it is created, and saving does not change the ID. You can keep
/// an ID as text and read it back with ``init(_:)``. A copy of a store has the same UUID, so its
/// objects have the same IDs.
public struct ManagedObjectID: Sendable {
    package let home: Home
    package let key: Int64

    package init(home: Home, key: Int64) {
        self.home = home
        self.key = key
    }

    /// The store and the entity of an ID, shared by all IDs of one entity in one store.
    package final class Home: Sendable {
        package let store: UUID
        package let entityName: String
        package let rootName: String
        /// The home's index in its list; −1 if the home is in no list.
        package let index: Int

        package init(store: UUID, entityName: String, rootName: String, index: Int = -1) {
            self.store = store
            self.entityName = entityName
            self.rootName = rootName
            self.index = index
        }

        package func isSame(as other: Home) -> Bool {
            self === other || (store == other.store && rootName == other.rootName)
        }
    }

    /// The UUID of the store.
    public var storeUUID: UUID { home.store }

    /// The name of the object's entity.
    public var entityName: String { home.entityName }
}

extension ManagedObjectID: Hashable {
    /// Returns true if both IDs identify the same row of the same store.
    public static func == (lhs: ManagedObjectID, rhs: ManagedObjectID) -> Bool {
        lhs.key == rhs.key && lhs.home.isSame(as: rhs.home)
    }

    /// Hashes only the key, because the IDs in a set usually belong to one entity of one store.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }
}

extension ManagedObjectID: LosslessStringConvertible {
    /// The longest text that is parsed, in bytes.
    ///
    /// It exceeds every URI of an object, which has two entity names, a UUID and a key.
    private static let mostBytes = 1 << 16

    /// The ID as a URI: `recordstack://STORE-UUID/Entity/key`.
    ///
    /// If the entity inherits from another entity, the description adds a colon and the name of the
    /// topmost entity after the entity's name.
    public var description: String {
        let entity =
            home.entityName == home.rootName
            ? home.entityName : "\(home.entityName):\(home.rootName)"
        return "recordstack://\(home.store.uuidString)/\(entity)/\(key)"
    }

    /// Creates an ID from its URI, or returns nil if the string is not the URI of an object.
    ///
    /// The result is also nil for a string of more than 65,536 bytes.
    public init?(_ description: String) {
        guard description.utf8.count <= Self.mostBytes else { return nil }
        // Unicode scalars, because a slash and a combining mark after it are one Character.
        let scheme = "recordstack://".unicodeScalars
        let scalars = description.unicodeScalars
        guard scalars.starts(with: scheme) else { return nil }
        let parts = scalars.dropFirst(scheme.count).split(
            separator: "/", omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard parts.count == 3, let store = UUID(uuidString: String(parts[0])),
            let key = Int64(parts[2]), key > 0, String(key) == parts[2]
        else { return nil }
        let names = parts[1].unicodeScalars.split(
            separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(names.count), !names.contains(where: \.isEmpty) else { return nil }
        self.init(
            home: Home(
                store: store, entityName: String(names[0]), rootName: String(names[names.count - 1])
            ),
            key: key)
    }
}

extension ManagedObjectID: Codable {
    /// Encodes the ID as its URI.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes the ID from its URI.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ManagedObjectID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "\(ValueText.quoted(NearNames.shortened(text))) is not the URI of an object.")
        }
        self = id
    }
}
