/// A location in a JSON object: the properties that take its value, and the locations below it.
final class ImportNode {
    /// The index of the node in its mapping.
    let number: Int

    init(number: Int) { self.number = number }

    enum Property {
        case slot(Int)
        /// The index among a mapping's relations.
        case relation(Int)
    }

    struct Binding {
        let property: Property
        /// The preference of this key for the property; 0 is the most preferred.
        let priority: Int
        /// Whether the property also takes objects and arrays.
        let isWhole: Bool
    }

    // @exclusivity(unchecked): a node is written only while its mapping is built, and one import
    // reads it afterwards.

    @exclusivity(unchecked) private(set) var keys: [(bytes: [UInt8], node: ImportNode)] = []
    private(set) var indexes: [Int: ImportNode] = [:]
    /// The properties that take the value.
    @exclusivity(unchecked) private(set) var bindings: [Binding] = []
    /// True if any of these properties takes objects and arrays.
    @exclusivity(unchecked) private(set) var hasWholeBindings = false
    /// The keys in a form for reading rows. The table is empty before ``freeze(_:)``.
    @exclusivity(unchecked) private(set) var table = ImportKeyTable()

    deinit { table.deallocate() }

    func add(_ binding: Binding) {
        bindings.append(binding)
        hasWholeBindings = hasWholeBindings || binding.isWhole
    }

    /// Completes the node and the nodes below it.
    ///
    /// - Parameter attributes: the attributes of the mapping, by slot.
    func freeze(_ attributes: [ImportMapping.Attribute?]) {
        for (_, node) in keys { node.freeze(attributes) }
        table.deallocate()
        table = ImportKeyTable(keys) { $0.plainBinding(among: attributes) }
    }

    /// Returns the only attribute that takes the value, if nothing depends on objects and arrays.
    private func plainBinding(
        among attributes: [ImportMapping.Attribute?]
    ) -> (slot: Int, priority: Int, conversion: ValueConversion)? {
        guard isLeaf, bindings.count == 1, !bindings[0].isWhole,
            case .slot(let slot) = bindings[0].property,
            let attribute = attributes[slot], attribute.transforms.isEmpty
        else { return nil }
        return (slot, bindings[0].priority, attribute.conversion)
    }

    /// Returns the child for a step, created if necessary.
    ///
    /// A number is the index of an element in an array, and a key of that name in an object.
    ///
    /// - Parameter count: the number of nodes in the mapping.
    func makeChild(_ step: String, _ count: inout Int) -> ImportNode {
        let bytes = Array(step.utf8)
        if let known = keys.first(where: { $0.bytes == bytes })?.node { return known }
        let node = ImportNode(number: count)
        count += 1
        keys.append((bytes, node))
        if let index = ImportKeyPath.index(step) { indexes[index] = node }
        return node
    }

    var isLeaf: Bool { keys.isEmpty }
}
