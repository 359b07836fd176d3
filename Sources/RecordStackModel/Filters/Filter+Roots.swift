// A filter refers to properties by their slots or indexes in its entity. In a different entity,
// these would belong to different properties, or would not exist.
extension Filter {
    /// Checks that the filter is about the requested objects.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the filter, or a part of it, is about another
    ///   entity, unless the requested entity inherits from that entity.
    package func check(asking asked: EntityDescription) throws {
        if let entity { try asked.checkIsKind(of: entity) }
        try node.forEachPart { try $0.check(asking: asked) }
    }
}

extension FilterOperand {
    /// Checks that the value belongs to the requested objects.
    ///
    /// - Throws: ``RecordStackError/Code/misuse`` if the value, or a part of it, belongs to another
    ///   entity, unless the requested entity inherits from that entity.
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

    /// Returns the more derived of two entities; nil if neither inherits from the other one.
    func common(with other: EntityDescription) -> EntityDescription? {
        if isKind(of: other) { return self }
        return other.isKind(of: self) ? other : nil
    }
}
