public import FoundationEssentials

/// The identity of an object: its store, its entity and its key.
///
/// ```swift
/// let id = person.objectID
/// print(id)                                      // recordstack://6F9…/Person/17
/// let same = ManagedObjectID("recordstack://6F9…/Person/17")
/// ```
///
/// An ID is final from the object's birth: saving does not change it. It can be kept as text, and
/// found again by ``init(_:)``; objects of a copy of the store have the same IDs, as the copy has
/// the same UUID.
public struct ManagedObjectID: Sendable {
    package let home: Home
    package let key: Int64

    package init(home: Home, key: Int64) {
        self.home = home
        self.key = key
    }

    /// Where a kind of object lives: shared by all IDs of one entity of one store.
    package final class Home: Sendable {
        package let store: UUID
        package let entityName: String
        package let rootName: String
        /// The home's index in the list that it belongs to; −1 if it belongs to none.
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
    /// Whether both name the same row of the same store.
    public static func == (lhs: ManagedObjectID, rhs: ManagedObjectID) -> Bool {
        lhs.key == rhs.key && lhs.home.isSame(as: rhs.home)
    }

    /// Hashes the key, which is all that most sets of IDs differ in.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }
}

extension ManagedObjectID: LosslessStringConvertible {
    /// Two names of entities, a UUID and a key are shorter, however long the names are that a store can have.
    private static let mostBytes = 1 << 16

    /// The ID as a URI: `recordstack://STORE-UUID/Entity/key`, with the name of the hierarchy's
    /// root after a colon where it differs.
    public var description: String {
        let entity =
            home.entityName == home.rootName
            ? home.entityName : "\(home.entityName):\(home.rootName)"
        return "recordstack://\(home.store.uuidString)/\(entity)/\(key)"
    }

    /// The ID that a URI names, or nil where the text is not one.
    ///
    /// Names of entities have a length: a text of more than 65,536 bytes names no object.
    public init?(_ description: String) {
        guard description.utf8.count <= Self.mostBytes else { return nil }
        // Scalars, because a slash before a name that begins with a combining mark is another
        // character.
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
    /// Encodes the URI.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes a URI.
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
