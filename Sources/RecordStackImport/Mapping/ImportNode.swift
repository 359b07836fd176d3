import Glibc

/// A place in a JSON object: what is wanted of the value there, and what lies below it.
final class ImportNode {
    /// Which of the mapping's nodes it is.
    let number: Int

    init(number: Int) { self.number = number }

    enum Property {
        case slot(Int)
        /// The place among a mapping's relations.
        case relation(Int)
    }

    struct Wish {
        let property: Property
        /// How much the property wants this value: 0 is most.
        let priority: Int
        /// Whether it takes objects and arrays as well.
        let isWhole: Bool
    }

    @exclusivity(unchecked) private(set) var keys: [(bytes: [UInt8], node: ImportNode)] = []
    private(set) var indexes: [Int: ImportNode] = [:]
    /// What takes the value.
    @exclusivity(unchecked) private(set) var wishes: [Wish] = []
    /// Whether any of these takes objects and arrays.
    @exclusivity(unchecked) private(set) var hasWholeWishes = false
    /// The place of the key that followed when the last row was read: most rows have their keys in one order.
    @exclusivity(unchecked) private var expected = 0

    func add(_ wish: Wish) {
        wishes.append(wish)
        hasWholeWishes = hasWholeWishes || wish.isWhole
    }

    func child(_ key: UnsafeRawBufferPointer) -> ImportNode? {
        if expected < keys.count && Self.isSame(keys[expected].bytes, key) {
            expected += 1
            return keys[expected - 1].node
        }
        for place in keys.indices where Self.isSame(keys[place].bytes, key) {
            expected = place + 1
            return keys[place].node
        }
        return nil
    }

    private static func isSame(_ bytes: [UInt8], _ key: UnsafeRawBufferPointer) -> Bool {
        if bytes.count != key.count { return false }
        // A key has a byte at least, and so both have addresses.
        return bytes.withUnsafeBytes { memcmp($0.baseAddress!, key.baseAddress!, key.count) == 0 }
    }

    /// A step that is a number leads into an array, and to a key of that name in an object.
    /// - Parameter count: how many nodes there are.
    func makeChild(_ step: String, _ count: inout Int) -> ImportNode {
        let bytes = Array(step.utf8)
        if let known = keys.first(where: { $0.bytes == bytes })?.node { return known }
        let node = ImportNode(number: count)
        count += 1
        keys.append((bytes, node))
        if let index = Int(step), index >= 0, String(index) == step { indexes[index] = node }
        return node
    }

    var isLeaf: Bool { keys.isEmpty }
}
