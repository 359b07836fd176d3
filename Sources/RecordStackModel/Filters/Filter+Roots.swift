// A filter names properties by their slots or indexes in its entity. In another entity these would belong to other
// properties, or to none.
extension Filter {
    /// - Throws: ``RecordStackError/Code/misuse`` where the filter, or a part of it, is about objects that those asked for
    ///   are not.
    package func check(asking asked: EntityDescription) throws {
        if let entity { try asked.checkIsKind(of: entity) }
        try node.forEachPart { try $0.check(asking: asked) }
    }
}

extension FilterOperand {
    /// - Throws: ``RecordStackError/Code/misuse`` where the value, or a part of it, is one of objects that those asked for
    ///   are not.
    package func check(asking asked: EntityDescription) throws {
        try forEachPart { try $0.check(asking: asked) }
    }
}

extension FilterPart {
    fileprivate func check(asking asked: EntityDescription) throws {
        switch self {
        case .path(let path):
            if path.scope == .root, let root = path.root { try asked.checkIsKind(of: root) }
        case .members(let relation, let nodes, let operands):
            if relation.scope == .root, let root = relation.root {
                try asked.checkIsKind(of: root)
            }
            for node in nodes { try node.forEachPart { try $0.check(asking: asked) } }
            for operand in operands { try operand.forEachPart { try $0.check(asking: asked) } }
        }
    }
}

extension EntityDescription {
    fileprivate func checkIsKind(of other: EntityDescription) throws {
        if isKind(of: other) { return }
        throw RecordStackError(
            .misuse,
            "A request for objects of \(name) has a condition, a sort key or a value of \(other.name), which "
                + "\(name) neither is nor inherits from. Begin with the closure's own argument: "
                + "\(name).where { $0.… }.",
            entity: name)
    }

    /// The entity of both, where one is the other or inherits from it.
    func common(with other: EntityDescription) -> EntityDescription? {
        if isKind(of: other) { return self }
        return other.isKind(of: self) ? other : nil
    }
}
