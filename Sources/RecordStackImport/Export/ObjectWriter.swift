import RecordStackGraph
import RecordStackModel

/// Writes objects as an export shapes them.
struct ObjectWriter {
    var writer: JSONWriter
    private let includesNulls: Bool
    private let keys: ExportKeys
    private var order = IdentityOrder()
    /// The objects that are being written, each inside of the one before it.
    private var open: [ObjectIdentifier] = []

    init(_ options: ExportOptions) {
        writer = JSONWriter(isPretty: options.isPretty && options.format == .json)
        includesNulls = options.includesNulls
        keys = ExportKeys(options.profile)
    }

    mutating func write(_ object: ManagedObject, at place: ExportPlace) throws {
        try object.load()
        let shape = try place.shape(of: type(of: object).entityDescription)
        open.append(ObjectIdentifier(object))
        try writeMembers(shape.root, object, at: place)
        open.removeLast()
    }

    private mutating func writeMembers(
        _ node: ExportShape.Node, _ object: ManagedObject, at place: ExportPlace
    ) throws {
        writer.beginObject()
        for child in node.children where isWritten(child, object) {
            writer.write(key: child.key)
            try write(child, object, at: place)
        }
        writer.endObject()
    }

    /// Whether a node, or anything below it, has a value to write.
    private func isWritten(_ node: ExportShape.Node, _ object: ManagedObject) -> Bool {
        switch node.leaf {
        case nil: return node.children.contains { isWritten($0, object) }
        case .attribute(let attribute)?:
            if includesNulls || !object.storedValue(at: attribute.description.slot).isNull {
                return true
            }
            // Left out, it would become the default.
            return attribute.description.defaultValue != nil
        case .relation(let relation)?:
            if relation.description.isToMany { return true }
            guard let next = object.destination(of: relation.description) else {
                return includesNulls
            }
            // Around a circle there is nothing to write where the object has no key.
            return key(of: next) != nil || (relation.place != nil && !isOpen(next))
        case .kind?: return true
        }
    }

    private mutating func write(
        _ node: ExportShape.Node, _ object: ManagedObject, at place: ExportPlace
    ) throws {
        switch node.leaf {
        case nil:
            if let elements = node.elements {
                return try writeElements(elements, object, at: place)
            }
            try writeMembers(node, object, at: place)
        case .attribute(let attribute)?:
            try attribute.write(
                object.storedValue(at: attribute.description.slot), to: &writer)
        case .relation(let relation)?: try write(relation, object)
        case .kind(let name)?: writer.write(name)
        }
    }

    private mutating func writeElements(
        _ elements: [Int: ExportShape.Node], _ object: ManagedObject, at place: ExportPlace
    ) throws {
        writer.beginArray()
        for index in 0...(elements.keys.max() ?? 0) {
            if let node = elements[index], isWritten(node, object) {
                try write(node, object, at: place)
            } else {
                writer.writeNull()
            }
        }
        writer.endArray()
    }

    private mutating func write(
        _ relation: ExportShape.Relation, _ object: ManagedObject
    ) throws {
        if relation.description.isToMany { return try writeMembers(of: object, relation) }
        guard let next = object.destination(of: relation.description) else {
            return writer.writeNull()
        }
        try write(next, relation)
    }

    private func isOpen(_ object: ManagedObject) -> Bool { open.contains(ObjectIdentifier(object)) }

    /// An object inside of itself is written as its key.
    private mutating func write(_ object: ManagedObject, _ relation: ExportShape.Relation) throws {
        if let place = relation.place, !isOpen(object) { return try write(object, at: place) }
        try object.load()
        guard let (attribute, value) = key(of: object) else { return writer.writeNull() }
        try attribute.write(value, to: &writer)
    }

    private mutating func writeMembers(
        of object: ManagedObject, _ relation: ExportShape.Relation
    ) throws {
        var members = object.relatedObjects(relation.description.index)
        // Those of no order have one of their own.
        if !relation.description.isOrdered { members = try order.sorted(members) }
        writer.beginArray()
        for member in members {
            if key(of: member) == nil && (relation.place == nil || isOpen(member)) { continue }
            try write(member, relation)
        }
        writer.endArray()
    }

    /// By what an object is known elsewhere; nil where it is by nothing.
    private func key(of object: ManagedObject) -> (attribute: ExportAttribute, value: StoredValue)?
    {
        guard let attribute = keys.attribute(of: type(of: object).entityDescription),
            !object.isNil(at: attribute.description.slot)
        else { return nil }
        return (attribute, object.storedValue(at: attribute.description.slot))
    }
}

/// How the keys of objects are written, by entity.
private final class ExportKeys {
    private let profile: ImportProfile?
    private var known: [ObjectIdentifier: ExportAttribute?] = [:]

    init(_ profile: ImportProfile?) {
        self.profile = profile
    }

    func attribute(of entity: EntityDescription) -> ExportAttribute? {
        if let attribute = known[entity.typeIdentity] { return attribute }
        // A pattern that cannot be read was met before, where the entity's shape was made.
        let attribute = entity.identity.flatMap {
            try? ExportAttribute(
                $0, $0.options.imports.declaration(in: profile), entity: entity)
        }
        known[entity.typeIdentity] = attribute
        return attribute
    }
}

extension ManagedObject {
    /// Where a to-one relationship leads.
    fileprivate func destination(of relationship: RelationshipDescription) -> ManagedObject? {
        relationship.slot.flatMap {
            // What is not an object of a context is in no model.
            relatedObject(relationship.destinationType as! ManagedObject.Type, at: $0)
        }
    }
}
