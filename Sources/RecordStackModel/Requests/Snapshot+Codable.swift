import FoundationEssentials

extension CodingUserInfoKey {
    // Force-unwrapped: the initializer is failable only for its protocol, and never returns nil.

    /// The key for the model in a decoder's `userInfo`.
    ///
    /// A decoder needs the model to decode snapshots of subentities.
    ///
    /// ```swift
    /// let decoder = JSONDecoder()
    /// decoder.userInfo[.managedObjectModel] = stack.model
    /// let animals = try decoder.decode([Snapshot<Animal>].self, from: data)     // including dogs
    /// ```
    public static let managedObjectModel = CodingUserInfoKey(rawValue: "managedObjectModel")!
}

/// Encodes a snapshot as its object's URI and its values by property name.
///
/// Each value is encoded in the usual form of its type. For example, a date follows the encoder's
/// strategy for dates. A UUID and a URL become strings, and a to-one relationship becomes the URI
/// of the related object.
///
/// ```json
/// {"objectID": "recordstack://6F9…/Person/17",
///  "values": {"email": "ann@example.org", "age": null}}
/// ```
extension Snapshot: Codable {
    private enum Key: String, CodingKey {
        case objectID, values
    }

    /// Encodes the object's URI and the values of its properties.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(objectID, forKey: .objectID)
        var nested = container.nestedContainer(keyedBy: PropertyKey.self, forKey: .values)
        for (slot, value) in zip(entity.slots, values) {
            let coder = ValueCoder(slot: slot, entity: entity, store: objectID.storeUUID)
            try coder.encode(value, into: &nested)
        }
    }

    /// Decodes a snapshot of `Entity`, or of an entity that inherits from it.
    ///
    /// - Throws: `DecodingError` for an object of another entity, for a missing or invalid value of
    ///   a required attribute, and for a subentity if the decoder has no
    ///   `CodingUserInfoKey.managedObjectModel`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let id = try container.decode(ManagedObjectID.self, forKey: .objectID)
        let entity = try Self.entity(of: id, decoder)
        let nested = try container.nestedContainer(keyedBy: PropertyKey.self, forKey: .values)
        let values = try entity.slots.map {
            try ValueCoder(slot: $0, entity: entity, store: id.storeUUID).decode(from: nested)
        }
        self.init(objectID: id, entity: entity, values: values)
    }

    private static func entity(
        of id: ManagedObjectID, _ decoder: any Decoder
    ) throws -> EntityDescription {
        let wanted = Entity.entityDescription
        if id.entityName == wanted.name { return wanted }
        let model = decoder.userInfo[.managedObjectModel] as? ManagedObjectModel
        if let entity = model?.entities.first(where: { $0.name == id.entityName }),
            entity.isKind(of: wanted)
        {
            return entity
        }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "\(id) is of \(id.entityName), not of \(wanted.name). If it "
                    + "inherits from it, give the decoder the stack's model as "
                    + "userInfo[.managedObjectModel]."))
    }
}

/// The name of a property as a coding key.
private struct PropertyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// Encodes and decodes the value of one property.
private struct ValueCoder {
    let slot: SlotDescription
    let entity: EntityDescription
    let store: UUID

    func encode(
        _ value: StoredValue, into container: inout KeyedEncodingContainer<PropertyKey>
    ) throws {
        let key = PropertyKey(slot.name)
        switch (slot.type, value) {
        case (_, .null): try container.encodeNil(forKey: key)
        case (_, .integer(let number)) where slot.relationship != nil:
            try container.encode(home.map { ManagedObjectID(home: $0, key: number) }, forKey: key)
        case (.bool, .integer(let number)): try container.encode(number != 0, forKey: key)
        case (.date, .real(let seconds)):
            try container.encode(Date(timeIntervalSinceReferenceDate: seconds), forKey: key)
        case (.uuid, .blob): try container.encode(UUID(storedValue: value), forKey: key)
        case (.unsigned, _): try container.encode(UInt64(storedValue: value), forKey: key)
        case (_, .integer(let number)): try container.encode(number, forKey: key)
        case (_, .real(let number)): try container.encode(number, forKey: key)
        case (_, .text(let text)): try container.encode(text, forKey: key)
        case (_, .blob(let bytes)): try container.encode(Data(bytes), forKey: key)
        }
    }

    func decode(from container: KeyedDecodingContainer<PropertyKey>) throws -> StoredValue {
        let key = PropertyKey(slot.name)
        if slot.isOptional, try !container.contains(key) || container.decodeNil(forKey: key) {
            return .null
        }
        let value = try decodeValue(key, container)
        if slot.relationship != nil || slot.canBe(value) { return value }
        throw DecodingError.dataCorruptedError(
            forKey: key, in: container,
            debugDescription: "\(slot.name) of \(entity.name) is no \(slot.typeName).")
    }

    private func decodeValue(
        _ key: PropertyKey, _ container: KeyedDecodingContainer<PropertyKey>
    ) throws -> StoredValue {
        if slot.relationship != nil {
            return .integer(try container.decode(ManagedObjectID.self, forKey: key).key)
        }
        switch slot.type {
        case .bool: return try container.decode(Bool.self, forKey: key).storedValue
        case .date: return try container.decode(Date.self, forKey: key).storedValue
        case .uuid: return try container.decode(UUID.self, forKey: key).storedValue
        case .unsigned: return try container.decode(UInt64.self, forKey: key).storedValue
        default: break
        }
        switch slot.type.storage {
        case .integer: return .integer(try container.decode(Int64.self, forKey: key))
        case .real: return .storedReal(try container.decode(Double.self, forKey: key))
        case .text: return .text(try container.decode(String.self, forKey: key))
        case .blob: return try container.decode(Data.self, forKey: key).storedValue
        }
    }

    /// The store and entity of the objects that the relationship refers to; nil for an attribute.
    private var home: ManagedObjectID.Home? {
        slot.relationship.map { index in
            let destination = entity.relationships[index].destination
            return ManagedObjectID.Home(
                store: store, entityName: destination.name, rootName: destination.root.name)
        }
    }
}
