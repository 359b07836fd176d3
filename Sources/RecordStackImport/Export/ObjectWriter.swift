import RecordStackGraph
import RecordStackModel

/// Writes objects in the shapes of an export.
struct ObjectWriter {
    var writer: JSONWriter
    private let includesNulls: Bool
    private let keys: ExportKeys
    private let check: ExportCheck
    private var order = IdentityOrder()
    /// The objects that are being written, each nested in the one before.
    private var open: [ObjectIdentifier] = []

    init(_ options: ExportOptions) {
        writer = JSONWriter(isPretty: options.isPretty && options.format == .json)
        includesNulls = options.includesNulls
        keys = ExportKeys(options.profile)
        check = ExportCheck(options)
    }

    mutating func write(_ object: ManagedObject, at location: ExportLocation) throws {
        try object.load()
        let shape = try location.shape(of: type(of: object).entityDescription)
        open.append(ObjectIdentifier(object))
        let start = writer.bytes.count
        try writeMembers(shape.root, object, at: location)
        if shape.needsCheck {
            // A comma, and spaces of an indented text, may precede the object.
            let text = writer.bytes[start...].drop { $0 != UInt8(ascii: "{") }
            try check.check(Array(text), object, shape, as: location.destination ?? shape.entity) {
                try written($0, of: object)
            }
        }
        open.removeLast()
    }

    private mutating func writeMembers(
        _ node: ExportShape.Node, _ object: ManagedObject, at location: ExportLocation
    ) throws {
        writer.beginObject()
        var isEmpty = true
        for child in node.children where isWritten(child, object) {
            writer.write(key: child.key)
            try write(child, object, at: location)
            isEmpty = false
        }
        // An import would not recognize an object without any of its keys.
        if isEmpty, let first = node.children.first { try writeNulls(first) }
        writer.endObject()
    }

    /// Writes a key with a null, or with objects that contain only a null.
    private mutating func writeNulls(_ node: ExportShape.Node) throws {
        writer.write(key: node.key)
        if node.leaf != nil || node.elements != nil { return writer.writeNull() }
        writer.beginObject()
        if let first = node.children.first { try writeNulls(first) }
        writer.endObject()
    }

    /// Whether a node, or any node below it, has a value to write.
    private func isWritten(_ node: ExportShape.Node, _ object: ManagedObject) -> Bool {
        switch node.leaf {
        case nil: return node.children.contains { isWritten($0, object) }
        case .attribute(let attribute)?:
            if includesNulls || !object.storedValue(at: attribute.description.slot).isNull {
                return true
            }
            // Without the null, an import would set the default.
            return attribute.description.defaultValue != nil
        case .relation(let relation)?:
            if includesNulls && relation.canBeWritten { return true }
            if relation.description.isToMany {
                return relation.canBeWritten
                    || !object.relatedObjects(relation.description.index).isEmpty
            }
            return object.destination(of: relation.description) != nil
        case .kind?: return true
        }
    }

    private mutating func write(
        _ node: ExportShape.Node, _ object: ManagedObject, at location: ExportLocation
    ) throws {
        switch node.leaf {
        case nil:
            if let elements = node.elements {
                return try writeElements(elements, object, at: location)
            }
            try writeMembers(node, object, at: location)
        case .attribute(let attribute)?:
            try attribute.write(
                object.storedValue(at: attribute.description.slot), to: &writer)
        case .relation(let relation)?: try write(relation, of: object)
        case .kind(let name)?: writer.write(name)
        }
    }

    private mutating func writeElements(
        _ elements: [Int: ExportShape.Node], _ object: ManagedObject, at location: ExportLocation
    ) throws {
        writer.beginArray()
        for index in 0...(elements.keys.max() ?? 0) {
            if let node = elements[index], isWritten(node, object) {
                try write(node, object, at: location)
            } else {
                writer.writeNull()
            }
        }
        writer.endArray()
    }

    // MARK: Relationships

    private mutating func write(
        _ relation: ExportShape.Relation, of object: ManagedObject
    ) throws {
        let objects = try written(relation, of: object)
        if !relation.description.isToMany {
            guard let next = objects.first else { return writer.writeNull() }
            return try write(next, relation, of: object)
        }
        writer.beginArray()
        for member in objects { try write(member, relation, of: object) }
        writer.endArray()
    }

    /// Returns the objects of a relationship that are written, in order.
    ///
    /// If the relationship is the inverse of the relationship through which the export reached the
    /// object, the outer object is left out, unless it has a key.
    private mutating func written(
        _ relation: ExportShape.Relation, of object: ManagedObject
    ) throws -> [ManagedObject] {
        if !relation.description.isToMany {
            return object.destination(of: relation.description).map { [$0] } ?? []
        }
        var members = object.relatedObjects(relation.description.index)
        // Members without a defined order are sorted by their identity.
        if !relation.description.isOrdered {
            members = try order.sorted(members)
        }
        guard relation.isInverseOfArrival, open.count > 1 else { return members }
        let outer = open[open.count - 2]
        return try members.filter { member in
            guard ObjectIdentifier(member) == outer else { return true }
            return try key(of: member, relation) != nil
        }
    }

    private func isOpen(_ object: ManagedObject) -> Bool { open.contains(ObjectIdentifier(object)) }

    /// Writes a related object, or only its key if it would be nested in itself.
    private mutating func write(
        _ object: ManagedObject, _ relation: ExportShape.Relation, of owner: ManagedObject
    ) throws {
        if let location = relation.location, !isOpen(object) {
            return try write(object, at: location)
        }
        switch try key(of: object, relation) {
        case .value(let attribute, let value)?: try attribute.write(value, to: &writer)
        case .object(let location)?: try write(object, at: location)
        case nil: throw unknown(object, relation, of: owner)
        }
    }

    /// The key of an object that is not written in full.
    private enum Key {
        case value(ExportAttribute, StoredValue)
        /// A key of several parts, with the location at which they are written.
        case object(ExportLocation)
    }

    /// Returns the key of an object; nil for an object without one.
    private func key(of object: ManagedObject, _ relation: ExportShape.Relation) throws -> Key? {
        try object.load()
        let entity = type(of: object).entityDescription
        if let location = relation.keyLocation {
            return try isKnown(object) ? .object(location) : nil
        }
        guard let attribute = keys.attribute(of: entity),
            !object.isNil(at: attribute.description.slot)
        else { return nil }
        return .value(attribute, object.storedValue(at: attribute.description.slot))
    }

    /// Whether an object has all parts of its identity, and the objects in that identity do too.
    private func isKnown(_ object: ManagedObject, behind others: Int = 0) throws -> Bool {
        try object.load()
        let entity = type(of: object).entityDescription
        // A chain of more than 100 identities is a circle.
        if entity.identitySlots.isEmpty || others > 100 { return false }
        return try entity.identitySlots.allSatisfy { slot in
            guard let index = entity.slots[slot].relationship else {
                return !object.isNil(at: slot)
            }
            guard let next = object.destination(of: entity.relationships[index]) else {
                return false
            }
            return try isKnown(next, behind: others + 1)
        }
    }

    private func unknown(
        _ object: ManagedObject, _ relation: ExportShape.Relation, of owner: ManagedObject
    ) -> RecordStackError {
        let (entity, name) = (type(of: owner).entityDescription.name, relation.description.name)
        let other = type(of: object).entityDescription.name
        let advice =
            isOpen(object)
            ? "It stands in itself here, and has no key that could stand for it"
            : "It has no key that could stand for it: write it whole with a larger options.depth"
        return RecordStackError(
            .misuse,
            "\(name) of \(entity) refers to a \(other) that cannot be written. \(advice). Or leave \(name) out with "
                + "options.except.",
            entity: entity, property: name)
    }
}

/// The attributes that are the keys of objects, by entity.
private final class ExportKeys {
    private let profile: ImportProfile?
    private var known: [ObjectIdentifier: ExportAttribute?] = [:]

    init(_ profile: ImportProfile?) {
        self.profile = profile
    }

    func attribute(of entity: EntityDescription) -> ExportAttribute? {
        if let attribute = known[entity.typeIdentity] { return attribute }
        // A date pattern that is not valid would have thrown earlier, when the entity's
        // shape was created.
        let attribute = entity.identity.flatMap {
            try? ExportAttribute(
                $0, $0.options.imports.declaration(in: profile), entity: entity)
        }
        known[entity.typeIdentity] = attribute
        return attribute
    }
}

extension ManagedObject {
    /// Returns the object to which a to-one relationship refers.
    fileprivate func destination(of relationship: RelationshipDescription) -> ManagedObject? {
        relationship.slot.flatMap {
            // A model contains only entities whose types inherit from `ManagedObject`.
            relatedObject(relationship.destinationType as! ManagedObject.Type, at: $0)
        }
    }
}
