/// A place in a JSON object: what is wanted of the value there, and what lies below it.
final class ImportNode {
    enum Property {
        case slot(Int)
        /// The place among a mapping's relations.
        case relation(Int)
    }

    struct Wish {
        let property: Property
        /// How much the property wants this value: 0 is most.
        let priority: Int
    }

    private(set) var keys: [(bytes: [UInt8], node: ImportNode)] = []
    private(set) var indexes: [Int: ImportNode] = [:]
    /// What takes the value: attributes before relationships, which read it to its end.
    private(set) var wishes: [Wish] = []

    func add(_ wish: Wish) {
        switch wish.property {
        case .slot: wishes.insert(wish, at: 0)
        case .relation: wishes.append(wish)
        }
    }

    func child(_ key: UnsafeRawBufferPointer) -> ImportNode? {
        for (bytes, node) in keys where bytes.count == key.count {
            if bytes.elementsEqual(key) { return node }
        }
        return nil
    }

    /// A step that is a number leads into an array, and to a key of that name in an object.
    func makeChild(_ step: String) -> ImportNode {
        let bytes = Array(step.utf8)
        let known = keys.first { $0.bytes == bytes }?.node
        let node = known ?? ImportNode()
        if known == nil { keys.append((bytes, node)) }
        if let index = Int(step), index >= 0, String(index) == step { indexes[index] = node }
        return node
    }

    var isLeaf: Bool { keys.isEmpty }
}
