package import RecordStackModel

// Another program may have written values that do not fit their attributes. A fetch finds such a
// value together with its object. A calculation in the store cannot tell which object has the
// value, so its caller looks for the object here.
extension ManagedObjectContext {
    /// Runs a body that calculates with stored values, and adds the object to its errors.
    ///
    /// The body fails if a stored value does not fit its attribute. The error then names the object
    /// that has the value.
    package func namingWrongValues<Result>(
        in operands: [FilterOperand], of entity: EntityDescription, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as RecordStackError
            where error.objectID == nil && (error.code == .corrupt || error.code == .misuse)
        {
            throw try wrongValue(in: operands, of: entity) ?? error
        }
    }

    private func wrongValue(
        in operands: [FilterOperand], of entity: EntityDescription
    ) throws -> RecordStackError? {
        for (entity, slot) in try operands.flatMap({ try Self.properties(in: $0, [entity]) }) {
            if let error = try wrongValue(at: slot, of: entity) { return error }
        }
        return nil
    }

    private func wrongValue(at slot: Int, of entity: EntityDescription) throws -> RecordStackError?
    {
        guard let index = coordinator.model.index(of: entity) else { return nil }
        let property = entity.slots[slot]
        let request = ValueRequest(
            of: StoreRequest(entity: index),
            columns: [FilterPath.keySlot, slot].map { .value(.path(FilterPath(slot: $0))) })
        var found: RecordStackError?
        try reading { reader in
            try reader.values(request) { row in
                guard found == nil, case .integer(let key) = row[0], !property.canBe(row[1]) else {
                    return
                }
                found = .unexpectedValue(
                    of: property, entity: entity, coordinator.objectID(entity: index, key: key))
            }
        }
        return found
    }

    /// Returns the properties that an operand reads.
    ///
    /// - Parameter scopes: the entities at which its paths may begin, the outermost first.
    private static func properties(
        in operand: FilterOperand, _ scopes: [EntityDescription]
    ) throws -> [(EntityDescription, Int)] {
        var found: [(EntityDescription, Int)] = []
        try operand.forEachPart { part in
            switch part {
            case .path(let path):
                let start: EntityDescription
                switch path.scope {
                case .root: start = scopes[0]
                case .member(let level): start = scopes[scopes.count - 1 - level]
                case .open: throw RecordStackError.openScope
                }
                if path.slot != FilterPath.keySlot {
                    found.append((path.steps.last?.destination ?? start, path.slot))
                }
            case .members(let relation, _, let operands):
                for operand in operands {
                    found += try properties(in: operand, scopes + [relation.destination])
                }
            }
        }
        return found
    }
}
