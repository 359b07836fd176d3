import RecordStackGraph
import RecordStackModel

// Linking of forward references to objects that exist by now.
extension BatchResolver {
    typealias FindRelation = (ForwardReference.Location) -> ImportMapping.Relation?

    /// Links the references whose objects exist by now.
    ///
    /// - Parameters:
    ///   - relation: finds a relation by the location of a reference.
    ///   - isLast: true if no later row can determine the entity of an object, so the import
    ///     creates the object now.
    /// - Returns: the references that still wait.
    func link(
        _ forward: ForwardReferences, _ relation: FindRelation, isLast: Bool = false
    ) throws -> ForwardReferences {
        var left: [ForwardReference] = []
        for part in forward.parts(of: Self.linksTogether) {
            try prepare(part, relation)
            left += try link(part, relation, isLast: isLast)
        }
        return ForwardReferences(left, forward.orders)
    }

    private static var linksTogether: Int { 1_000 }

    /// Looks up the objects of all keys.
    private func prepare(_ part: ForwardReferences, _ relation: FindRelation) throws {
        var keys = part.references.map { ($0.location, $0.key) }
        for (location, order) in part.orders { keys += order.keys.map { (location, $0) } }
        objects.beginBatch()
        // The objects inside a key must be known before the key is.
        for depth in 0...(keys.map(\.1.depth).max() ?? 0) {
            for (location, key) in keys {
                guard let mapping = relation(location)?.destination else { continue }
                try want(key, mapping, depth)
            }
            try objects.prepare()
        }
    }

    /// Requests the object of a key, and of the keys inside it, at one depth.
    private func want(_ key: ForwardKey, _ mapping: ImportMapping, _ depth: Int) throws {
        if key.depth == depth {
            try lookupKey(key, mapping).map { _ = try objects.objects(of: mapping)?.want($0) }
        }
        guard case .several(let parts) = key else { return }
        for (slot, part) in zip(mapping.entity.identitySlots, parts) {
            guard case .object(let inner) = part, let index = mapping.relation(at: slot) else {
                continue
            }
            try want(inner, mapping.relations[index].destination, depth)
        }
    }

    private func lookupKey(_ key: ForwardKey, _ mapping: ImportMapping) throws -> LookupKey? {
        guard case .several(let parts) = key else {
            guard case .one(let value) = key else { return nil }
            return LookupKey(value)
        }
        var values: [StoredValue] = []
        for (slot, part) in zip(mapping.entity.identitySlots, parts) {
            switch part {
            case .value(let value): values.append(value)
            case .known(let id): values.append(.integer(id.key))
            case .object(let inner):
                guard let index = mapping.relation(at: slot),
                    let object = try object(of: inner, mapping.relations[index].destination)
                else { return nil }
                values.append(.integer(object.objectID.key))
            }
        }
        return LookupKey(values)
    }

    private func object(of key: ForwardKey, _ mapping: ImportMapping) throws -> ManagedObject? {
        try lookupKey(key, mapping).flatMap { try objects.objects(of: mapping)?.object(for: $0) }
    }

    private func link(
        _ part: ForwardReferences, _ relation: FindRelation, isLast: Bool
    ) throws -> [ForwardReference] {
        var left: [ForwardReference] = []
        var changed: Set<Int> = []
        var arrivals: [ForwardReference.Location: [ForwardReference]] = [:]
        let owners = try context.objects(of: part.locations.map(\.owner))
        for reference in part.references {
            // References of an owner that has been deleted since are dropped.
            guard let relation = relation(reference.location),
                let owner = owners[reference.location.owner]
            else { continue }
            guard let object = try object(of: reference, relation, isLast: isLast) else {
                left.append(reference)
                continue
            }
            if relate(owner, to: object, reference, relation) && reference.isOfUnchanged {
                changed.insert(reference.row)
            }
            if relation.description.isOrdered {
                arrivals[reference.location, default: []].append(reference)
            }
        }
        for (location, references) in arrivals {
            guard let relation = relation(location), let owner = owners[location.owner],
                let order = part.orders[location], try put(owner, order, relation)
            else { continue }
            changed.formUnion(references.filter(\.isOfUnchanged).map(\.row))
        }
        report.unchanged -= changed.count
        report.updated += changed.count
        return left
    }

    private func object(
        of reference: ForwardReference, _ relation: ImportMapping.Relation, isLast: Bool
    ) throws -> ManagedObject? {
        if let object = try object(of: reference.key, relation.destination) { return object }
        guard isLast, reference.makesObject else { return nil }
        switch reference.key {
        case .one(let value): return try makeObject(of: value, relation)
        case .several(let parts): return try makeObject(of: parts, relation.destination)
        }
    }

    /// Creates the object of a key of several parts that no object has.
    ///
    /// - Returns: nil if the object of a part does not exist.
    private func makeObject(
        of parts: [ForwardKey.Part], _ mapping: ImportMapping
    ) throws -> ManagedObject? {
        guard let key = try lookupKey(.several(parts), mapping) else { return nil }
        let object = try context.create(mapping.type)
        for (slot, part) in zip(mapping.entity.identitySlots, parts) {
            switch part {
            case .value(let value): _ = try context.assign([(slot, value)], to: object)
            case .known(let id):
                _ = object.relate(to: try context.objects(of: [id])[id], at: slot)
            case .object(let inner):
                guard let index = mapping.relation(at: slot) else { continue }
                let destination = mapping.relations[index].destination
                _ = object.relate(to: try self.object(of: inner, destination), at: slot)
            }
        }
        try objects.objects(of: mapping)?.keep(object, as: key)
        noteUnfinished(object, mapping)
        return object
    }

    private func relate(
        _ owner: ManagedObject, to object: ManagedObject, _ reference: ForwardReference,
        _ relation: ImportMapping.Relation
    ) -> Bool {
        see(object)
        if let problem = relation.problem(referringTo: object) {
            report(reference, relation, problem)
            return false
        }
        if reference.saysMore { reportLost(reference) }
        if let slot = relation.description.slot { return owner.relate(to: object, at: slot) }
        guard owner.addRelated(object, relation.description.index) else { return false }
        abandoned[ObjectIdentifier(object)] = nil
        return true
    }

    /// Gives members the positions that they would have if all had existed from the start.
    ///
    /// - Returns: true if any member moved.
    private func put(
        _ owner: ManagedObject, _ order: MemberOrder, _ relation: ImportMapping.Relation
    ) throws -> Bool {
        let index = relation.description.index
        var members: [ManagedObjectID: ManagedObject] = [:]
        for member in owner.relatedObjects(index) { members[member.objectID] = member }
        let wanted = try order.order { key in
            try object(of: key, relation.destination)?.objectID
        }
        return owner.orderRelated(wanted.compactMap { members[$0] }, index)
    }
}

// MARK: Problems

extension BatchResolver {
    /// Reports the references whose objects no row has brought.
    func reportMissing(_ forward: ForwardReferences, _ relation: FindRelation) {
        for reference in forward.references {
            guard let relation = relation(reference.location) else { continue }
            if !reference.problems.isEmpty {
                report.problems += reference.problems.map {
                    $0.ending("no row completes the object")
                }
            } else if case .one(let value) = reference.key {
                report(reference, relation, missingForGood(value, relation))
            }
        }
    }

    /// Reports that only the key of a nested object was used.
    private func reportLost(_ reference: ForwardReference) {
        report.problems += reference.problems.prefix(1).map {
            $0.ending("a later row has it, and of this one the reference alone was taken")
        }
    }

    private func report(
        _ reference: ForwardReference, _ relation: ImportMapping.Relation, _ message: String
    ) {
        report.problems.append(
            ImportProblem(
                row: reference.row, path: reference.path, property: relation.description.name,
                message: message, isRowSkipped: false))
    }
}

extension ImportProblem {
    /// Returns the problem with text appended to its message.
    fileprivate func ending(_ text: String) -> ImportProblem {
        ImportProblem(
            row: row, path: path, property: property,
            message: "\(message.withoutFullStop): \(text).",
            isRowSkipped: isRowSkipped)
    }
}

extension String {
    /// The sentence without its full stop, so that text can be appended.
    var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
