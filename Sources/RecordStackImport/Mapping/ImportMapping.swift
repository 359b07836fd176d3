import RecordStackModel

/// Where an entity's attributes are found in a JSON object: a tree of keys, made once for an
/// import.
final class ImportMapping {
    /// A place in the JSON object: what is wanted of the value there, and what lies below it.
    final class Node {
        var keys: [(bytes: [UInt8], node: Node)] = []
        var indexes: [Int: Node] = [:]
        /// The slots that take the value, and how much they want it: 0 is most.
        var targets: [(slot: Int, priority: Int)] = []

        func child(_ key: UnsafeRawBufferPointer) -> Node? {
            for (bytes, node) in keys where bytes.count == key.count {
                if bytes.elementsEqual(key) { return node }
            }
            return nil
        }
    }

    struct Attribute {
        let description: AttributeDescription
        let conversion: ValueConversion
        let keys: [String]

        /// Whether a value that was converted as it is stored can be one of the attribute's.
        func takes(_ value: StoredValue) -> Bool {
            !conversion.isByStorage || description.accepts(value)
        }

        /// What the attribute wants, for a message.
        var expectation: String {
            conversion.isByStorage ? Wording.article(description.typeName) : conversion.expectation
        }
    }

    let entity: EntityDescription
    let root = Node()
    /// The attributes by slot; nil for a to-one relationship's slot.
    let attributes: [Attribute?]

    /// - Throws: ``RecordStackError/Code/misuse`` for a key path or a date format that cannot be
    ///   read, and where several attributes are unique and none is the identity.
    init(entity: EntityDescription) throws {
        self.entity = entity
        try Self.checkIdentity(of: entity)
        var attributes: [Attribute?] = Array(repeating: nil, count: entity.slots.count)
        for description in entity.attributes {
            let declared = description.options.importKeys
            let keys = declared.isEmpty ? [description.name] : declared
            attributes[description.slot] = Attribute(
                description: description,
                conversion: try ValueConversion(of: description, entity: entity), keys: keys)
            for (priority, key) in keys.enumerated() {
                try Self.node(at: key, below: root, entity).targets.append(
                    (description.slot, priority))
            }
        }
        self.attributes = attributes
    }

    /// Rows that are known by nothing would be made anew by each import, and the next save would
    /// refuse them.
    private static func checkIdentity(of entity: EntityDescription) throws {
        let unique = entity.attributes.filter(\.isUnique).map(\.name)
        if unique.count < 2 || entity.identity != nil { return }
        throw RecordStackError(
            .misuse,
            "\(entity.name) has several unique attributes: \(unique.joined(separator: ", ")). Name the "
                + "one that imported rows are known by, as in @Entity(identity: \\.\(unique[0])), or "
                + "by hand with identity: \\\(entity.name).\(unique[0]) in its description.",
            entity: entity.name)
    }

    private static func node(
        at keyPath: String, below root: Node, _ entity: EntityDescription
    ) throws -> Node {
        var node = root
        for step in keyPath.split(separator: ".", omittingEmptySubsequences: false) {
            if step.isEmpty {
                throw RecordStackError(
                    .misuse,
                    "“\(keyPath)” is no key path: it has an empty step. Write keys divided by single "
                        + "dots, as in .imported(from: \"contact.mail\").", entity: entity.name)
            }
            node = node.makeChild(String(step))
        }
        return node
    }
}

extension ImportMapping.Node {
    /// A step that is a number leads into an array, and to a key of that name in an object.
    func makeChild(_ step: String) -> ImportMapping.Node {
        let bytes = Array(step.utf8)
        let known = keys.first { $0.bytes == bytes }?.node
        let node = known ?? ImportMapping.Node()
        if known == nil { keys.append((bytes, node)) }
        if let index = Int(step), index >= 0, String(index) == step { indexes[index] = node }
        return node
    }

    var isLeaf: Bool { keys.isEmpty }
}
