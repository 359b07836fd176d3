/// A location in a JSON object: what is wanted of the value there, and what lies below it.
final class ImportNode {
    /// Which of the mapping's nodes it is.
    let number: Int

    init(number: Int) { self.number = number }

    enum Property {
        case slot(Int)
        /// The index among a mapping's relations.
        case relation(Int)
    }

    struct Binding {
        let property: Property
        /// How much the property wants this value: 0 is most.
        let priority: Int
        /// Whether it takes objects and arrays as well.
        let isWhole: Bool
    }

    // @exclusivity(unchecked): a node is written while its mapping is made, and one import reads it afterwards.

    @exclusivity(unchecked) private(set) var keys: [(bytes: [UInt8], node: ImportNode)] = []
    private(set) var indexes: [Int: ImportNode] = [:]
    /// What takes the value.
    @exclusivity(unchecked) private(set) var bindings: [Binding] = []
    /// Whether any of these takes objects and arrays.
    @exclusivity(unchecked) private(set) var hasWholeBindings = false
    /// The keys as rows are read by them. There are none before ``freeze(_:)``.
    @exclusivity(unchecked) private(set) var table = ImportKeyTable()

    deinit { table.deallocate() }

    func add(_ binding: Binding) {
        bindings.append(binding)
        hasWholeBindings = hasWholeBindings || binding.isWhole
    }

    /// Ends the making of the node and of those below it.
    /// - Parameter attributes: the mapping's, by slot.
    func freeze(_ attributes: [ImportMapping.Attribute?]) {
        for (_, node) in keys { node.freeze(attributes) }
        table.deallocate()
        table = ImportKeyTable(keys) { $0.plainBinding(among: attributes) }
    }

    /// What alone takes the value as it is, where nothing is to be known of objects and arrays.
    private func plainBinding(
        among attributes: [ImportMapping.Attribute?]
    ) -> (slot: Int, priority: Int, conversion: ValueConversion)? {
        guard isLeaf, bindings.count == 1, !bindings[0].isWhole,
            case .slot(let slot) = bindings[0].property,
            let attribute = attributes[slot], attribute.transforms.isEmpty
        else { return nil }
        return (slot, bindings[0].priority, attribute.conversion)
    }

    /// A step that is a number leads into an array, and to a key of that name in an object.
    /// - Parameter count: how many nodes there are.
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
